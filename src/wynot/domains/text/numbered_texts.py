"""Texts that are made one out of the other, by their numbers."""

from __future__ import annotations

from wynot.core.artifact import digest
from wynot.core.config import Config


class NumberedTexts:
    """Whole texts instead of deltas: a configuration is the number of one. Number 0 is what it begins with."""

    def __init__(self, first: bytes) -> None:
        self._texts = [first]

    def add(self, text: bytes) -> int:
        """Give a text its number."""
        self._texts.append(text)
        return len(self._texts) - 1

    def __getitem__(self, number: int) -> bytes:
        return self._texts[number]

    def render(self, config: Config) -> bytes:
        """The text of this number."""
        return self._texts[config.bounds[0]]

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)
