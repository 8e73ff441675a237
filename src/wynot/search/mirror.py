"""A search for what passes: the mirror image of a search for what fails.

Zeller & Hildebrandt 2002, section IV-A: options that prevent a failure. With all of them the program passes, with none
it fails; wanted is a small set that still passes. Whatever minimises failing configurations does it, if PASS and FAIL
change places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.core.trial import Question, Strategy, Trial, Verdict
from wynot.search.lift import asking

_MIRROR = {PASS: FAIL, FAIL: PASS, UNRESOLVED: UNRESOLVED}


@dataclass(frozen=True, slots=True)
class Mirrored(Trial):
    """A trial whose outcomes have changed places."""

    inner: Trial


def mirrored(strategy: Strategy) -> Strategy:
    """Run a strategy that takes PASS for FAIL and FAIL for PASS."""
    return asking(strategy, _up, _down, mirrored)


def _up(question: Question) -> Iterator[Trial]:
    for trial in question:
        yield Mirrored(trial.config, frozenset(_MIRROR[outcome] for outcome in trial.wanted), trial)


def _down(verdict: Verdict | None) -> Verdict | None:
    if verdict is None:
        return None
    trial = verdict.trial
    if not isinstance(trial, Mirrored):
        raise TypeError("a driver has to answer with a trial of the question")
    return Verdict(trial.inner, _MIRROR[verdict.outcome])
