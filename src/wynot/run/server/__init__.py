"""Programs that take long to start, started once: a fork server for Python programs (docs/decisions/0018)."""
