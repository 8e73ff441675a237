"""Rewrites of several nodes: inline a function, merge siblings, substitute names."""
