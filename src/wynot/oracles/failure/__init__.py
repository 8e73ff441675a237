"""What makes a failure the same failure."""
