"""Recorded user actions and earlier tests as deltas."""
