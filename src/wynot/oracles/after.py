"""A command, and a script that looks at what it did: `wynot trace --test SCRIPT -- PROGRAM`."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Self

from wynot.core.artifact import Artifact
from wynot.core.outcome import UNRESOLVED
from wynot.oracles.command import Command
from wynot.oracles.script import Script
from wynot.oracles.words import Ended, Examination, Invocation, Report


@dataclass(frozen=True, slots=True)
class After:
    """The script finds `stdout`, `stderr` and `exit` in its folder; the path of `stdout` is its argument.

    `exit` holds the exit code, or the signal as a negative number. A run that hangs is unresolved.
    """

    command: Command
    script: Script

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run the command, then the script."""
        ended = yield self.command.invocation(artifact, folder)
        if ended.timed_out or ended.flooded:
            return Report(UNRESOLVED, str(ended), ended.seconds)
        end = ended.exit if ended.exit is not None else -(ended.signal or 0)
        files = (("stdout", ended.stdout), ("stderr", ended.stderr), ("exit", b"%d\n" % end))
        said = yield Invocation((self.script.path, f"{folder}/stdout"), files)
        return self.script.judge(said)

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, Ended, tuple[Self, Report]]:
        """There is nothing to learn: the script knows."""
        return self, (yield from self.examine(artifact, folder))

    def agreed(self, _others: list[Self]) -> Self:
        """The script is one and the same."""
        return self

    def shows(self, _observed: Self) -> bool:
        """The script knows one failure only."""
        return True

    def memory(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def recall(self, _memory: dict[str, Any]) -> Self:
        """As it is."""
        return self

    def identity(self) -> str:
        """Both."""
        return repr(("after", self.command.identity(), self.script.identity()))

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return self.script.looked_for()

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return f"{self.command.by_hand(path)} > stdout; {self.script.by_hand('stdout')}"
