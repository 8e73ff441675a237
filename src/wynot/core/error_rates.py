"""How often an outcome may be wrong where a failure shows only sometimes."""

PASS_ERROR = 0.01
"""How often a candidate that fails as often as the original may be taken for one that fails less often."""
FAIL_ERROR = 0.05
"""How often a candidate that fails half as often as the original may be taken for one that fails as often."""
