"""A file as a tree of nodes, whatever its language."""
