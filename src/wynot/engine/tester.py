"""The tester: what is known, what it cost, and who is told. Drivers ask it; it asks the executor."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Generic

from wynot.core.config import Config
from wynot.core.outcome import ANY, FAIL, UNRESOLVED, Outcome
from wynot.core.run_events import UNATTENDED, Caution, Controls, Listener, Request, TrialAnswered, Working, silent
from wynot.core.text import counted
from wynot.engine.budget import Budget, TestCounts, UserRequests
from wynot.engine.executors.executor import USUAL, Executor, Key, Taken_contra, TestSettings
from wynot.engine.files.program_watch import ProgramWatch
from wynot.engine.journal import Journal
from wynot.engine.likelihood import Likelihood
from wynot.errors import WynotError
from wynot.oracles.protocol import Report

LONG = 0.015
"""While a test of so many seconds runs, there is time to do something else, though it may be in vain."""
NOTHING_TO_DO: Iterator[None] = iter(())
COMPARED = "compared"
"""The fact that holds the rate that candidates are compared with, if that is not the input's."""
PAUSE = 0.1
"""Seconds between two looks whether a pause is over."""


class Tester(Generic[Taken_contra]):
    """Outcomes by key: remembered, or found out at the executor."""

    def __init__(
        self,
        executor: Executor[Taken_contra],
        journal: Journal | None = None,
        budget: Budget | None = None,
        listener: Listener = silent,
        controls: Controls = UNATTENDED,
        *,
        heeding: bool = False,
    ) -> None:
        self.executor, self.journal, self.listener = executor, journal, listener
        self._controls, self.wishes = controls, UserRequests(controls)
        self.paused = 0.0
        """Seconds in which the user wished for nothing to begin."""
        self._heeding = heeding
        """Whether it is kept what unresolved tests print, and in which phase they come to nothing."""
        self._evidence = journal.evidence() if journal and heeding else {}
        self.budget = budget or Budget()
        self.program: ProgramWatch | None = None
        """The files that make up the test; nothing is kept after one of them changed."""
        self.printed = ""
        """What the latest look at the input has printed."""
        self.doubted: str | None = None
        """How it was seen that the failure is not steady, though it was taken for steady at first."""
        self.compared: tuple[float, int] | None = None
        """The rate of a result that fails less often than the input, and the runs that gave it."""
        known = journal.fact(COMPARED) if journal is not None else None
        if isinstance(known, list):
            self.compared = known[0], known[1]
        self._looking = False
        """Whether the baseline is observed: a test may write to a file that it names."""
        self.counts = TestCounts()
        self.odds = Likelihood()
        """How likely the outcomes of the tests to come are."""
        self.running: dict[Key, int] = {}
        self._failures: dict[Key, str] = {}
        """How tests of this process have failed, in words."""
        self._accepts: Callable[[str], bool] | None = None
        self._outcomes = journal.outcomes() if journal else {}
        self._remembered = frozenset(self._outcomes)
        """Whose outcomes an earlier process has found."""
        self.raised: dict[Key, BaseException] = {}
        """Tests that raised; only a search that needs their outcome has to hear of it."""
        self._fresh: set[Key] = set()
        self.recalled: tuple[Key, Callable[[], Taken_contra], int] | None = None
        """The latest candidate that did not fail, as was known without a test."""
        self._warned = False
        self.long = False
        """Whether the latest test has taken long."""
        self._looked: dict[Key, Report | None] = {}
        """The looks under way, and their reports, whoever has taken them in: a pause does, too."""
        self.later = NOTHING_TO_DO
        """What will be needed in the end: while a long test runs, one more step of it is done."""
        self.slowest = 0.0
        """Seconds of the slowest test that was asked for and failed. What only ran ahead does not count: the same for
        any number of jobs."""
        self._took: dict[Key, float] = {}
        """How long the failing tests took..."""
        self._cut: dict[Key, float] = {}
        """...and those that the time limit ended."""
        for key, report in journal.times() if journal is not None and self._outcomes else ():
            self._clock(key, report)

    @property
    def jobs(self) -> int:
        """How many tests may be under way at once."""
        return self.executor.jobs

    @property
    def spare(self) -> bool:
        """Whether there are processors with nothing to do; False where an executor cannot tell."""
        return bool(getattr(self.executor, "spare", False))

    def failure(self, key: Key) -> str:
        """How a failing test has failed, in words; nothing where that is not known."""
        said = self._failures.get(key)
        if said is None and self.journal is not None and key in self._outcomes:
            report = self.journal.report(key)
            said = report.why if report is not None and report.outcome is FAIL else None
        return said or ""

    def accept_only(self, accepts: Callable[[str], bool], but: Key) -> None:
        """From now on a test fails only if what it says of its failure is accepted: others are unresolved.

        `but`: the test that fails in any case. What was known is judged again; the journal keeps outcomes as they were.
        """
        self._accepts = accepts
        known = {**(self.journal.failures() if self.journal is not None else {}), **self._failures}
        for key, outcome in self._outcomes.items():
            if outcome is FAIL and key != but and not accepts(known.get(key, "")):
                self._outcomes[key] = UNRESOLVED

    def _judge(self, key: Key, report: Report) -> None:
        """Take an outcome in; a failure that is not accepted is unresolved."""
        if report.outcome is FAIL:
            self._failures[key] = report.why
            if self._accepts is not None and not self._accepts(report.why):
                report = replace(report, outcome=UNRESOLVED)
                if key in self._looked:
                    self._looked[key] = report
        self._outcomes[key] = report.outcome
        self._clock(key, report)

    def recall(self, key: Key, make: Callable[[], Taken_contra], size: int) -> None:
        """Remember the candidate if its outcome was known and is no failure."""
        outcome = self._outcomes.get(key)
        if outcome is not None and outcome is not FAIL and key not in self._fresh:
            self.recalled = key, make, size

    def remembers(self, key: Key) -> bool:
        """Whether an earlier process has found this outcome."""
        return key in self._remembered

    def known(self, key: Key) -> Outcome | None:
        """The outcome, if it is known already."""
        return self._outcomes.get(key)

    def evidence(self, key: Key) -> str:
        """What an unresolved test printed; nothing where that is not kept."""
        return self._evidence.get(key, ("", ""))[1]

    def phase(self, key: Key) -> str:
        """The phase in which a test was unresolved; nothing where that is not kept."""
        return self._evidence.get(key, ("", ""))[0]

    def met(self, phase: str) -> bool:
        """Whether a test was unresolved in this phase; False where that is not kept."""
        return any(each == phase for each, _ in self._evidence.values())

    def learn(self, key: Key, outcome: Outcome) -> None:
        """Take an outcome for known without a test (an axiom of the search)."""
        self._outcomes.setdefault(key, outcome)

    def overrule(self, key: Key, report: Report, size: int) -> None:
        """Take this for the outcome from now on, whatever was known."""
        self._outcomes[key] = report.outcome
        self._clock(key, report)
        if self.journal is not None:
            self.journal.put(key, report, size)

    def forget_outcomes(self) -> None:
        """Forget all outcomes: those of another failure, or of single runs where the failure is not steady."""
        for known in (self._outcomes, self._took, self._cut, self._evidence, self.raised):
            known.clear()
        self._fresh.clear()
        self._remembered = frozenset()
        self._accepts = self.compared = None

    def compare_with(self, rate: float, runs: int, largest: int | None) -> None:
        """Compare candidates with this rate from now on: those that did not fail, at most this large, are tested again.

        What larger ones showed only leads to the result.
        """
        self.compared = rate, runs
        self.doubted = self.doubted or "the result does not fail each time"
        if self.journal is None:
            passed = [key for key, outcome in self._outcomes.items() if outcome is not FAIL]
        else:
            self.journal.state(COMPARED, self.compared)
            passed = self.journal.forget_passed(largest)
        for key in passed:
            self._outcomes.pop(key, None)
            self._evidence.pop(key, None)

    def _clock(self, key: Key, report: Report) -> None:
        """Remember the times that matter."""
        self._cut.pop(key, None)
        if report.outcome is FAIL:
            self._took[key] = 0.0 if report.cut else report.seconds  # how long it would take nobody knows
        elif report.cut:
            self._cut[key] = report.seconds

    def forget_time_outs(self, limit: float | None) -> int:
        """A time-out is not trusted once the limit has grown: gives how many there were."""
        grown = [key for key, seconds in self._cut.items() if limit is None or seconds < limit]
        for key in grown:
            del self._cut[key], self._outcomes[key]
        return len(grown)

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
            self.budget.begun += rested

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
        """Take in the outcomes of the tests that end within so many seconds: journal first, then memory."""
        with self.forgetting():
            done = self.executor.wait(patience)
        if done and self.program is not None:
            (self.program.look if self._looking else self.program.check)()
        for key, report in done:
            size = self.running.pop(key)
            if key in self._looked:
                self._looked[key] = report
            if report.error is not None:
                self.raised[key] = report.error
                continue
            if report.kills:
                self.counts.killed_outside += report.killed
                self.counts.repeated += not report.killed
            if self._heeding and report.outcome is UNRESOLVED:
                self._evidence[key] = report.phase, report.evidence.encode(errors="replace").decode()
            if self.journal is not None and not report.killed:
                self.journal.put(key, report, size, heeding=self._heeding)
                self._warn_if_broken(self.journal)
            self._judge(key, report)
            self.long = report.seconds >= LONG
            self._fresh.add(key)
            self.counts.tests += 1
        if done:
            self._tell()

    @contextmanager
    def forgetting(self) -> Iterator[None]:
        """If a file of the user's has changed unnoticed, the journal does not keep what was tested since then."""
        try:
            yield
        except WynotError as error:
            if error.since is not None and self.journal is not None:
                self.journal.forget_since(error.since)
            raise

    def warn_of_kills(self) -> None:
        """Report the tests that something other than wynot killed."""
        unresolved, repeated = self.counts.killed_outside, self.counts.repeated
        if not unresolved + repeated:
            return
        advice = "run fewer at once: -j 1" if self.jobs > 1 else "give it more memory, or raise the script's limits"
        parts = [
            f"{counted(unresolved, 'test')} killed each time, unresolved" if unresolved else "",
            f"{counted(repeated, 'test')} killed once and repeated" if repeated else "",
        ]
        what = "; ".join(filter(None, parts))
        self.listener(Caution(f"killed from outside (SIGKILL; out of memory?): {what}; {advice}"))

    def _warn_if_broken(self, journal: Journal) -> None:
        if journal.broken and not self._warned:
            self._warned = True
            self.listener(Caution(f"the journal cannot be written ({journal.broken}); this run cannot be resumed"))

    def probe(
        self, key: Key, candidate: Taken_contra, size: int, expected: frozenset[Outcome] = ANY,
        meanwhile: Iterator[None] = NOTHING_TO_DO, settings: TestSettings = USUAL,
    ) -> Report:  # fmt: skip
        """A test before the search, with its report. What the journal knows is believed if it is as `expected`.

        While it runs, steps of `meanwhile` are done, one at least.
        """
        known = self.journal.report(key) if self.journal is not None and key in self._outcomes else None
        if known is not None and known.outcome in expected:
            return known
        return self.looks(key, candidate, size, 1, meanwhile, settings)[0]

    def repeats(
        self, key: Key, candidate: Taken_contra, size: int, many: int, settings: TestSettings = USUAL
    ) -> list[Report]:  # fmt: skip
        """Runs of a result whose outcome is known; they change nothing of what is known."""
        before, again = self.journal, b"again" + key
        self.journal = None
        try:
            return self.looks(again, candidate, size, many, settings=settings)
        finally:
            self.journal = before
            for known in (self._outcomes, self._failures, self._evidence, self._took, self._cut, self.raised):
                for name in [name for name in known if name.startswith(again)]:
                    del known[name]
            self.counts.baseline -= many
            self.counts.after += many

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
        self._fresh.difference_update(names)
        for name in names[1:]:  # what they have in common is known by the first
            self._cut.pop(name, None)
        self.counts.tests -= many
        self.counts.baseline += many
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
            self.counts.killed += 1

    def answered(self, key: Key, outcome: Outcome, size: int, config: Config | None = None) -> None:
        """The search is given this outcome."""
        fresh = key in self._fresh
        if fresh:
            self.budget.check_tests(self.counts.needed)
            self._fresh.discard(key)
            self.counts.needed += 1
            if key in self._evidence:
                phase = self._evidence[key][0]
                self.counts.phases[phase] = self.counts.phases.get(phase, 0) + 1
        else:
            self.counts.cached += 1
        self.counts.outcomes[outcome] += 1
        if outcome is FAIL:
            self.slowest = max(self.slowest, self._took.get(key, 0.0))
        self.listener(TrialAnswered(outcome, size, not fresh, config))

    def test(
        self, key: Key, candidate: Taken_contra, size: int, config: Config | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> Outcome:  # fmt: skip
        """The outcome, from memory or by a test run now; `meanwhile` is done while it runs."""
        outcome = self.known(key)
        if outcome is None:
            self.budget.check_tests(self.counts.needed)
            self.start(key, candidate, size)
            if meanwhile is not None:
                meanwhile()
            while (outcome := self.known(key)) is None:
                self.collect()
                if key in self.raised:
                    raise self.raised[key]
        self.answered(key, outcome, size, config)
        return outcome
