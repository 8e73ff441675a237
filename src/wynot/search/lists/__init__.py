"""Strategies for lists of deltas."""
