"""What ends a run early: a budget of tests or time, or the user's request."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from wynot.core.outcome import Outcome
from wynot.core.run_events import Controls, Request
from wynot.core.text import counted
from wynot.errors import BudgetEnded, Stopped
from wynot.oracles.protocol import Report

# What the user wishes while tests run, done: to stop, to skip a pass. A pause is for whoever begins tests to make.


class PassSkipped(Exception):  # noqa: N818 - a way out, not an error
    """The user does not wait for this pass; only raised where whoever runs it is prepared for that."""


class UserRequests:
    """Asks the user, and does what is wished for."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._skippable = False

    @contextmanager
    def skippable(self) -> Iterator[None]:
        """What is done in here may raise Skipped."""
        self._skippable = True
        try:
            yield
        finally:
            self._skippable = False

    def heed(self, wait: float = 0.0) -> Request:
        """Ask, and do what is wished for; a pause is only told."""
        wish = self._controls.wish(wait)
        if wish is Request.STOP:
            raise Stopped("stopped: this is the best so far")
        if wish is Request.SKIP and self._skippable:
            raise PassSkipped
        return wish


@dataclass(slots=True)
class TestCounts:
    """What a run has cost: the tests counted by their purpose."""

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

    def add_test(self, report: Report) -> None:
        """A test of the search has ended."""
        self.tests += 1
        self.killed_outside += bool(report.kills and report.killed)
        self.repeated += bool(report.kills and not report.killed)

    def add_baseline(self, many: int = 1) -> None:
        """Tests were run before the search, by another executor."""
        self.baseline += many

    def move_to_baseline(self, many: int) -> None:
        """The latest tests were none of the search, but before it."""
        self.tests -= many
        self.baseline += many

    def move_to_after(self, many: int) -> None:
        """The latest tests were not before the search, but after it."""
        self.baseline -= many
        self.after += many

    def add_answer(self, outcome: Outcome, phase: str | None, *, fresh: bool) -> None:
        """The search is given an outcome, of a test that was run for it or from the cache.

        `phase`: in which one it was unresolved, where that is heeded.
        """
        self.outcomes[outcome] += 1
        if not fresh:
            self.cached += 1
            return
        self.needed += 1
        if phase is not None:
            self.phases[phase] = self.phases.get(phase, 0) + 1

    def add_predicted(self) -> None:
        """A candidate is not tested: it would be unresolved."""
        self.predicted += 1

    def add_killed(self) -> None:
        """A test was stopped because its outcome no longer mattered."""
        self.killed += 1

    @property
    def kills(self) -> str:
        """The tests that something other than wynot killed, in words; nothing where there were none."""
        unresolved, repeated = self.killed_outside, self.repeated
        parts = [
            f"{counted(unresolved, 'test')} killed each time, unresolved" if unresolved else "",
            f"{counted(repeated, 'test')} killed once and repeated" if repeated else "",
        ]
        return "; ".join(filter(None, parts))


@dataclass(slots=True)
class Budget:
    """How much a run may cost."""

    tests: int | None = None
    seconds: float | None = None
    begun: float = field(default_factory=time.perf_counter)

    def left(self) -> float | None:
        """Seconds left; None: as many as it takes."""
        return None if self.seconds is None else self.begun + self.seconds - time.perf_counter()

    def extend(self, seconds: float) -> None:
        """Do not count so many seconds."""
        self.begun += seconds

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


# End a run at its time budget although no test is in progress: parsing or preparing a pass may take longer.
#
# Between tests the budget is checked anyway, so the alarm has a grace period. It raises BudgetEnded wherever the main
# thread is at work, as Ctrl-C raises KeyboardInterrupt.


GRACE = 0.5
"""Seconds after the end of the budget at which the alarm goes off."""


@contextmanager
def budget_alarm(budget: Budget) -> Iterator[None]:
    """End what is done in here when the time is up. Only in the main thread: others receive no signals."""
    if budget.seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def check(_number: int, _frame: object) -> None:
        left = budget.left()
        if left is not None and left > 0:  # the user paused the run in between
            signal.setitimer(signal.ITIMER_REAL, left + GRACE)
        else:
            budget.check_time()

    before = signal.signal(signal.SIGALRM, check)
    _armed.append(True)
    signal.setitimer(signal.ITIMER_REAL, max(budget.left() or 0.0, 0.0) + GRACE)
    try:
        yield
    finally:
        cancel_alarm()
        signal.signal(signal.SIGALRM, before)


def cancel_alarm() -> None:
    """Let what follows the end of a run take its time."""
    if _armed:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        _armed.clear()


_armed: list[bool] = []
"""Not empty: the timer of this process is ours."""
