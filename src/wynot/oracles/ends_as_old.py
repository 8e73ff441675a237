"""Where OLD does not exit 0 either: a run that ends as OLD does passes, as far as the user's conditions go.

`--fail-if-output E302` says what the failure is. A linter exits 1 for other findings, too; OLD is known not to show
the failure, so runs that end as it does pass. Runs that end otherwise stay unresolved: they may be broken.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from wynot.core.artifact import Artifact
from wynot.core.outcome import PASS, UNRESOLVED
from wynot.oracles.failure.missing_dependency import missing_dependency
from wynot.oracles.failure.signature import essence
from wynot.oracles.protocol import EXECUTION, Examination, Invocation, ProcessExit, Report
from wynot.oracles.wrapper import Wrapper


class OldEnding(NamedTuple):
    """How a run ends: its exit code, and the failure that it prints itself, if there is one."""

    exit: int
    said: str


def end_of(ended: ProcessExit) -> OldEnding | None:
    """The end of a run; None where a signal or a limit ended it, or something was not installed."""
    from wynot.oracles.readers import loaded_readers  # noqa: PLC0415 - where there is something to read

    text = "\n".join(each.decode("utf-8", "replace") for each in (ended.stderr, ended.stdout))
    if ended.exit is None or missing_dependency(text) is not None:
        return None
    said = loaded_readers.diagnose(text)
    return OldEnding(ended.exit, "" if said is None else f"{said.kind}: {essence(said.message, frozenset())}")


@dataclass(frozen=True, slots=True)
class EndsAs(Wrapper):
    """An oracle for which a run that ends in one certain way passes, where it would be unresolved otherwise."""

    end: OldEnding

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """As the inner oracle does, and then look at the end."""
        ended: ProcessExit | None = None
        examination = self.inner.examine(artifact, folder)
        try:
            invocation = next(examination)
            while True:
                ended = yield invocation
                invocation = examination.send(ended)
        except StopIteration as done:
            report: Report = done.value
        if report.outcome is UNRESOLVED and report.phase == EXECUTION and ended and end_of(ended) == self.end:
            return replace(report, outcome=PASS, phase="", evidence="")
        return report

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """As the inner oracle observes."""
        learnt, report = yield from self.inner.observe(artifact, folder)
        return replace(self, inner=learnt), report

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        return replace(self, inner=self.inner.recall(memory))

    def identity(self) -> str:
        """The inner oracle's: the end is observed, not given."""
        return self.inner.identity()

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return self.inner.looked_for()

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return self.inner.by_hand(path)
