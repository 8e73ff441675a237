"""The command of a run once more, to go on with it or to prove it: what is asked has to be what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from wynot.core.artifact import Content, digest
from wynot.engine.record.read import Run
from wynot.errors import UsageError

FILES = frozenset({"reduce", "isolate", "events"})
"""What these are about is a file, or a folder, that has a name."""


@dataclass(slots=True)
class RepeatedRun:
    """A run whose command is repeated. It may make several runs; the one in question is known by its place."""

    run: Run
    command: str
    """What the user would type to begin another one."""
    _opened: int = field(default=0)

    def mine(self) -> bool:
        """Whether the next session is the one in question."""
        self._opened += 1
        return self._opened - 1 == int(self.run.facts.get("part", 0))

    def same(self, inputs: Sequence[Content]) -> list[bool]:
        """Of each input, whether it is as it was."""
        known = [each["digest"] for each in self.run.facts.get("inputs", [])]
        now = [digest(each).hex() for each in inputs]
        return [one == other for one, other in zip_longest(known, now)]


@dataclass(slots=True)
class ContinuedRun(RepeatedRun):
    """A run that is to go on."""

    def check(self, inputs: Sequence[Content], name: str) -> None:
        """See that the next session is no other run, if it is the one in question."""
        if not self.mine() or name == self.run.id:
            return
        raise UsageError(
            f"run {self.run.short} cannot go on: {self._changed(inputs)} has changed since",
            f"put it back as it was; or begin another run: {self.command}",
        )

    def _changed(self, inputs: Sequence[Content]) -> str:
        """What is not as it was."""
        same = self.same(inputs)
        if all(same):
            return "the test, the program that it runs, or wynot itself"
        if not same[0] and self.run.kind in FILES:
            return str(self.run.facts.get("shown", "its input"))
        return "what it is about"
