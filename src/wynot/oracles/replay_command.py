"""A command that may not be able to do what it is asked for: then it says nothing about the failure."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, Self

from wynot.core.artifact import Artifact
from wynot.core.outcome import UNRESOLVED
from wynot.oracles.protocol import Examination, Invocation, ProcessExit, Report
from wynot.oracles.wrapper import Wrapper


@dataclass(frozen=True, slots=True)
class ReplayCommand(Wrapper):
    """An oracle whose program has an exit code for "it could not be replayed": unresolved, and never the failure."""

    lost: int

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """As the inner oracle does, if it can."""
        report: Report = yield from self._unless_lost(self.inner.examine(artifact, folder), lambda report: report)
        return report

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """As the inner oracle observes, if it can."""
        found = yield from self._unless_lost(self.inner.observe(artifact, folder), lambda report: (self.inner, report))
        learnt, report = found
        return replace(self, inner=learnt), report

    def _unless_lost(self, examination: Any, lost: Any) -> Generator[Invocation, ProcessExit, Any]:
        try:
            invocation = next(examination)
            while True:
                ended = yield invocation
                if ended.exit == self.lost:
                    said = ended.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
                    return lost(Report(UNRESOLVED, said[-1][:200], ended.seconds))
                invocation = examination.send(ended)
        except StopIteration as done:
            return done.value

    def identity(self) -> str:
        """The inner oracle's."""
        return self.inner.identity()

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return self.inner.looked_for()

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return f"wynot events replay {path}"
