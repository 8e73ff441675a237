"""`--build COMMAND`: what is tested is built first; where that fails, the outcome is unresolved, in its construction.

The build runs in the folder, by a shell, and the test runs in what the build has left. What a build has made may stay
for the next one, so that it need not make it again (engine.executors.work_tree).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Self

from wynot.core.artifact import Artifact, digest
from wynot.oracles.protocol import CONSTRUCTION, HOLE, Examination, Invocation, ProcessExit, Report, unresolved
from wynot.oracles.test_files import own_files
from wynot.oracles.wrapper import Wrapper, altered


@dataclass(frozen=True, slots=True)
class BuildFirst(Wrapper):
    """An oracle that is only asked about what can be built."""

    build: str
    """A line for the shell; `{}` stands for the folder's path."""

    def _built(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, Report | None]:
        line = self.build.replace(HOLE, quote(f"{folder}/{artifact.name}"))
        ended = yield Invocation(("/bin/sh", "-c", line), artifact.files, within=artifact.name, makes=True)
        return None if ended.exit == 0 else unresolved(ended, f"does not build: {ended}", CONSTRUCTION)

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Build, then test."""
        failed = yield from self._built(artifact, folder)
        return failed if failed is not None else (yield from altered(self.inner.examine(artifact, folder), _staying))

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """The failing one must build, too."""
        failed = yield from self._built(artifact, folder)
        if failed is not None:
            return self, failed
        learnt, report = yield from altered(self.inner.observe(artifact, folder), _staying)
        return replace(self, inner=learnt), report

    def identity(self) -> str:
        """Both."""
        digests = [(path, digest(Path(path).read_bytes()).hex()) for path in own_files(self._build_files())]
        return repr(("build", self.build, *digests, self.inner.identity()))

    def files(self) -> tuple[str, ...]:
        """The files that the build command names by their full paths, and those of the test."""
        return (*own_files(self._build_files()), *self.inner.files())

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return self.inner.looked_for()

    def _build_files(self) -> list[str]:
        words = (word.strip("'\";&|()") for word in self.build.split())
        return [word for word in words if word.startswith("/") and Path(word).is_file()]

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return f"(cd {quote(path)} && {self.build.replace(HOLE, quote(path))}) && {self.inner.by_hand(path)}"


def _staying(invocation: Invocation) -> Invocation:
    """The same, in what the build has left."""
    return replace(invocation, stays=True)
