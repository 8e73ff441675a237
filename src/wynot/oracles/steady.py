"""Failures that show only sometimes: outcomes by sequential statistics.

Wald's sequential probability ratio test decides between "it fails as often as the original" and "it fails half as
often, or less": runs are added until one of the two is so much likelier that the chance to be wrong is at most
`error`. A candidate that never fails is given up after a few runs; most of the runs go where it matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, replace
from math import log
from typing import Self

from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.oracles.words import Ended, Examination, Invocation, Report
from wynot.oracles.wrapping import Wrapping

MOST = 400
"""Runs for one outcome, at the most."""


@dataclass(frozen=True, slots=True)
class Steady(Wrapping):
    """An oracle whose failure shows at a certain rate, asked until the answer is clear."""

    rate: float
    """How often the original fails."""
    error: float = 0.05
    """How often an outcome may be wrong."""

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run again and again until it is clear."""
        often, seldom = min(self.rate, 0.98), min(self.rate, 0.98) / 2
        hit, miss = log(often / seldom), log((1 - often) / (1 - seldom))
        limit, sum_, seconds = log((1 - self.error) / self.error), 0.0, 0.0
        seen: Counter[Outcome] = Counter()
        phase = evidence = ""
        while abs(sum_) < limit and seen.total() < MOST:
            report = yield from self.inner.examine(artifact, folder)
            seen[report.outcome] += 1
            seconds += report.seconds
            if report.outcome is UNRESOLVED:
                phase, evidence = report.phase, report.evidence
            sum_ += hit if report.outcome is FAIL else miss
        runs = seen.total()
        why = f"failed in {seen[FAIL]} of {runs} runs"
        if sum_ >= limit:
            return Report(FAIL, why, seconds / runs)
        if seen[PASS] > seen[UNRESOLVED]:
            return Report(PASS, why, seconds / runs)
        return Report(UNRESOLVED, why, seconds / runs, phase=phase, evidence=evidence)

    def stricter(self) -> Self:
        """For a second look at a result."""
        return replace(self, error=self.error / 5)

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, Ended, tuple[Self, Report]]:
        """As the inner oracle observes."""
        learnt, report = yield from self.inner.observe(artifact, folder)
        return replace(self, inner=learnt), report

    def identity(self) -> str:
        """The inner oracle's."""
        return self.inner.identity()

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return f"{self.inner.looked_for()}, in about {self.rate:.0%} of the runs"

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return self.inner.by_hand(path)
