"""What Python callers import: algorithms on lists and trees, and `explain`."""
