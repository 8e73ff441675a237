"""The time limit grows with what failing tests take: between two stages, never within one (docs/decisions/0006)."""

from __future__ import annotations

from wynot.core.artifact import AnyContent
from wynot.core.events import Said
from wynot.run.lab import Lab
from wynot.run.programs import ProgramBench


def grown(lab: Lab[AnyContent]) -> bool:
    """Let the limit grow if it has to; whether tests that the old one ended are to be asked for again."""
    bench = lab.bench
    if not isinstance(bench, ProgramBench):
        return False
    limits = bench.limits.grown(lab.slowest)
    if limits == bench.limits:
        return False
    bench.limits = limits
    lab.listener(
        Said(f"the failure took up to {lab.slowest:.1f} s to show: the time limit is {limits.seconds:.0f} s now")
    )
    return lab.forget_time_outs(limits.seconds) > 0
