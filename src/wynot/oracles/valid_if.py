"""`--valid-if COMMAND`: an extra test of validity, run first; where it says no, the outcome is unresolved."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any, Self

from wynot.core.artifact import Artifact
from wynot.oracles.command import Command
from wynot.oracles.protocol import Examination, Invocation, ProcessExit, Report, unresolved
from wynot.oracles.wrapper import Wrapper, with_commands


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
