"""Test a set of changes once more outside the search: with a clean build, and repeatedly if it is flaky."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from wynot.commands.changes.coverage_filter import notes_reading
from wynot.commands.changes.python_imports import ForeignPackage, PythonImports
from wynot.core.artifact import Artifact, digest, size
from wynot.core.call import Variable
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.outcome import NOTHING, Outcome
from wynot.core.run_events import Caution
from wynot.engine.baseline.result_checks import confirmed
from wynot.engine.budget import Budget
from wynot.engine.executors.executor import ProgramExecutor, TestSettings
from wynot.engine.executors.local import LocalExecutor, LocalSettings
from wynot.engine.executors.sandbox import Limits
from wynot.engine.tester import Tester
from wynot.oracles.extra_commands import BuildFirst
from wynot.oracles.protocol import Examination, Invocation, Oracle, ProcessExit, Report, Wrapper


@dataclass(frozen=True, slots=True)
class TrialRun:
    """How a run ended, and which files of the tree it used."""

    report: Report
    ended: ProcessExit | None
    """How the last program ended; None if none was run."""
    read: frozenset[str] | None
    """The files of the tree that were read; None where the file system does not note that."""
    elsewhere: tuple[ForeignPackage, ...] = ()
    """The Python packages of the tree that were imported from somewhere else."""


class _Watched:
    """An oracle whose programs have more in their environment, and whose last program is remembered."""

    def __init__(self, oracle: Oracle, env: tuple[Variable, ...]) -> None:
        self._oracle, self._env = oracle, env
        self.ended: ProcessExit | None = None

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """As the oracle does."""
        examination = self._oracle.examine(artifact, folder)
        try:
            invocation = next(examination)
            while True:
                self.ended = yield self._with_env(invocation)
                invocation = examination.send(self.ended)
        except StopIteration as done:
            report: Report = done.value
            return report

    def _with_env(self, invocation: Invocation) -> Invocation:
        return replace(invocation, env=(*invocation.env, *self._env))


def trial_run(
    oracle: Oracle, name: str, tree: Folder, limits: Limits, budget: Budget, about: Collection[str], *,
    path: str = "", alone: bool = False,
) -> TrialRun:  # fmt: skip
    """Run the test of a tree once more, in a place of its own.

    `about`: the files of interest. `path`: a folder of the tree in which Python looks for modules first.
    """
    executor = LocalExecutor(oracle, name, 1, limits.looking(), LocalSettings(alone, tree.size, lasting=True))
    try:
        imports = PythonImports(Path(executor.root, "imports"), executor.path)
        bytecode = tempfile.mkdtemp(prefix="bytecode", dir=executor.root)
        quiet = (Variable("PYTHONPYCACHEPREFIX", bytecode),)  # where there is bytecode, no source is read
        watched = _Watched(oracle, (*quiet, *imports.env(path)))
        executor.submit(b"", tree, TestSettings(watched))
        reports: list[tuple[bytes, Report]] = []
        while not reports:
            budget.check_time()
            reports = executor.wait(budget.left())
        read = executor.reads() & tree.entries.keys() if notes_reading(executor.root) else None
        return TrialRun(reports[0][1], watched.ended, read, imports.elsewhere(tree, about))
    finally:
        executor.close()


# A second look at what a search has found: with nothing left of earlier builds, and more closely if it is flaky.
#
# Trees that last, and what is built in them, make tests cheap. A build that does not notice all that changes makes them
# wrong. So answers are not believed before they were built from nothing, and each of their proofs.


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
                    f"built anew, a result is {report.outcome.value} ({report.why}): the build misses some "
                    "changes; rebuild everything each time: --build 'make clean all'"
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
