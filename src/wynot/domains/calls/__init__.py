"""Options, variables and configuration keys of a call as deltas."""
