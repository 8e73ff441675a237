"""A program of our own that has looked for itself, and says by its exit code what it has seen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from shlex import join

from wynot.core.artifact import Artifact, Laid
from wynot.core.call import Variable
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.oracles.protocol import Invocation, ProcessExit, Report
from wynot.oracles.script import Script

PROJECT = "project"
"""The name of the copy of a folder, beside the candidate."""
SHOWS, FINE = 81, 82
"""The exit codes. All others are of something that went wrong."""


@dataclass(frozen=True, slots=True)
class ExitCodeOracle(Script):
    """A command that gets the path of the candidate as its last word. `path` is the folder in which it runs."""

    argv: tuple[str, ...] = ()
    words: str = "the failure shows"
    """What it looks for."""
    env: tuple[Variable, ...] = ()
    umask: int | None = None
    copy: Folder | None = None
    """What is in the folder `root`: each run finds a copy of it, and paths in that folder lead to the copy."""
    root: str = ""

    def _invocation(self, artifact: Artifact, folder: str) -> Invocation:
        if not isinstance(artifact.data, bytes):
            raise TypeError("only files can be judged")
        mask = "" if self.umask is None else f"umask {self.umask:o} && "
        argv = ("/bin/sh", "-c", f'{mask}cd "$0" && exec "$@"', self.path, *self.argv)
        files: tuple[tuple[str, Laid], ...] = ((artifact.name, artifact.data),)
        env = self.env
        if self.copy is not None:
            place, copy = f"{folder}/{PROJECT}", self.copy
            argv = tuple(moved(word, self.root, place, copy) for word in argv)
            env = tuple(Variable(n, v and moved(v, self.root, place, copy)) for n, v in env)
            files = (*files, (PROJECT, copy))
        return Invocation((*argv, f"{folder}/{artifact.name}"), files, env=env)

    def judge(self, ended: ProcessExit) -> Report:
        """What the exit code says."""
        outcome = {SHOWS: FAIL, FINE: PASS}.get(ended.exit if ended.exit is not None else -1, UNRESOLVED)
        said = ended.stdout.decode("utf-8", "replace").strip().splitlines()
        why = f"{ended}: {said[-1][:200]}" if outcome is UNRESOLVED and said else str(ended)
        return Report(outcome, why, ended.seconds)

    def identity(self) -> str:
        """Its words and where it runs."""
        copied = self.copy is not None and self.copy.digest().hex()
        return repr(("judge", self.path, self.argv, self.env, self.umask, copied))

    def files(self) -> tuple[str, ...]:
        """None: the program is our own."""
        return ()

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return self.words

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return join((*self.argv, path))


def moved(text: str, root: str, place: str, copy: Folder) -> str:
    """A word or a value in which paths of a folder lead to its copy, where that has them.

    >>> copy = Folder.of({"src/a.py": b""})
    >>> moved("/p/src:/p/.venv/lib:/project:/x/p:/p", "/p", "/w", copy)
    '/w/src:/p/.venv/lib:/project:/x/p:/w'
    """

    def instead(found: re.Match[str]) -> str:
        below = found[1].strip("/")
        return place + found[1] if not below or below in copy.entries else found[0]

    return re.sub(rf"(?<![^:;,=\s]){re.escape(root)}((?:/[^:;,=\s]*)?)(?=[:;,=\s]|$)", instead, text)
