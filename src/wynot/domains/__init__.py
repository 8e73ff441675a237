"""Domains map artifacts to deltas, and configurations back to artifacts; they know neither tests nor searches."""
