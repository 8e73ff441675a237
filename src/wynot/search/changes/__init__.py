"""Strategies for code changes, which depend on each other."""
