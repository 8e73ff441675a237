"""Options, variables and configuration keys: what a program is called with, as deltas."""
