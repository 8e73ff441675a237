"""`-- COMMAND {}`: the command that fails, run as it is.

Exit 0 is PASS; an end like the baseline's (same exit code or signal) is FAIL; another failure is UNRESOLVED, for it
is not the failure that is being explained (2002, section IV-D). With `--fail-if-output` the output decides.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import join, quote
from stat import S_ISREG

from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.oracles.words import Ended, Examination, Invocation, Report, signal_name

HOLE = "{}"


@dataclass(frozen=True, slots=True)
class Command:
    """A command with `{}` where the file's path goes; without it the file goes to standard input."""

    argv: tuple[str, ...]
    output: str | None = None
    """The failure shows iff this pattern is found in what the command prints."""
    exit: int | None = None
    """The exit code of the failure to look for..."""
    signal: int | None = None
    """...or its signal; both None before the baseline is known."""

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run the command once."""
        ended = yield self.invocation(artifact, folder)
        return self.judge(ended)

    def invocation(self, artifact: Artifact, folder: str) -> Invocation:
        """The command with the path of this artifact."""
        target = f"{folder}/{artifact.name}"
        if not any(HOLE in word for word in self.argv):
            return Invocation(self.argv, stdin=artifact.data)
        argv = tuple(word.replace(HOLE, target) for word in self.argv)
        return Invocation(argv, ((artifact.name, artifact.data),))

    def judge(self, ended: Ended) -> Report:
        """Compare with the failure to look for."""
        why, seconds = str(ended), ended.seconds
        if ended.timed_out or ended.flooded:
            return Report(UNRESOLVED, why, seconds)
        if self.output is not None:
            if self._printed(ended):
                return Report(FAIL, f"{why}, the output matches", seconds)
        elif (ended.exit, ended.signal) == (self.exit, self.signal):
            return Report(FAIL, why, seconds)
        return Report(PASS if ended.exit == 0 else UNRESOLVED, why, seconds)

    def _printed(self, ended: Ended) -> bool:
        pattern = re.compile((self.output or "").encode(), re.MULTILINE)
        return bool(pattern.search(ended.stdout) or pattern.search(ended.stderr))

    def like(self, ended: Ended) -> Command | None:
        """The command with the failure of this run as the one to look for; None if it did not fail."""
        if ended.timed_out or ended.flooded:
            return None
        if self.output is not None:
            return self if self._printed(ended) else None
        if ended.exit == 0:
            return None
        return replace(self, exit=ended.exit, signal=ended.signal)

    def identity(self) -> str:
        """The words of the command, the state of the files among them, and what its output is searched for."""
        return repr(("command", self.argv, files_of(self.argv), self.output))

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        if self.output is not None:
            return f"output that matches /{self.output}/"
        return signal_name(self.signal) if self.signal is not None else f"exit code {self.exit}"

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        if any(HOLE in word for word in self.argv):
            return join(word.replace(HOLE, path) for word in self.argv)
        return f"{join(self.argv)} < {quote(path)}"


def files_of(argv: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """The program and the other files that a command names, with size and time: another program is another test."""
    files = []
    for place, word in enumerate(argv):
        path = shutil.which(word) if place == 0 else word
        if path is None or "/" not in path:
            continue
        try:
            state = Path(path).stat()
        except OSError:
            continue
        if S_ISREG(state.st_mode):
            files.append((path, state.st_size, state.st_mtime_ns))
    return files
