"""Simpler names, literals and layout for a result."""
