"""What follows from a grammar: minimal strings, removable parts, replacements."""
