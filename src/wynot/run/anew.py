"""A second look at what a search has found: with nothing left of earlier builds, and more closely if it is flaky.

Trees that last, and what is built in them, make tests cheap. A build that does not notice all that changes makes them
wrong. So answers are not believed before they were built from nothing, and each of their proofs.
"""

from __future__ import annotations

from collections.abc import Callable

from wynot.core.artifact import digest, size
from wynot.core.config import Config
from wynot.core.events import Warned
from wynot.core.folder import Folder
from wynot.core.outcome import NOTHING, Outcome
from wynot.oracles.building import Building
from wynot.oracles.words import Oracle
from wynot.oracles.wrapping import Wrapping
from wynot.run.confirm import confirmed
from wynot.run.lab import Lab
from wynot.run.programs import ProgramBench


def afresh(lab: Lab[Folder]) -> bool:
    """Let nothing be left of what was built; False where nothing is built."""
    bench = lab.bench
    if not isinstance(bench, ProgramBench) or not _builds(bench.oracle):
        return False
    bench.afresh()
    return True


def _builds(oracle: Oracle) -> bool:
    inner: object = oracle
    while isinstance(inner, Wrapping):
        if isinstance(inner, Building):
            return True
        inner = inner.inner
    return False


def holds(lab: Lab[Folder], candidate: Folder, expected: Outcome) -> bool:
    """Whether a candidate has this outcome, built from nothing and looked at closely."""
    if afresh(lab):
        report = lab.probe(digest(candidate), candidate, size(candidate), NOTHING)
        if report.outcome is not expected:
            lab.listener(
                Warned(
                    f"built anew, a result is {report.outcome.value} ({report.why}): the build does not notice all "
                    "that changes; let it begin anew each time, --build 'make clean all'"
                )
            )
            return False
    return confirmed(lab, candidate, expected)


def proved(
    lab: Lab[Folder], answer: Config, render: Callable[[Config], Folder], expected: Outcome
) -> tuple[Config, bool]:
    """An answer, with what can be left out of it after all left out; and whether it holds.

    Where nothing is built, the search itself has proved that no single one can be left out.
    """
    if not holds(lab, render(answer), expected):
        return answer, False
    if not afresh(lab):
        return answer, True
    for each in answer:
        less = answer - Config.of([each])
        candidate = render(less)
        afresh(lab)
        if less and lab.probe(digest(candidate), candidate, size(candidate), NOTHING).outcome is expected:
            answer = less
    return answer, True
