"""A text behind another one: the deltas of the first, and one more, which is all of the other."""

from __future__ import annotations

from typing import Protocol

from wynot.core.artifact import digest
from wynot.core.config import Config


class Rendering(Protocol):
    """Makes a text of a configuration."""

    def render(self, config: Config) -> bytes:
        """The text with these deltas."""
        ...


class PrefixedDomain:
    """The deltas of a text have the numbers they have by themselves, what stands before it the next one."""

    def __init__(self, head: bytes, text: Rendering, deltas: int) -> None:
        self._head, self._text, self._deltas = head, text, Config.full(deltas)

    def render(self, config: Config) -> bytes:
        """What is left of both."""
        own = config & self._deltas
        return self._text.render(own) if own == config else self._head + self._text.render(own)

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)
