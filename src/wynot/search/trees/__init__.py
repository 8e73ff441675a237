"""Strategies for trees of deltas."""
