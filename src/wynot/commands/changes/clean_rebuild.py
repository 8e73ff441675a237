"""A second look at what a search has found: with nothing left of earlier builds, and more closely if it is flaky.

Trees that last, and what is built in them, make tests cheap. A build that does not notice all that changes makes them
wrong. So answers are not believed before they were built from nothing, and each of their proofs.
"""

from __future__ import annotations

from collections.abc import Callable

from wynot.core.artifact import digest, size
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.outcome import NOTHING, Outcome
from wynot.core.run_events import Caution
from wynot.engine.baseline.confirm_result import confirmed
from wynot.engine.executors.program_executor import ProgramExecutor
from wynot.engine.tester import Tester
from wynot.oracles.build_first import BuildFirst
from wynot.oracles.protocol import Oracle
from wynot.oracles.wrapper import Wrapper


def rebuild_from_nothing(tester: Tester[Folder]) -> bool:
    """Let nothing be left of what was built; False where nothing is built."""
    executor = tester.executor
    if not isinstance(executor, ProgramExecutor) or not _builds(executor.oracle):
        return False
    executor.afresh()
    return True


def _builds(oracle: Oracle) -> bool:
    inner: object = oracle
    while isinstance(inner, Wrapper):
        if isinstance(inner, BuildFirst):
            return True
        inner = inner.inner
    return False


def holds(tester: Tester[Folder], candidate: Folder, expected: Outcome) -> bool:
    """Whether a candidate has this outcome, built from nothing and looked at closely."""
    if rebuild_from_nothing(tester):
        report = tester.probe(digest(candidate), candidate, size(candidate), NOTHING)
        if report.outcome is not expected:
            tester.listener(
                Caution(
                    f"built anew, a result is {report.outcome.value} ({report.why}): the build does not notice all "
                    "that changes; let it begin anew each time, --build 'make clean all'"
                )
            )
            return False
    return confirmed(tester, candidate, expected)


def proved(
    tester: Tester[Folder], answer: Config, render: Callable[[Config], Folder], expected: Outcome
) -> tuple[Config, bool]:
    """An answer, with what can be left out of it after all left out; and whether it holds.

    Where nothing is built, the search itself has proved that no single one can be left out.
    """
    if not holds(tester, render(answer), expected):
        return answer, False
    if not rebuild_from_nothing(tester):
        return answer, True
    for each in answer:
        less = answer - Config.of([each])
        candidate = render(less)
        rebuild_from_nothing(tester)
        if less and tester.probe(digest(candidate), candidate, size(candidate), NOTHING).outcome is expected:
            answer = less
    return answer, True
