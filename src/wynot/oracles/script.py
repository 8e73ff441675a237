"""What counts as the failure: exit codes of scripts, and the `--fail-if-...` conditions."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from shlex import join, quote

from wynot.core.artifact import Artifact, Laid, digest
from wynot.core.call import Call, Variable
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.oracles.protocol import Examination, FixedSignature, Invocation, ProcessExit, Report, signal_name, unresolved
from wynot.oracles.typed_command import own_files


@dataclass(frozen=True, slots=True)
class Script(FixedSignature):
    """Exit 0: the failure shows. 125: unresolved. Anything else: it does not show.

    The script gets the path of the file or folder as its argument, and finds it under its own name in its working
    folder. Where the artifact is a call, it gets the words of that call as its arguments.
    """

    path: str
    inside: bool = False
    """Whether it runs in the folder that is tested, not beside it."""

    def __post_init__(self) -> None:
        """Tests run in other folders: what is relative is so to the one where this is made."""
        object.__setattr__(self, "path", os.path.abspath(self.path))  # noqa: PTH100 - links stay

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run the script once."""
        ended = yield self._invocation(artifact, folder)
        return self.judge(ended)

    def _invocation(self, artifact: Artifact, folder: str) -> Invocation:
        if isinstance(artifact.data, Call):
            call = Invocation.of(artifact.data, folder)
            return replace(call, argv=(self.path, *call.argv))
        target, within = f"{folder}/{artifact.name}", artifact.name if self.inside else ""
        return Invocation((self.path, target), ((artifact.name, artifact.data),), within=within)

    def judge(self, ended: ProcessExit) -> Report:
        """What the exit code says; a script that was killed says nothing."""
        if ended.killed:
            return unresolved(ended, f"{ended}: killed from outside")
        if ended.exit in {None, 125}:
            return unresolved(ended)
        return Report(FAIL if ended.exit == 0 else PASS, str(ended), ended.seconds)

    def identity(self) -> str:
        """Where it is and what it says."""
        inside = "inside " if self.inside else ""
        _, *others = own_files([self.path])
        digests = [digest(Path(path).read_bytes()).hex() for path in (self.path, *others)]
        return f"{inside}script {self.path} {' '.join(digests)}"

    def files(self) -> tuple[str, ...]:
        """The script, and the code files that it names."""
        return own_files([self.path])

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return f"{PurePath(self.path).name} exits 0"

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return f'(cd {quote(path)} && {quote(self.path)} "$PWD")' if self.inside else join((self.path, path))


# What counts as the failure when the user says it in so many words: `--fail-if-...`.


@dataclass(frozen=True, slots=True)
class Conditions:
    """The failure shows iff all that is given here holds."""

    output: str | None = None
    """This pattern is found in what the command prints."""
    exit: int | None = None
    signal: int | None = None
    hang: float | None = None
    """It is still running after so many seconds."""
    slower: float | None = None
    """It takes longer than so many seconds."""

    def __bool__(self) -> bool:
        return any(value is not None for value in (self.output, self.exit, self.signal, self.hang, self.slower))

    def met(self, ended: ProcessExit) -> bool:
        """Whether this run shows the failure."""
        return (
            (self.output is None or self._printed(ended))
            and (self.exit is None or ended.exit == self.exit)
            and (self.signal is None or ended.signal == self.signal)
            and (self.hang is None or ended.timed_out)
            and (self.slower is None or ended.seconds > self.slower)
            and (self.hang is not None or self.slower is not None or not ended.timed_out)
            and not ended.flooded
        )

    def _printed(self, ended: ProcessExit) -> bool:
        pattern = re.compile(os.fsencode(self.output or ""), re.MULTILINE)
        return bool(pattern.search(ended.stdout) or pattern.search(ended.stderr))

    def __str__(self) -> str:
        parts = []
        if self.output is not None:
            parts.append(f"output that matches /{self.output}/")
        if self.exit is not None:
            parts.append(f"exit code {self.exit}")
        if self.signal is not None:
            parts.append(signal_name(self.signal))
        if self.hang is not None:
            parts.append(f"no end within {self.hang:g} s")
        if self.slower is not None:
            parts.append(f"more than {self.slower:g} s")
        return " and ".join(parts)


# A program of our own that has looked for itself, and says by its exit code what it has seen.


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
