"""THE EYES: artifact -> deltas, configuration -> artifact. Blind to tests and to the search."""
