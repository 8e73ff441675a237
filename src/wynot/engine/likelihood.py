"""How likely an outcome is: guessed from how much would go, and from what became of such steps before.

A step that takes half of a failing text away seldom works, one that takes a hundredth away often does; and what has
just worked, or not, tells about what comes next. So outcomes are counted by the magnitude of their steps, neighbouring
magnitudes tell a little about each other, and old outcomes are forgotten. A guess only decides what is run early.
"""

from __future__ import annotations

from math import log2

from wynot.core.outcome import FAIL, Outcome

MEMORY = 0.93
"""What an outcome still counts for after the next one."""
NEAR = 0.3
"""What it tells about steps that are twice or half as large; three tenths of that about the next ones."""
MOST = 1e9
SLIGHTEST = 12
"""Magnitudes: 0 is a step of the whole text, 1 of half of it; those of less than 1/4096 are all the same."""
AT_FIRST = (0.1, 0.1, 0.15, 0.2, 0.3, 0.5)
"""How likely a failure is when nothing has been seen yet, by the magnitude of the step."""
HABIT = 0.9
"""What is usual for steps of one magnitude follows their own outcomes, however long ago..."""
WEIGHT = 0.4
"""...and counts for less than one new outcome: where nothing ever works, many workers must not hope for long."""


_NEARBY = {far: NEAR ** abs(far) for far in range(-SLIGHTEST, SLIGHTEST + 1)}


class Likelihood:
    """Counts outcomes by the magnitudes of their steps."""

    def __init__(self) -> None:
        self._seen: list[dict[Outcome, float]] = [{} for _ in range(SLIGHTEST + 1)]
        self._usual = [_at_first(step) for step in range(SLIGHTEST + 1)]
        self._known: dict[int, dict[Outcome, float]] = {}
        self._weight = 1.0
        """What the latest outcome counts for: instead of all others less, the next one counts for more."""
        self.size = 0
        """That of the latest artifact that the search went on with; 0: none is known."""

    def go_on_from(self, size: int) -> None:
        """The search goes on with an artifact of this size."""
        self.size = size

    def learn(self, step: int, outcome: Outcome) -> None:
        """Take an outcome in."""
        self._weight /= MEMORY
        seen = self._seen[step]
        seen[outcome] = seen.get(outcome, 0.0) + self._weight
        usual = self._usual[step]
        for each, share in usual.items():
            usual[each] = HABIT * share + (1 - HABIT) * (each is outcome)
        self._known.clear()
        if self._weight > MOST:
            self._seen = [{each: share / self._weight for each, share in seen.items()} for seen in self._seen]
            self._weight = 1.0

    def of(self, step: int) -> dict[Outcome, float]:
        """How likely each outcome is; none is impossible."""
        if step not in self._known:
            self._known[step] = self._shares(step)
        return self._known[step]

    def _shares(self, step: int) -> dict[Outcome, float]:
        near = [(_NEARBY[step - magnitude], seen) for magnitude, seen in enumerate(self._seen) if seen]
        shares = {
            each: WEIGHT * self._weight * usual + sum(weight * seen.get(each, 0.0) for weight, seen in near)
            for each, usual in self._usual[step].items()
        }
        total = sum(shares.values())
        return {each: 0.01 + 0.97 * share / total for each, share in shares.items()}


def _at_first(step: int) -> dict[Outcome, float]:
    fails = AT_FIRST[min(step, len(AT_FIRST) - 1)]
    return {each: fails if each is FAIL else (1 - fails) / 2 for each in Outcome}


def magnitude(before: int, after: int) -> int:
    """How large the step from one size to another is.

    >>> magnitude(1000, 0), magnitude(1000, 500), magnitude(1000, 990), magnitude(1000, 1000)
    (0, 1, 7, 10)
    """
    if before <= 0:
        return 1
    return min(max(round(-log2(max(abs(before - after), 1) / before)), 0), SLIGHTEST)
