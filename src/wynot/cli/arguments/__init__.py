"""Options that several commands share, and what is made of the words that users type."""
