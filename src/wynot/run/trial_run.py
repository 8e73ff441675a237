"""One more run of a tree, to see why it ends as it does: what it prints, and which files it uses."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from wynot.core.artifact import Artifact
from wynot.core.folder import Folder
from wynot.core.setting import Variable
from wynot.oracles.words import Ended, Examination, Invocation, Oracle, Report
from wynot.run.costs import Budget
from wynot.run.coverage import notes_reading
from wynot.run.limits import Limits
from wynot.run.processes import ProcessBench
from wynot.run.python_imports import Elsewhere, PythonImports


@dataclass(frozen=True, slots=True)
class TrialRun:
    """How a run ended, and which files of the tree it used."""

    report: Report
    ended: Ended | None
    """How the last program ended; None if none was run."""
    read: frozenset[str] | None
    """The files of the tree that were read; None where the file system does not note that."""
    elsewhere: tuple[Elsewhere, ...] = ()
    """The Python packages of the tree that were imported from somewhere else."""


class _Watched:
    """An oracle whose programs have more in their environment, and whose last program is remembered."""

    def __init__(self, oracle: Oracle, env: tuple[Variable, ...]) -> None:
        self._oracle, self._env = oracle, env
        self.ended: Ended | None = None

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
    bench = ProcessBench(oracle, name, 1, limits.looking(), alone=alone, size=tree.size, lasting=True)
    try:
        imports = PythonImports(Path(bench.root, "imports"), bench.path)
        bytecode = tempfile.mkdtemp(prefix="bytecode", dir=bench.root)
        quiet = (Variable("PYTHONPYCACHEPREFIX", bytecode),)  # where there is bytecode, no source is read
        watched = bench.examiner = _Watched(oracle, (*quiet, *imports.env(path)))
        bench.submit(b"", tree)
        reports: list[tuple[bytes, Report]] = []
        while not reports:
            budget.check_time()
            reports = bench.wait(budget.left())
        read = bench.reads() & tree.entries.keys() if notes_reading(bench.root) else None
        return TrialRun(reports[0][1], watched.ended, read, imports.elsewhere(tree, about))
    finally:
        bench.close()
