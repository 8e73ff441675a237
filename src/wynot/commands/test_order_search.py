"""Which earlier tests make a test fail, or which ones it needs: each question in a fresh process."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wynot.core.artifact import Content, digest
from wynot.core.config import Config
from wynot.core.outcome import ANY, FAIL, PASS, Outcome
from wynot.core.run_events import Improved, PassStarted
from wynot.core.trial import Strategy
from wynot.domains.recordings.recorded_steps import EarlierTests
from wynot.engine.baseline.repeated_runs import raise_time_limit
from wynot.engine.driver import drive
from wynot.engine.executors.executor import ProgramExecutor
from wynot.engine.run_options import Options
from wynot.engine.session import Session, carrying, session
from wynot.oracles.script import ExitCodeOracle
from wynot.search.combinators import swap_outcomes
from wynot.search.lists.sweep import sweep

RUNS = 3
"""Runs of the test alone, and after the result, when the search is over."""


@dataclass(frozen=True, slots=True)
class TestOrderResult:
    """How a test depends on those before it."""

    kind: str
    """polluted: it passes alone and fails after `tests`. needs: it fails alone and passes after `tests`. alone: it
    fails whether they run or not. never: it does not fail again. unresolved: fresh processes fail otherwise.
    influenced: alone, or after `tests`, it does not always end alike."""
    victim: str
    tests: tuple[str, ...] = ()
    """The smallest set of earlier tests, in order."""
    earlier: int = 0
    """Of so many."""
    runs: int = 0
    wall: float = 0.0
    minimal: bool = False
    why: str = ""


def order(domain: EarlierTests, judge: ExitCodeOracle, options: Options, *, needed: bool = False) -> TestOrderResult:
    """Find the earlier tests that make one fail; or, `needed`, those without which it fails."""
    inputs: list[Content] = [domain.render(Config.full(len(domain)))]
    if judge.copy is not None:
        inputs.append(judge.copy)
    with session(
        "order", inputs, "order.json", domain.victim, judge, options, lasting=judge.copy is not None
    ) as opened:
        return _Ordering(opened, domain, needed=needed).run()


class _Ordering:
    def __init__(self, session: Session, domain: EarlierTests, *, needed: bool) -> None:
        self.session, self.tester, self.domain, self.needed = session, session.tester, domain, needed
        self.wanted = PASS if needed else FAIL
        self.best = Config.full(len(domain))
        self.why = ""

    def run(self) -> TestOrderResult:
        with carrying(lambda _status: self._result("needs" if self.needed else "polluted", minimal=False)):
            kind = self._ends()
            if kind is not None:
                return self._result(kind, minimal=False)
            self._search()
            if self._influenced():
                return self._result("influenced", minimal=False)
            return self._result("needs" if self.needed else "polluted", minimal=True)

    def _result(self, kind: str, *, minimal: bool) -> TestOrderResult:
        cost = self.session.cost()
        found = tuple(self.domain.names(self.best)) if kind in {"needs", "polluted"} else ()
        runs = cost.counts.tests + cost.counts.baseline + cost.counts.after
        return TestOrderResult(kind, self.domain.victim, found, len(self.domain), runs, cost.wall, minimal, self.why)

    def _ends(self) -> str | None:
        """Alone, and after all others: None if the order decides, as it should."""
        alone = self._probe(Config())
        if alone is (PASS if self.needed else FAIL):
            return "never" if self.needed else "alone"
        if not len(self.domain):
            return "never" if alone is PASS else "unresolved"
        after = self._probe(Config.full(len(self.domain)))
        if alone is (FAIL if self.needed else PASS) and after is self.wanted:
            return None
        if after is (FAIL if self.needed else PASS):
            return "alone" if self.needed else "never"
        return "unresolved"

    def _influenced(self) -> bool:
        """Whether the test, alone or after the result, no longer ends as in the search.

        Then outcomes depend on earlier processes, or on chance.
        """
        for config, outcome in ((Config(), FAIL if self.needed else PASS), (self.best, self.wanted)):
            candidate = self.domain.render(config)
            reports = self.tester.repeats(digest(candidate), candidate, len(candidate), RUNS)
            others = [report for report in reports if report.outcome is not outcome]
            if others:
                self.why = others[0].why
                return True
        return False

    def _probe(self, config: Config) -> Outcome:
        candidate = self.domain.render(config)
        executor = self.tester.executor
        if isinstance(executor, ProgramExecutor):
            executor.limit_to(executor.limits.looking())
        report = self.tester.probe(digest(candidate), candidate, len(candidate), ANY)
        self.why = report.why
        if isinstance(executor, ProgramExecutor) and config:
            executor.limit_to(replace(executor.limits, seconds=None).settled(report.seconds, executor.crowd))
        return report.outcome

    def _search(self) -> None:
        self.tester.listener(PassStarted("earlier tests", len(self.domain)))
        found = drive(self._strategy, self.domain, self.tester, self._keep)
        while raise_time_limit(self.tester):
            found = drive(self._strategy, self.domain, self.tester, self._keep)
        self.best = found.failing

    def _strategy(self) -> Strategy:
        searching = sweep(Config.full(len(self.domain)))
        return swap_outcomes(searching) if self.needed else searching

    def _keep(self, config: Config, outcome: Outcome) -> None:
        if outcome is self.wanted:
            self.best = config
            self.tester.listener(Improved(len(config)))
