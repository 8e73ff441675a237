"""Which earlier tests make a test fail, or which ones it needs: each question in a fresh process."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wynot.core.artifact import Content, digest
from wynot.core.config import Config
from wynot.core.events import Improved, Stage
from wynot.core.outcome import ANY, FAIL, PASS, Outcome
from wynot.core.trial import Strategy
from wynot.domains.order import Order
from wynot.oracles.judge import Judge
from wynot.run.drive import drive
from wynot.run.options import Options
from wynot.run.patience import grown
from wynot.run.programs import ProgramBench
from wynot.run.session import Session, carrying, session
from wynot.search.mirror import mirrored
from wynot.search.sweep import sweep

RUNS = 3
"""Runs of the test alone, and after the result, when the search is over."""


@dataclass(frozen=True, slots=True)
class Ordered:
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


def order(domain: Order, judge: Judge, options: Options, *, needed: bool = False) -> Ordered:
    """Find the earlier tests that make one fail; or, `needed`, those without which it fails."""
    inputs: list[Content] = [domain.render(Config.full(len(domain)))]
    if judge.copy is not None:
        inputs.append(judge.copy)
    with session(
        "order", inputs, "order.json", domain.victim, judge, options, lasting=judge.copy is not None
    ) as opened:
        return _Ordering(opened, domain, needed=needed).run()


class _Ordering:
    def __init__(self, session: Session, domain: Order, *, needed: bool) -> None:
        self.session, self.lab, self.domain, self.needed = session, session.lab, domain, needed
        self.wanted = PASS if needed else FAIL
        self.best = Config.full(len(domain))
        self.why = ""

    def run(self) -> Ordered:
        with carrying(lambda _status: self._result("needs" if self.needed else "polluted", minimal=False)):
            kind = self._ends()
            if kind is not None:
                return self._result(kind, minimal=False)
            self._search()
            if self._influenced():
                return self._result("influenced", minimal=False)
            return self._result("needs" if self.needed else "polluted", minimal=True)

    def _result(self, kind: str, *, minimal: bool) -> Ordered:
        cost = self.session.cost()
        found = tuple(self.domain.names(self.best)) if kind in {"needs", "polluted"} else ()
        runs = cost.counts.tests + cost.counts.baseline + cost.counts.after
        return Ordered(kind, self.domain.victim, found, len(self.domain), runs, cost.wall, minimal, self.why)

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
            reports = self.lab.repeats(digest(candidate), candidate, len(candidate), RUNS)
            others = [report for report in reports if report.outcome is not outcome]
            if others:
                self.why = others[0].why
                return True
        return False

    def _probe(self, config: Config) -> Outcome:
        candidate = self.domain.render(config)
        bench = self.lab.bench
        if isinstance(bench, ProgramBench) and bench.limits.seconds is None:
            bench.limits = replace(bench.limits, seconds=bench.limits.first)
        report = self.lab.probe(digest(candidate), candidate, len(candidate), ANY)
        self.why = report.why
        if isinstance(bench, ProgramBench) and config:
            bench.limits = replace(bench.limits, seconds=None).settled(report.seconds, bench.crowd)
        return report.outcome

    def _search(self) -> None:
        self.lab.listener(Stage("earlier tests", len(self.domain)))
        found = drive(self._strategy, self.domain, self.lab, self._keep)
        while grown(self.lab):
            found = drive(self._strategy, self.domain, self.lab, self._keep)
        self.best = found.failing

    def _strategy(self) -> Strategy:
        searching = sweep(Config.full(len(self.domain)))
        return mirrored(searching) if self.needed else searching

    def _keep(self, config: Config, outcome: Outcome) -> None:
        if outcome is self.wanted:
            self.best = config
            self.lab.listener(Improved(len(config)))
