"""Oracles that know what to look for: there is nothing to learn from the failing input."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from typing import Any, Self

from wynot.core.artifact import Artifact
from wynot.oracles.words import Ended, Examination, Invocation, Report


class Knowing(ABC):
    """All that such an oracle says of what it has learnt."""

    __slots__ = ()

    @abstractmethod
    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Say what to run, one after the other, and judge."""

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, Ended, tuple[Self, Report]]:
        """There is nothing to learn."""
        return self, (yield from self.examine(artifact, folder))

    def agreed(self, _others: list[Self]) -> Self:
        """All are one and the same."""
        return self

    def shows(self, _observed: Self) -> bool:
        """It knows one failure only."""
        return True

    def memory(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def recall(self, _memory: dict[str, Any]) -> Self:
        """As it is."""
        return self
