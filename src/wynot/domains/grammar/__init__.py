"""Grammars that users bring."""
