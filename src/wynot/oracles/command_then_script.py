"""A command, and a script that looks at what it did: `wynot trace --test SCRIPT -- PROGRAM`."""

from __future__ import annotations

from dataclasses import dataclass

from wynot.core.artifact import Artifact
from wynot.core.outcome import UNRESOLVED
from wynot.oracles.command import Command
from wynot.oracles.protocol import Examination, Invocation, Report
from wynot.oracles.script import Script
from wynot.oracles.wrapper import FixedSignature


@dataclass(frozen=True, slots=True)
class CommandThenScript(FixedSignature):
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

    def identity(self) -> str:
        """Both."""
        return repr(("after", self.command.identity(), self.script.identity()))

    def files(self) -> tuple[str, ...]:
        """The files of both."""
        return (*self.command.files(), *self.script.files())

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return self.script.looked_for()

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return f"{self.command.by_hand(path)} > stdout; {self.script.by_hand('stdout')}"
