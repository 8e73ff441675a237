"""The outcome cache: what is known of the tests of a run, and the journal that keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Generic

from wynot.core.outcome import FAIL, UNRESOLVED, Outcome
from wynot.engine.executors.executor import Key, Taken_contra
from wynot.engine.journal import Journal
from wynot.errors import WynotError
from wynot.oracles.protocol import Report

COMPARED = "compared"
"""The fact that holds the rate that candidates are compared with, if that is not the input's."""


class OutcomeCache(Generic[Taken_contra]):
    """Outcomes by key, with what else is known of each test.

    `heeding`: whether it is kept what unresolved tests print, and in which phase they come to nothing.
    """

    def __init__(self, journal: Journal | None = None, *, heeding: bool = False) -> None:
        self._journal, self._heeding = journal, heeding
        self._outcomes = journal.outcomes() if journal else {}
        self._remembered = frozenset(self._outcomes)
        """Whose outcomes an earlier process has found."""
        self._evidence = journal.evidence() if journal and heeding else {}
        self._failures: dict[Key, str] = {}
        """How tests of this process have failed, in words."""
        self._accepts: Callable[[str], bool] | None = None
        self._raised: dict[Key, BaseException] = {}
        self._fresh: set[Key] = set()
        """Tests of this process whose outcome the search has not been given yet."""
        self._took: dict[Key, float] = {}
        """How long the failing tests took..."""
        self._cut: dict[Key, float] = {}
        """...and those that the time limit ended."""
        self.recalled: tuple[Key, Callable[[], Taken_contra], int] | None = None
        """The latest candidate that did not fail, as was known without a test."""
        self.doubted: str | None = None
        """How it was seen that the failure is not steady, though it was taken for steady at first."""
        known = journal.fact(COMPARED) if journal is not None else None
        self.compared: tuple[float, int] | None = (known[0], known[1]) if isinstance(known, list) else None
        """The rate of a result that fails less often than the input, and the runs that gave it."""
        for key, report in journal.times() if journal is not None and self._outcomes else ():
            self._clock(key, report)

    @property
    def journal(self) -> Journal | None:
        """Keeps what is found out; None: nothing does."""
        return self._journal

    def known(self, key: Key) -> Outcome | None:
        """The outcome, if it is known already."""
        return self._outcomes.get(key)

    def report(self, key: Key) -> Report | None:
        """What the journal knows of a test whose outcome holds."""
        return self._journal.report(key) if self._journal is not None and key in self._outcomes else None

    def failure(self, key: Key) -> str:
        """How a failing test has failed, in words; nothing where that is not known."""
        if (said := self._failures.get(key)) is None and (report := self.report(key)) is not None:
            said = report.why if report.outcome is FAIL else None
        return said or ""

    def remembers(self, key: Key) -> bool:
        """Whether an earlier process has found this outcome."""
        return key in self._remembered

    def is_fresh(self, key: Key) -> bool:
        """Whether this process has found the outcome, and the search has not been given it yet."""
        return key in self._fresh

    def evidence(self, key: Key) -> str:
        """What an unresolved test printed; nothing where that is not kept."""
        return self._evidence.get(key, ("", ""))[1]

    def phase(self, key: Key) -> str | None:
        """The phase in which a test was unresolved; None where that is not kept."""
        return self._evidence[key][0] if key in self._evidence else None

    def met(self, phase: str) -> bool:
        """Whether a test was unresolved in this phase; False where that is not kept."""
        return any(each == phase for each, _ in self._evidence.values())

    def seconds(self, key: Key) -> float:
        """How long a failing test took; 0 where nobody knows."""
        return self._took.get(key, 0.0)

    def raised(self, key: Key) -> BaseException | None:
        """What a test raised; only a search that needs its outcome has to hear of it."""
        return self._raised.get(key)

    def put(self, key: Key, report: Report, size: int) -> Report:
        """Take in how a test of this process has ended: journal first, then memory. Gives what counts."""
        if report.error is not None:
            self._raised[key] = report.error
            return report
        if self._heeding and report.outcome is UNRESOLVED:
            self._evidence[key] = report.phase, report.evidence.encode(errors="replace").decode()
        if self._journal is not None and not report.killed:
            self._journal.put(key, report, size, heeding=self._heeding)
        if report.outcome is FAIL:
            self._failures[key] = report.why
            if self._accepts is not None and not self._accepts(report.why):
                report = replace(report, outcome=UNRESOLVED)
        self._outcomes[key] = report.outcome
        self._clock(key, report)
        self._fresh.add(key)
        return report

    def take(self, *keys: Key) -> None:
        """The outcomes of these tests have been given to whoever asked for them."""
        self._fresh.difference_update(keys)

    def recall(self, key: Key, make: Callable[[], Taken_contra], size: int) -> None:
        """Remember the candidate if its outcome was known and is no failure."""
        outcome = self._outcomes.get(key)
        if outcome is not None and outcome is not FAIL and key not in self._fresh:
            self.recalled = key, make, size

    def overrule(self, key: Key, report: Report, size: int) -> None:
        """Take this for the outcome from now on, whatever was known."""
        self._outcomes[key] = report.outcome
        self._clock(key, report)
        if self._journal is not None:
            self._journal.put(key, report, size)

    def accept_only(self, accepts: Callable[[str], bool], but: Key) -> None:
        """From now on a test fails only if what it says of its failure is accepted: others are unresolved.

        `but`: the test that fails in any case. What was known is judged again; the journal keeps outcomes as they were.
        """
        self._accepts = accepts
        known = {**(self._journal.failures() if self._journal is not None else {}), **self._failures}
        for key, outcome in self._outcomes.items():
            if outcome is FAIL and key != but and not accepts(known.get(key, "")):
                self._outcomes[key] = UNRESOLVED

    def doubt(self, why: str) -> None:
        """The failure is not steady, as this shows."""
        self.doubted = why

    def compare_with(self, rate: float, runs: int, largest: int | None) -> None:
        """Compare candidates with this rate from now on: those that did not fail, at most this large, are tested again.

        What larger ones showed only leads to the result.
        """
        self.compared = rate, runs
        self.doubted = self.doubted or "the result does not fail each time"
        if self._journal is None:
            passed = [key for key, outcome in self._outcomes.items() if outcome is not FAIL]
        else:
            self._journal.state(COMPARED, self.compared)
            passed = self._journal.forget_passed(largest)
        for key in passed:
            self._outcomes.pop(key, None)
            self._evidence.pop(key, None)

    def forget(self) -> None:
        """Forget all outcomes: those of another failure, or of single runs where the failure is not steady."""
        for known in (self._outcomes, self._took, self._cut, self._evidence, self._raised):
            known.clear()
        self._fresh.clear()
        self._remembered = frozenset()
        self._accepts = self.compared = None

    def forget_time_outs(self, limit: float | None) -> int:
        """A time-out is not trusted once the limit has grown: gives how many there were."""
        grown = [key for key, seconds in self._cut.items() if limit is None or seconds < limit]
        for key in grown:
            del self._cut[key], self._outcomes[key]
        return len(grown)

    def forget_time(self, *keys: Key) -> None:
        """Do not count these among the tests that the time limit ended."""
        for key in keys:
            self._cut.pop(key, None)

    @contextmanager
    def forgetting(self) -> Iterator[None]:
        """If a file of the user's has changed unnoticed, the journal does not keep what was tested since then."""
        try:
            yield
        except WynotError as error:
            if error.since is not None and self._journal is not None:
                self._journal.forget_since(error.since)
            raise

    @contextmanager
    def keeping_nothing(self, prefix: Key) -> Iterator[None]:
        """Write nothing to the journal meanwhile; in the end, forget the tests whose keys begin like this."""
        journal, self._journal = self._journal, None
        try:
            yield
        finally:
            self._journal = journal
            for known in (self._outcomes, self._failures, self._evidence, self._took, self._cut, self._raised):
                for key in [key for key in known if key.startswith(prefix)]:
                    del known[key]

    def leave_journal(self) -> None:
        """Read and write the journal no more."""
        self._journal = None

    def _clock(self, key: Key, report: Report) -> None:
        """Remember the times that matter."""
        self._cut.pop(key, None)
        if report.outcome is FAIL:
            self._took[key] = 0.0 if report.cut else report.seconds  # how long it would take nobody knows
        elif report.cut:
            self._cut[key] = report.seconds
