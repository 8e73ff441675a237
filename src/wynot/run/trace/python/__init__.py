"""What runs inside of traced Python programs, and rewrites them: the standard library only."""
