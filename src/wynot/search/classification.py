"""Properties of a set of deltas that tests contradict (Zeller 1999, definitions 7 and 9, section 4).

The algorithms of 1999 assume that a set of deltas is monotone and unambiguous. Tests can only contradict that. Each
property is therefore a counterexample, or None: no test contradicts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, Outcome

MAX_COMPARED = 50
"""Only this number of failing sets, the smallest ones, and of passing sets, the largest ones, are compared:
each comparison takes time in proportion to the intervals of both."""
Two = tuple[Config, Config]


@dataclass(frozen=True, slots=True)
class Classification:
    """Pairs of sets of deltas that contradict a property."""

    not_monotone: Two | None = None
    """The first one fails, the second one holds all of it and passes: something in it undoes the failure."""
    ambiguous: Two | None = None
    """Both fail, and what they have in common passes: the failure has more than one cause."""
    interfering: Two | None = None
    """Both pass, they have nothing in common, and together they fail."""


def classified(tests: Mapping[Config, Outcome], whole: Config) -> Classification:
    """Classify a set of deltas by tests of its subsets; of the empty set and of all deltas the outcome is known.

    >>> one, two, both = Config.of([0]), Config.of([1]), Config.of([0, 1])
    >>> found = classified({one: FAIL, two: FAIL, both: PASS}, Config.full(4))
    >>> found.not_monotone, found.ambiguous
    ((Config(0), Config(0-1)), (Config(0), Config(1)))
    >>> classified({one: PASS, two: PASS, both: FAIL}, Config.full(4)).interfering
    (Config(0), Config(1))
    """
    known = {**tests, Config(): PASS, whole: FAIL}
    failing = sorted((each for each, outcome in known.items() if outcome is FAIL), key=len)[:MAX_COMPARED]
    passing = sorted((each for each, outcome in known.items() if outcome is PASS), key=len, reverse=True)[:MAX_COMPARED]
    return Classification(_undone(failing, passing), _apart(failing, known), _interfering(failing, passing, known))


def _undone(failing: list[Config], passing: list[Config]) -> Two | None:
    """The pair with the least between its sets."""
    pairs = [(one, other) for one in failing for other in passing if len(one) < len(other) and one <= other]
    return min(pairs, key=lambda pair: (len(pair[1]) - len(pair[0]), len(pair[0])), default=None)


def _apart(failing: list[Config], known: Mapping[Config, Outcome]) -> Two | None:
    """The smallest pair."""
    best: Two | None = None
    for place, one in enumerate(failing):
        for other in failing[place + 1 :]:
            if best is not None and len(one) + len(other) >= len(best[0]) + len(best[1]):
                break
            if known.get(one & other) is PASS:
                best = (one, other)
    return best


def _interfering(failing: list[Config], passing: list[Config], known: Mapping[Config, Outcome]) -> Two | None:
    """Two halves of the smallest set that has such halves."""
    for whole in failing:
        for one in passing:
            if one and len(one) < len(whole) and one <= whole and known.get(whole - one) is PASS:
                return min((one, whole - one), (whole - one, one), key=lambda pair: pair[0].bounds)
    return None
