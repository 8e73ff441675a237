"""Recordings of user actions as deltas: formats, what belongs together, what was not the user's doing."""
