"""A Python callable as the test."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from wynot.core.outcome import FAIL, PASS, Outcome

Candidate = TypeVar("Candidate")


def outcome_of(answer: object) -> Outcome:
    """What a callable's answer means: an Outcome as it is; a bool: True = fails.

    >>> outcome_of(True), outcome_of(Outcome.UNRESOLVED)
    (<Outcome.FAIL: 'fail'>, <Outcome.UNRESOLVED: 'unresolved'>)
    """
    if isinstance(answer, Outcome):
        return answer
    if isinstance(answer, bool):
        return FAIL if answer else PASS
    raise TypeError(f"a test must give an Outcome or a bool (True = fails), not {answer!r}")


def asking(test: Callable[[Candidate], Outcome | bool]) -> Callable[[Candidate], Outcome]:
    """The callable, with its answer made an Outcome."""

    def ask(candidate: Candidate) -> Outcome:
        return outcome_of(test(candidate))

    return ask
