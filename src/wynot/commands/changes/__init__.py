"""`changes` and `bisect`: which code changes cause a failure."""
