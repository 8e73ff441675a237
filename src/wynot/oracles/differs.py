"""`--differs-from 'OTHER COMMAND {}'`: the failure is that two commands disagree.

For wrong code and regressions: the same input, two compilers, two releases, two options. They disagree if their exits
or what they print to standard output differ. A disagreement of another kind than the first one seen (other exits) is
unresolved, and so is an input on which both fail.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, Self

from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS
from wynot.oracles.command import Command
from wynot.oracles.words import Ended, Examination, Invocation, Report, unresolved

Ends = tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class Differs:
    """Two commands on the same file."""

    one: Command
    other: Command
    ends: Ends | None = None
    """How both ended when they were first seen to disagree: exit and signal of the one, then of the other."""

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run both, compare."""
        return (yield from self._compare(artifact, folder))[1]

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, Ended, tuple[Self, Report]]:
        """Whatever disagreement this input shows is the one to look for."""
        ends, report = yield from self._compare(artifact, folder)
        return (replace(self, ends=ends) if report.outcome is FAIL else self), report

    def _compare(self, artifact: Artifact, folder: str) -> Generator[Invocation, Ended, tuple[Ends, Report]]:
        first = yield self.one.invocation(artifact, folder)
        second = yield self.other.invocation(artifact, folder)
        ends = (first.exit, first.signal, second.exit, second.signal)
        why, seconds = f"{first}, the other {second}", first.seconds + second.seconds
        if any(e.timed_out or e.flooded for e in (first, second)) or (first.exit != 0 and second.exit != 0):
            return ends, replace(unresolved(first, why), seconds=seconds)
        if ends[:2] == ends[2:] and first.stdout == second.stdout:
            return ends, Report(PASS, why, seconds)
        if self.ends is not None and ends != self.ends:
            return ends, replace(unresolved(first, why), seconds=seconds)
        return ends, Report(FAIL, f"{why}: they differ", seconds)

    def agreed(self, others: list[Self]) -> Self:
        """One disagreement is like the other."""
        return self if all(other.ends == self.ends for other in others) else replace(self, ends=None)

    def shows(self, observed: Self) -> bool:
        """Whether an observation is of the disagreement that is looked for."""
        return self.ends is None or self.ends == observed.ends

    def memory(self) -> dict[str, Any]:
        """How both ended."""
        return {"ends": self.ends}

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        ends = memory["ends"]
        return replace(self, ends=None if ends is None else (ends[0], ends[1], ends[2], ends[3]))

    def identity(self) -> str:
        """Both commands."""
        return repr(("differs", self.one.identity(), self.other.identity()))

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        what = "what they print" if self.ends is not None and self.ends[:2] == self.ends[2:] else "how they end"
        return f"the two commands differ in {what}"

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return f"{self.one.by_hand(path)}; {self.other.by_hand(path)}"
