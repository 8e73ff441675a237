"""The tester: runs tests at an executor, within a budget, and answers a search. Drivers ask it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic

from wynot.core.config import Config
from wynot.core.outcome import ANY, FAIL, Outcome
from wynot.core.run_events import (
    UNATTENDED,
    Caution,
    Controls,
    Event,
    Listener,
    Request,
    TrialAnswered,
    Working,
    silent,
)
from wynot.engine.budget import Budget, TestCounts, UserRequests
from wynot.engine.executors.executor import USUAL, Executor, Key, Taken_contra, TestSettings
from wynot.engine.files.program_watch import ProgramWatch
from wynot.engine.journal import Journal
from wynot.engine.likelihood import Likelihood
from wynot.engine.outcome_cache import OutcomeCache
from wynot.oracles.protocol import Report

LONG = 0.015
"""While a test of so many seconds runs, there is time to do something else, though the work may turn out useless."""
NOTHING_TO_DO: Iterator[None] = iter(())
PAUSE = 0.1
"""Seconds between two looks whether a pause is over."""


class Tester(Generic[Taken_contra]):
    """Finds out outcomes: in the cache, or by tests.

    `program`: the files that make up the test; nothing is kept after one of them changed.
    `heeding`: whether the cache keeps what unresolved tests print.
    """

    def __init__(
        self,
        executor: Executor[Taken_contra],
        journal: Journal | None = None,
        budget: Budget | None = None,
        listener: Listener = silent,
        controls: Controls = UNATTENDED,
        *,
        heeding: bool = False,
        program: ProgramWatch | None = None,
        counts: TestCounts | None = None,
    ) -> None:
        self.executor, self.listener, self._controls = executor, listener, controls
        self.outcomes = OutcomeCache[Taken_contra](journal, heeding=heeding)
        self.counts, self.budget = counts or TestCounts(), budget or Budget()
        self.wishes, self.program = UserRequests(controls), program
        self.paused = 0.0
        """Seconds in which the user wished for nothing to begin."""
        self.printed = ""
        """What the latest look at the input has printed."""
        self._looking = False
        """Whether the baseline is observed: a test may write to a file that it names."""
        self.odds = Likelihood()
        """How likely the outcomes of the tests to come are."""
        self.running: dict[Key, int] = {}
        self._warned = False
        self.long = False
        """Whether the latest test has taken long."""
        self._looked: dict[Key, Report | None] = {}
        """The looks under way, and their reports, whoever has taken them in: a pause does, too."""
        self._later = NOTHING_TO_DO
        self.slowest = 0.0
        """Seconds of the slowest test that was asked for and failed. What only ran ahead does not count: the same for
        any number of jobs."""

    @property
    def journal(self) -> Journal | None:
        """Keeps what is found out; None: nothing does."""
        return self.outcomes.journal

    @property
    def jobs(self) -> int:
        """How many tests may be under way at once."""
        return self.executor.jobs

    @property
    def spare(self) -> bool:
        """Whether there are processors with nothing to do; False where an executor cannot tell."""
        return bool(getattr(self.executor, "spare", False))

    def remember_printed(self, printed: str) -> None:
        """This is what the input prints."""
        self.printed = printed

    def do_later(self, steps: Iterator[None]) -> None:
        """Steps that will be needed in the end: while a long test runs, one more of them is done."""
        self._later = steps

    def step(self) -> None:
        """Do one more step of what will be needed in the end."""
        next(self._later, None)

    def lift_budget(self) -> None:
        """The search is over: what follows may cost what it takes."""
        self.budget = Budget()

    @contextmanager
    def without_budget(self) -> Iterator[None]:
        """The search is over: what is done in here may cost what it takes."""
        budget = self.budget
        self.lift_budget()
        try:
            yield
        finally:
            self.budget = budget

    @contextmanager
    def telling(self, hear: Listener) -> Iterator[None]:
        """Tell somebody else of events meanwhile, before the listener."""
        listener = self.listener

        def tell_both(event: Event) -> None:
            hear(event)
            listener(event)

        self.listener = tell_both
        try:
            yield
        finally:
            self.listener = listener

    def go_on_at(self, executor: Executor[Taken_contra]) -> None:
        """Run tests at another executor from now on; those of the one before have ended with it."""
        self.executor = executor
        self.running.clear()

    def start(self, key: Key, candidate: Taken_contra, size: int, settings: TestSettings = USUAL) -> None:
        """Begin a test, unless the user wishes otherwise."""
        if self.wishes.heed() is Request.PAUSE:
            self._rest()
        while self.executor.free <= 0:  # those that were killed have to die first
            self._take(self._controls.patience)
        self.running[key] = size
        self.executor.submit(key, candidate, settings)
        self._tell()

    def _rest(self) -> None:
        """Begin nothing until the user wishes to go on. It takes no time of the budget."""
        begun = time.perf_counter()
        try:
            while self.wishes.heed(0.0 if self.running else PAUSE) is Request.PAUSE:
                if self.running:
                    self._take(PAUSE)
        finally:
            rested = time.perf_counter() - begun
            self.paused += rested
            self.budget.extend(rested)

    def collect(self) -> None:
        """Wait for tests to end, for as long as the budget and the user let us, and take their outcomes in."""
        self.wishes.heed()
        self.budget.check_time()
        waits = [each for each in (self.budget.left(), self._controls.patience) if each is not None]
        self._take(min(waits, default=None))

    def _tell(self) -> None:
        counts = self.counts
        self._controls.busy(Working(len(self.running), self.executor.jobs, counts.tests, counts.predicted))

    def _take(self, patience: float | None) -> None:
        """Take in the outcomes of the tests that end within so many seconds."""
        with self.outcomes.forgetting():
            done = self.executor.wait(patience)
        if done and self.program is not None:
            (self.program.look if self._looking else self.program.check)()
        for key, ended in done:
            report = self.outcomes.put(key, ended, self.running.pop(key))
            if key in self._looked:
                self._looked[key] = report
            if report.error is not None:
                continue
            self._warn_if_broken()
            self.long = report.seconds >= LONG
            self.counts.add_test(report)
        if done:
            self._tell()

    def warn_of_kills(self) -> None:
        """Report the tests that something other than wynot killed."""
        if what := self.counts.kills:
            advice = "run fewer at once: -j 1" if self.jobs > 1 else "give it more memory, or raise the script's limits"
            self.listener(Caution(f"killed from outside (SIGKILL; out of memory?): {what}; {advice}"))

    def _warn_if_broken(self) -> None:
        journal = self.journal
        if journal is not None and journal.broken and not self._warned:
            self._warned = True
            self.listener(Caution(f"the journal cannot be written ({journal.broken}); this run cannot be resumed"))

    def probe(
        self, key: Key, candidate: Taken_contra, size: int, expected: frozenset[Outcome] = ANY,
        meanwhile: Iterator[None] = NOTHING_TO_DO, settings: TestSettings = USUAL,
    ) -> Report:  # fmt: skip
        """A test before the search, with its report. What the journal knows is believed if it is as `expected`.

        While it runs, steps of `meanwhile` are done, one at least.
        """
        known = self.outcomes.report(key)
        if known is not None and known.outcome in expected:
            return known
        return self.looks(key, candidate, size, 1, meanwhile, settings)[0]

    def repeats(
        self, key: Key, candidate: Taken_contra, size: int, many: int, settings: TestSettings = USUAL
    ) -> list[Report]:  # fmt: skip
        """Runs of a result whose outcome is known; they change nothing of what is known."""
        again = b"again" + key
        try:
            with self.outcomes.keeping_nothing(again):
                return self.looks(again, candidate, size, many, settings=settings)
        finally:
            self.counts.move_to_after(many)

    def looks(
        self, key: Key, candidate: Taken_contra, size: int, many: int, meanwhile: Iterator[None] = NOTHING_TO_DO,
        settings: TestSettings = USUAL,
    ) -> list[Report]:  # fmt: skip
        """So many tests of one candidate at once, whatever is known of it; all but the first have names of their own.

        While they run, steps of `meanwhile` are done, one at least.
        """
        names = [key, *(key + number.to_bytes(2) for number in range(1, many))]
        self._looked = dict.fromkeys(names)
        for name in names:
            self.start(name, candidate, size, settings)
        begun = time.perf_counter()
        for _step in meanwhile:
            self._take(0.0)
            if all(self._looked.values()):
                break
            self.long = self.long or time.perf_counter() - begun >= LONG
        while not all(self._looked.values()):
            self.collect()
        found = [report for report in self._looked.values() if report is not None]
        self._looked = {}
        for report in found:
            if report.error is not None:
                raise report.error
        self.outcomes.take(*names)
        self.outcomes.forget_time(*names[1:])  # what they have in common is known by the first
        self.counts.move_to_baseline(many)
        self._tell()
        return found

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Let files of the test change meanwhile: whoever asks for that puts them back."""
        program, self.program = self.program, None
        try:
            yield
        finally:
            self.program = program
            if program is not None:
                program.skip()

    @contextmanager
    def observing(self) -> Iterator[None]:
        """Observe the baseline: a file that each of its runs changes is written by the test, and not watched."""
        self._looking = True
        if self.program is not None:
            self.program.observe()
        try:
            yield
        finally:
            self._looking = False
            if self.program is not None:
                self.program.end_observation()
        if self.program is not None:
            self.program.settle()

    def kill_all_but(self, wanted: set[Key]) -> None:
        """Stop the tests whose outcome no longer matters."""
        for key in [k for k in self.running if k not in wanted]:
            self.executor.kill(key)
            del self.running[key]
            self.counts.add_killed()

    def answered(self, key: Key, outcome: Outcome, size: int, config: Config | None = None) -> None:
        """The search is given this outcome."""
        fresh = self.outcomes.is_fresh(key)
        if fresh:
            self.budget.check_tests(self.counts.needed)
            self.outcomes.take(key)
        self.counts.add_answer(outcome, self.outcomes.phase(key), fresh=fresh)
        if outcome is FAIL:
            self.slowest = max(self.slowest, self.outcomes.seconds(key))
        self.listener(TrialAnswered(outcome, size, not fresh, config))

    def test(
        self, key: Key, candidate: Taken_contra, size: int, config: Config | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> Outcome:  # fmt: skip
        """The outcome, from memory or by a test run now; `meanwhile` is done while it runs."""
        outcome = self.outcomes.known(key)
        if outcome is None:
            self.budget.check_tests(self.counts.needed)
            self.start(key, candidate, size)
            if meanwhile is not None:
                meanwhile()
            while (outcome := self.outcomes.known(key)) is None:
                self.collect()
                if error := self.outcomes.raised(key):
                    raise error
        self.answered(key, outcome, size, config)
        return outcome
