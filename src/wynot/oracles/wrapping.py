"""Oracles around another oracle: what they learn and remember is what that one does."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from wynot.oracles.words import Ended, Invocation, Oracle

Given = TypeVar("Given")


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


def altered(
    examination: Generator[Invocation, Ended, Given], alter: Callable[[Invocation], Invocation]
) -> Generator[Invocation, Ended, Given]:
    """The same examination, with all that it runs run in another way."""
    try:
        invocation = next(examination)
        while True:
            invocation = examination.send((yield alter(invocation)))
    except StopIteration as done:
        given: Given = done.value
        return given
