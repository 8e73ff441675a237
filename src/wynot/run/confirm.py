"""A second look at results whose failure shows only sometimes."""

from __future__ import annotations

from wynot.core.artifact import AnyContent, digest, size
from wynot.core.events import Said
from wynot.core.outcome import FAIL, NOTHING, UNRESOLVED
from wynot.oracles.steady import Steady
from wynot.oracles.words import Report
from wynot.run.lab import Lab
from wynot.run.processes import ProcessBench


def confirmed(lab: Lab[AnyContent], candidate: AnyContent) -> bool:
    """Whether a result still fails when looked at more closely.

    If not, it was taken for failing by mistake: from now on it is unresolved, and the search has to go another way.
    Failures that are steady need no second look.
    """
    bench = lab.bench
    if not isinstance(bench, ProcessBench) or not isinstance(bench.oracle, Steady):
        return True
    bench.examiner = bench.oracle.stricter()
    report = lab.probe(digest(candidate), candidate, size(candidate), NOTHING)
    bench.examiner = None
    if report.outcome is FAIL:
        return True
    lab.overrule(digest(candidate), Report(UNRESOLVED, report.why, report.seconds), size(candidate))
    lab.listener(Said(f"a result of {size(candidate)} bytes {report.why} when looked at again: taken back"))
    return False
