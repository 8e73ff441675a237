"""The time limit grows with what failing tests take: between two stages, never within one (docs/decisions/0006)."""

from __future__ import annotations

from wynot.core.artifact import AnyContent
from wynot.core.run_events import Note
from wynot.engine.executors.program_executor import ProgramExecutor
from wynot.engine.tester import Tester


def raise_time_limit(tester: Tester[AnyContent]) -> bool:
    """Let the limit grow if it has to; whether tests that the old one ended are to be asked for again."""
    executor = tester.executor
    if not isinstance(executor, ProgramExecutor):
        return False
    limits = executor.limits.grown(tester.slowest)
    if limits == executor.limits:
        return False
    executor.limits = limits
    tester.listener(
        Note(f"the failure took up to {tester.slowest:.1f} s to show: the time limit is {limits.seconds:.0f} s now")
    )
    return tester.forget_time_outs(limits.seconds) > 0
