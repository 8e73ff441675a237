"""`options`: which options, variables and configuration keys matter."""
