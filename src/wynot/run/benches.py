"""The bench that a run has: for functions of this process, or for programs, here or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from wynot.core.artifact import Content
from wynot.core.folder import Folder
from wynot.core.outcome import Outcome
from wynot.errors import UsageError
from wynot.oracles.function import asking
from wynot.oracles.words import Oracle
from wynot.run.bench import Bench, InlineBench, ThreadBench
from wynot.run.costs import Budget, linger
from wynot.run.guard import guard_of
from wynot.run.options import Options
from wynot.run.processes import ProcessBench
from wynot.run.programs import ProgramBench

Test = Callable[[Any], Outcome | bool]
"""Takes the bytes of a file; or, for a folder, the bytes of its files by their paths: dict[str, bytes]."""


def function_bench(test: Test, options: Options) -> Bench[Content]:
    """A bench for a function."""
    if options.cluster is not None:
        raise UsageError("a Python function is tested in this process, not on a cluster", "leave out `cluster`")
    ask = asking(test)

    def examine(content: Content) -> Outcome:
        return ask(content.files if isinstance(content, Folder) else content)

    return InlineBench(examine) if options.jobs == 1 else ThreadBench(examine, options.jobs)


def program_bench(
    oracle: Oracle, name: str, options: Options, budget: Budget, largest: int, *, lasting: bool
) -> ProgramBench:  # fmt: skip
    """A bench for programs, here or on a cluster."""
    bench: ProgramBench
    if options.cluster is None:
        bench = ProcessBench(
            oracle,
            name,
            options.jobs,
            options.limits,
            alone=options.alone,
            size=largest,
            lasting=lasting,
            listener=options.listener,
        )
        bench.guard = guard_of(options.guarded, options.guarded_within)
    else:
        from wynot.run.cluster.bench import ClusterBench, Waiting, Work  # noqa: PLC0415 - for those who ask for it

        waiting = Waiting(options.listener, partial(linger, budget, options.controls))
        bench = ClusterBench(oracle, Work(name, largest, lasting), options.limits, options.cluster, waiting)
    bench.server = options.server
    return bench
