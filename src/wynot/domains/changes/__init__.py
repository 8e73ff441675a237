"""Two folders as deltas: each change from the old one to the new one, applied or not."""
