"""Which changes belong together."""
