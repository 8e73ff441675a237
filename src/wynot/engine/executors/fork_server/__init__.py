"""Start a Python program once and fork it for each test (docs/decisions/0018)."""
