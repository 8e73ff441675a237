"""Replaying and recording user actions: a real browser, a real X server."""
