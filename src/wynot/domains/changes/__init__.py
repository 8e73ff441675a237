"""The differences between two folders as deltas."""
