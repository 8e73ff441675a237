"""A program of our own that has looked for itself, and says by its exit code what it has seen."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import join

from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.oracles.script import Script
from wynot.oracles.words import Ended, Invocation, Report

SHOWS, FINE = 81, 82
"""The exit codes. All others are of something that went wrong."""


@dataclass(frozen=True, slots=True)
class Judge(Script):
    """A command that gets the path of the candidate as its last word. `path` is the folder in which it runs."""

    argv: tuple[str, ...] = ()
    words: str = "the failure shows"
    """What it looks for."""

    def _invocation(self, artifact: Artifact, folder: str) -> Invocation:
        target = f"{folder}/{artifact.name}"
        argv = ("/bin/sh", "-c", 'cd "$0" && exec "$@"', self.path, *self.argv, target)
        if not isinstance(artifact.data, bytes):
            raise TypeError("only files can be judged")
        return Invocation(argv, ((artifact.name, artifact.data),))

    def judge(self, ended: Ended) -> Report:
        """What the exit code says."""
        outcome = {SHOWS: FAIL, FINE: PASS}.get(ended.exit if ended.exit is not None else -1, UNRESOLVED)
        said = ended.stdout.decode("utf-8", "replace").strip().splitlines()
        why = f"{ended}: {said[-1][:200]}" if outcome is UNRESOLVED and said else str(ended)
        return Report(outcome, why, ended.seconds)

    def identity(self) -> str:
        """Its words and where it runs."""
        return repr(("judge", self.path, self.argv))

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return self.words

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return join((*self.argv, path))
