"""The executed statements of a run as deltas."""
