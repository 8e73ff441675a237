"""Commands around a test: build first, check validity first, run a script afterwards."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any, Self

from wynot.core.artifact import Artifact, digest
from wynot.core.outcome import UNRESOLVED
from wynot.oracles.command import Command
from wynot.oracles.protocol import (
    CONSTRUCTION,
    HOLE,
    Examination,
    FixedSignature,
    Invocation,
    ProcessExit,
    Report,
    Wrapper,
    altered,
    unresolved,
    with_commands,
)
from wynot.oracles.script import Script
from wynot.oracles.typed_command import own_files

# `--build COMMAND`: what is tested is built first; where that fails, the outcome is unresolved, in its construction.
#
# The build runs in the folder, by a shell, and the test runs in what the build has left. What a build has made may stay
# for the next one, so that it need not make it again (engine.executors.work_tree).


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


# `--valid-if COMMAND`: an extra test of validity, run first; where it says no, the outcome is unresolved.


@dataclass(frozen=True, slots=True)
class ValidIf(Wrapper):
    """An oracle that is only asked about valid artifacts."""

    validity: Command

    def _invalid(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, Report | None]:
        ended = yield self.validity.invocation(artifact, folder)
        return None if ended.exit == 0 else unresolved(ended, f"not valid: {ended}")

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Validity first."""
        invalid = yield from self._invalid(artifact, folder)
        return invalid if invalid is not None else (yield from self.inner.examine(artifact, folder))

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """The failing input must be valid, too."""
        invalid = yield from self._invalid(artifact, folder)
        if invalid is not None:
            return self, invalid
        learnt, report = yield from self.inner.observe(artifact, folder)
        return replace(self, inner=learnt), report

    def with_commands(self, change: Callable[[Command], Command]) -> Self:
        """The test of validity is one of them."""
        return replace(self, inner=with_commands(self.inner, change), validity=change(self.validity))

    def memory(self) -> dict[str, Any]:
        """What the inner oracle remembers, and what the test of validity finds beside the input."""
        return {**self.inner.memory(), "validity": self.validity.memory()}

    def recall(self, memory: dict[str, Any]) -> Self:
        """Both as they were."""
        validity = self.validity.recall(memory["validity"]) if "validity" in memory else self.validity
        return replace(self, inner=self.inner.recall(memory), validity=validity)

    def identity(self) -> str:
        """Both."""
        return repr(("valid", self.validity.identity(), self.inner.identity()))

    def files(self) -> tuple[str, ...]:
        """The files of both."""
        return (*self.validity.files(), *self.inner.files())

    def looked_for(self) -> str:
        """The failure to look for, in plain words."""
        return f"{self.inner.looked_for()}, on valid inputs"

    def by_hand(self, path: str) -> str:
        """What a user would type."""
        return f"{self.validity.by_hand(path)} && {self.inner.by_hand(path)}"


# A command, and a script that looks at what it did: `wynot trace --test SCRIPT -- PROGRAM`.


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
