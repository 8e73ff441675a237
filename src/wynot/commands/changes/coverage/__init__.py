"""Record which lines of a tree a test executes."""
