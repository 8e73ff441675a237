"""One more run of a tree, to see why it ends as it does: what it prints, and which files it uses."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from wynot.commands.changes.coverage.record_coverage import notes_reading
from wynot.commands.changes.python_imports import ForeignPackage, PythonImports
from wynot.core.artifact import Artifact
from wynot.core.call import Variable
from wynot.core.folder import Folder
from wynot.engine.budget import Budget
from wynot.engine.executors.limits import Limits
from wynot.engine.executors.local import LocalExecutor
from wynot.oracles.protocol import Examination, Invocation, Oracle, ProcessExit, Report


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
    executor = LocalExecutor(oracle, name, 1, limits.looking(), alone=alone, size=tree.size, lasting=True)
    try:
        imports = PythonImports(Path(executor.root, "imports"), executor.path)
        bytecode = tempfile.mkdtemp(prefix="bytecode", dir=executor.root)
        quiet = (Variable("PYTHONPYCACHEPREFIX", bytecode),)  # where there is bytecode, no source is read
        watched = executor.examiner = _Watched(oracle, (*quiet, *imports.env(path)))
        executor.submit(b"", tree)
        reports: list[tuple[bytes, Report]] = []
        while not reports:
            budget.check_time()
            reports = executor.wait(budget.left())
        read = executor.reads() & tree.entries.keys() if notes_reading(executor.root) else None
        return TrialRun(reports[0][1], watched.ended, read, imports.elsewhere(tree, about))
    finally:
        executor.close()
