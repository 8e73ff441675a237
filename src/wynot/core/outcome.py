"""The three outcomes of a test (POSIX 1003.3; Zeller 1999, definition 3)."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """What a test says about one configuration."""

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    """The failure does not show; the run is fine."""
    FAIL = "fail"
    """The failure shows."""
    UNRESOLVED = "unresolved"
    """No answer: it cannot be built or run, it fails otherwise, it takes too long."""

    __hash__ = object.__hash__  # each is there but once; they are looked up for every test

    @property
    def sign(self) -> str:
        """One character, as in the papers' tables: P, F or ?."""
        return {"pass": "P", "fail": "F"}.get(self.value, "?")


PASS, FAIL, UNRESOLVED = Outcome.PASS, Outcome.FAIL, Outcome.UNRESOLVED

ONLY_FAIL = frozenset({FAIL})
ONLY_PASS = frozenset({PASS})
RESOLVED = frozenset({FAIL, PASS})
ANY = frozenset(Outcome)
NOTHING: frozenset[Outcome] = frozenset()


# How often an outcome may be wrong where a failure shows only sometimes.


PASS_ERROR = 0.01
"""How often a candidate that fails as often as the original may be taken for one that fails less often."""
FAIL_ERROR = 0.05
"""How often a candidate that fails half as often as the original may be taken for one that fails as often."""
