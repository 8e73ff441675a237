"""The record of a run in its journal: write it, read it, repeat it."""
