"""WORDS: what every other room speaks of. Frozen values, no clock, no disk, no process."""
