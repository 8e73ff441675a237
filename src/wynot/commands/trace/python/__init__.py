"""Modules that run inside traced Python programs; they use the standard library only."""
