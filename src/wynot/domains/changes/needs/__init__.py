"""Which changes need which others, from the code and from error messages."""
