"""Runs of the original before the search: repeated, and timed for the time limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wynot.core.artifact import AnyContent, Artifact, digest, size
from wynot.core.outcome import FAIL
from wynot.core.run_events import Note
from wynot.engine.executors.executor import ProgramExecutor, TestSettings
from wynot.engine.tester import NOTHING_TO_DO, Tester
from wynot.oracles.protocol import Examination, Oracle, ProcessExit, Report, printed

Looks = list[tuple[Oracle, Report]]
"""What each look at the input has taught, and how it ended."""


@dataclass(frozen=True, slots=True)
class Observer:
    """Stands in for an oracle at the executor; its reports say what was learnt, and what was printed."""

    oracle: Oracle

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Observe."""
        observing = self.oracle.observe(artifact, folder)
        ended: ProcessExit | None = None
        try:
            invocation = next(observing)
            while True:
                ended = yield invocation
                invocation = observing.send(ended)
        except StopIteration as done:
            value: tuple[Oracle, Report] = done.value
        learnt, report = value
        said = printed(ended) if ended is not None else ""
        return replace(report, learnt=learnt, evidence=report.evidence or said)


def look(
    tester: Tester[AnyContent], executor: ProgramExecutor, oracle: Oracle, data: AnyContent, many: int = 1,
    meanwhile: Iterator[None] = NOTHING_TO_DO, mark: bytes = b"",
) -> Looks:  # fmt: skip
    """Run the input itself, some times at once, to see what it does; looks with a mark are no test of it."""
    settings = TestSettings(Observer(oracle), executor.limits.looking())
    reports = tester.looks(digest(data) + mark, data, size(data), many, meanwhile, settings)
    tester.remember_printed(reports[-1].evidence)
    return [(report.learnt or oracle, report) for report in reports]


def failing(looks: Looks) -> list[Oracle]:
    """What was learnt where the failure showed."""
    return [learnt for learnt, report in looks if report.outcome is FAIL]


def agreed(learnt: Sequence[Oracle]) -> Oracle:
    """What several failing runs have in common."""
    return learnt[0].agreed(list(learnt[1:]))


def alike(looks: Looks, others: Looks) -> bool:
    """Whether some of these runs end as some of the others do: both without a failure, or with the same one."""
    fails, other_fails = failing(looks), failing(others)
    if len(fails) < len(looks) and len(other_fails) < len(others):
        return True
    if not fails or not other_fails:
        return False
    common = agreed(fails)
    return any(common.shows(each) for each in other_fails)


# The time limit grows with what failing tests take: between two stages, never within one (docs/decisions/0006).


def raise_time_limit(tester: Tester[AnyContent]) -> bool:
    """Let the limit grow if it has to; whether tests that the old one ended are to be asked for again."""
    executor = tester.executor
    if not isinstance(executor, ProgramExecutor):
        return False
    limits = executor.limits.grown(tester.slowest)
    if limits == executor.limits:
        return False
    executor.limit_to(limits)
    tester.listener(
        Note(f"the failure took up to {tester.slowest:.1f} s to show: the time limit is {limits.seconds:.0f} s now")
    )
    return tester.outcomes.forget_time_outs(limits.seconds) > 0
