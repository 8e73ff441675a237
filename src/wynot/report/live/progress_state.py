"""How a run stands, as far as its events tell: numbers only, and nothing that is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from wynot.core.controls import Working
from wynot.core.outcome import Outcome
from wynot.core.run_events import Event, Improved, PassStarted, TrialAnswered, Visible

MOST = 2000
"""So many points of the curve are kept; when there are more, every other one goes."""


class SizePoint(NamedTuple):
    """A size, and when it was reached."""

    seconds: float
    size: int


@dataclass(slots=True)
class ProgressState:
    """What was heard so far. Times are seconds since the beginning."""

    size: int
    unit: str = "bytes"
    tests: int = 0
    """Tests that the search was given the outcome of."""
    cached: int = 0
    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    stage: PassStarted | None = None
    passes: int = 0
    """How many there were, with this one."""
    working: Working = field(default_factory=lambda: Working(0, 1, 0, 0))
    busy: int = 0
    """The most tests that ran at once since the last look: between two tests there is always a moment without one."""
    points: list[SizePoint] = field(default_factory=list)
    best: Callable[[], Visible] | None = None
    _earlier: tuple[int, int] = (0, 0)
    """Tests and predictions of the searches before this one."""

    def __post_init__(self) -> None:
        self.points.append(SizePoint(0.0, self.size))

    def take(self, event: Event, seconds: float) -> None:
        """Take an event in."""
        match event:
            case TrialAnswered():
                self.tests += not event.cached
                self.cached += event.cached
                self.outcomes[event.outcome] += 1
            case Improved():
                self.size, self.best = event.size, event.best
                self._mark(SizePoint(seconds, event.size))
            case PassStarted():
                self.stage = event
                self.passes += 1

    def work(self, working: Working) -> None:
        """Take in what is under way."""
        if working.tests < self.working.tests - 1:  # another search, with its own count; a look takes one back
            self._earlier = self.run, self.predicted
        self.working = working
        self.busy = max(self.busy, working.running)

    def _mark(self, point: SizePoint) -> None:
        if self.points[0].size == 0:  # it was not known at first
            self.points[0] = SizePoint(0.0, point.size)
        self.points.append(point)
        if len(self.points) > MOST:
            self.points = [self.points[0], *self.points[1:-1:2], self.points[-1]]

    def looked(self) -> None:
        """Somebody has looked at it."""
        self.busy = self.working.running

    @property
    def first(self) -> int:
        """The size in the beginning."""
        return self.points[0].size

    @property
    def run(self) -> int:
        """Tests run to their end, also those whose outcome is not asked for yet."""
        return self._earlier[0] + self.working.tests

    @property
    def predicted(self) -> int:
        """Candidates that needed no test, as they could not be valid."""
        return self._earlier[1] + self.working.predicted
