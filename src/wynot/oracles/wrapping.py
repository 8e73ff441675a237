"""Oracles around another oracle: what they learn and remember is what that one does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from wynot.oracles.words import Oracle


@dataclass(frozen=True, slots=True)
class Wrapping:
    """All that an oracle says which only passes another one's words on."""

    inner: Oracle

    def agreed(self, others: list[Self]) -> Self:
        """As the inner oracles agree."""
        return replace(self, inner=self.inner.agreed([other.inner for other in others]))

    def shows(self, observed: Self) -> bool:
        """As the inner oracle says."""
        return self.inner.shows(observed.inner)

    def memory(self) -> dict[str, Any]:
        """What the inner oracle remembers."""
        return self.inner.memory()

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        return replace(self, inner=self.inner.recall(memory))
