"""`--test SCRIPT`: the user's own test, as creduce, cvise, shrinkray and git bisect know it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from shlex import join, quote

from wynot.core.artifact import Artifact, digest
from wynot.core.call import Call
from wynot.core.outcome import FAIL, PASS
from wynot.oracles.protocol import Examination, Invocation, ProcessExit, Report, unresolved
from wynot.oracles.test_files import own_files
from wynot.oracles.wrapper import FixedSignature


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
