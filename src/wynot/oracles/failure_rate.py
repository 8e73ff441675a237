"""Failures that show only sometimes: outcomes by sequential statistics.

An outcome is a rejected hypothesis, not an estimate (Wald; Ville's inequality for likelihood ratios):

- PASS: "it fails as often as the original, or more often" is rejected. The chance that this is wrong is at most 1 %:
  a part whose removal passes lowers the failure rate, with that error. A result may fail less often than the original:
  then candidates are compared with the result instead (engine/baseline/result_checks.py).
- FAIL: "it fails half as often as the original, or less" is rejected, with an error of at most 5 %. Results are
  looked at once more, with 1 %.

Runs are added until one of the two is rejected. Both are tested against a mixture of two alternatives: a candidate that
never fails is decided after few runs. One whose rate is between the two may get either outcome; if nothing is rejected
after many runs, the observed rate decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, replace
from math import exp, inf, log, sqrt
from typing import Self

from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, FAIL_ERROR, PASS, PASS_ERROR, UNRESOLVED, Outcome
from wynot.oracles.protocol import Examination, Invocation, ProcessExit, Report, Wrapper

MAX_EXPECTED_FAILURES = 100
"""No more runs are made for one outcome than the original needs to fail this often."""
DEVIATIONS = 1.5
"""The original's rate is known by a sample only. Its lower limit, by this many standard deviations, is what PASS is
tested against; tests/oracles/test_steady.py measures that the error stays below PASS_ERROR."""
FLOOR = 0.5
"""The part of the original's rate below which a candidate does not show the failure often enough."""
HIGHEST = 0.98
"""A higher rate is treated as this one."""


def lower_limit(rate: float, runs: int) -> float:
    """A rate that the real one is hardly below, by Wilson's interval.

    >>> round(lower_limit(0.3, 100), 2), round(lower_limit(0.3, 1000), 2)
    (0.24, 0.28)
    """
    square = DEVIATIONS**2 / runs
    spread = DEVIATIONS * sqrt(rate * (1 - rate) / runs + square / (4 * runs))
    return (rate + square / 2 - spread) / (1 + square)


class LikelihoodRatio:
    """The likelihood of the runs so far under two alternatives, compared with a hypothesis about the failure rate."""

    def __init__(self, hypothesis: float, alternatives: tuple[float, float], error: float) -> None:
        self._weights = [(_log(rate) - log(hypothesis), _log(1 - rate) - log(1 - hypothesis)) for rate in alternatives]
        self._sums = [0.0, 0.0]
        self._limit = len(alternatives) / error

    def add(self, *, failed: bool) -> bool:
        """Add a run; whether the hypothesis is rejected now."""
        self._sums = [
            sum_ + weights[0 if failed else 1] for sum_, weights in zip(self._sums, self._weights, strict=True)
        ]
        return sum(exp(min(sum_, 50.0)) for sum_ in self._sums) >= self._limit


def _log(value: float) -> float:
    return log(value) if value > 0 else -inf


@dataclass(frozen=True, slots=True)
class RepeatedOracle(Wrapper):
    """An oracle whose failure shows at a certain rate, asked until the answer is clear."""

    rate: float
    """How often the original fails..."""
    runs: int = 30
    """...in this many runs."""
    closer: int = 1
    """By how many times smaller the errors are."""
    of_result: tuple[float, int] | None = None
    """The rate of a result that fails less often, and the runs that gave it: candidates are compared with this one."""

    @property
    def compared(self) -> float:
        """The rate that candidates are compared with."""
        return self.rate if self.of_result is None else self.of_result[0]

    @property
    def reference(self) -> float:
        """Its lower limit."""
        return lower_limit(min(self.compared, HIGHEST), self.runs if self.of_result is None else self.of_result[1])

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run again and again until it is clear."""
        reference, floor = self.reference, FLOOR * min(self.compared, HIGHEST)
        less_often = LikelihoodRatio(reference, (0.0, reference / 2), PASS_ERROR / self.closer)
        often_enough = LikelihoodRatio(floor, (max(reference, floor), (1 + reference) / 2), FAIL_ERROR / self.closer)
        seen: Counter[Outcome] = Counter()
        seconds = 0.0
        phase = evidence = ""
        passed = failed = False
        while not (passed or failed) and seen.total() < MAX_EXPECTED_FAILURES / reference:
            report = yield from self.inner.examine(artifact, folder)
            seen[report.outcome] += 1
            seconds += report.seconds
            if report.outcome is UNRESOLVED:
                phase, evidence = report.phase, report.evidence
            shows = report.outcome is FAIL
            passed, failed = less_often.add(failed=shows), often_enough.add(failed=shows)
        runs = seen.total()
        why = f"failed in {seen[FAIL]} of {runs} runs"
        if not passed and not failed:
            passed = seen[FAIL] / runs < (reference + floor) / 2
        if not passed:
            return Report(FAIL, why, seconds / runs)
        if seen[PASS] > seen[UNRESOLVED]:
            return Report(PASS, why, seconds / runs)
        return Report(UNRESOLVED, why, seconds / runs, phase=phase, evidence=evidence)

    def stricter(self) -> Self:
        """For a second look at a result."""
        return replace(self, closer=5)

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
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
