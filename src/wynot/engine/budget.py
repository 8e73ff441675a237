"""What a run has cost, and what it may cost."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from wynot.core.controls import Controls, Request
from wynot.core.outcome import Outcome
from wynot.core.plural import counted
from wynot.errors import BudgetEnded, Stopped


@dataclass(slots=True)
class TestCounts:
    """What a run has cost."""

    baseline: int = 0
    """Tests run before the search: the input itself, and the empty or passing one."""
    after: int = 0
    """Runs of the result after the search, to see whether the failure is steady."""
    tests: int = 0
    """Tests of the search, really run to their end."""
    needed: int = 0
    """Of these, the ones whose outcome the search asked for (fewer than `tests` when a pool ran ahead)."""
    cached: int = 0
    """Answers that needed no test: the outcome was known."""
    predicted: int = 0
    """Candidates that were not tested: it was known beforehand that they would be unresolved (no valid syntax)."""
    killed: int = 0
    """Tests stopped because their outcome no longer mattered."""
    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    """How often the search was given which outcome."""
    repeated: int = 0
    """Tests that something other than wynot killed, and whose repeat was not killed."""
    killed_outside: int = 0
    """Tests that were killed each time they were repeated: unresolved, and not in the journal."""
    phases: dict[str, int] = field(default_factory=dict)
    """Of the unresolved ones among `needed`: how many came to nothing in which phase, where that is heeded."""


@dataclass(slots=True)
class Budget:
    """How much a run may cost."""

    tests: int | None = None
    seconds: float | None = None
    begun: float = field(default_factory=time.perf_counter)

    def left(self) -> float | None:
        """Seconds left; None: as many as it takes."""
        return None if self.seconds is None else self.begun + self.seconds - time.perf_counter()

    def check_time(self) -> None:
        """End the run if the time is up."""
        left = self.left()
        if left is not None and left <= 0:
            raise BudgetEnded(f"the time budget of {self.seconds:g} s is used up")

    def check_tests(self, needed: int) -> None:
        """End the run if no further test may be used."""
        if self.tests is not None and needed >= self.tests:
            raise BudgetEnded(f"the budget of {counted(self.tests, 'test')} is used up")


def linger(budget: Budget, controls: Controls, seconds: float) -> None:
    """Let so many seconds pass before anything can be tested, unless the budget or the user ends the run."""
    budget.check_time()
    if controls.wish() is Request.STOP:
        raise Stopped("stopped before anything was tested")
    time.sleep(seconds)
