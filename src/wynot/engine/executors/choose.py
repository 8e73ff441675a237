"""The executor that a run has: for functions of this process, or for programs, here or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from wynot.core.artifact import Content
from wynot.core.folder import Folder
from wynot.core.outcome import Outcome
from wynot.engine.budget import Budget, linger
from wynot.engine.executors.executor import Executor, InlineExecutor, ProgramExecutor, ThreadExecutor
from wynot.engine.executors.local import LocalExecutor, LocalSettings
from wynot.engine.files.file_guard import guard_of
from wynot.engine.run_options import Options
from wynot.errors import UsageError
from wynot.oracles.protocol import Oracle
from wynot.oracles.python_function import asking

Test = Callable[[Any], Outcome | bool]
"""Takes the bytes of a file; or, for a folder, the bytes of its files by their paths: dict[str, bytes]."""


def function_executor(test: Test, options: Options) -> Executor[Content]:
    """An executor for a function."""
    if options.cluster is not None:
        raise UsageError("a Python function cannot be tested on a cluster", "leave out `cluster`")
    ask = asking(test)

    def examine(content: Content) -> Outcome:
        return ask(content.files if isinstance(content, Folder) else content)

    return InlineExecutor(examine) if options.jobs == 1 else ThreadExecutor(examine, options.jobs)


def executor_of_programs(
    oracle: Oracle, name: str, options: Options, budget: Budget, largest: int, *, lasting: bool
) -> ProgramExecutor:  # fmt: skip
    """An executor for programs, here or on a cluster."""
    guard = guard_of(options.guarded, options.guarded_within)
    if options.cluster is None:
        settings = LocalSettings(options.alone, largest, lasting, options.listener, guard, options.server)
        return LocalExecutor(oracle, name, options.jobs, options.limits, settings)
    from wynot.engine.executors.dask.dask_executor import DaskExecutor, RunContext, WaitForWorkers  # noqa: PLC0415 - for those who ask for it

    waiting = WaitForWorkers(options.listener, partial(linger, budget, options.controls))
    work = RunContext(name, largest, lasting)
    return DaskExecutor(oracle, work, options.limits, options.cluster, waiting, guard, server=options.server)
