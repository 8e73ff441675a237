"""Grammars that users bring: read, converted, and what follows from them."""
