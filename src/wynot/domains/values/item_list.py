"""A list of anything as deltas: for Python callers."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from wynot.core.artifact import digest
from wynot.core.config import Config

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ItemList(Generic[Item]):
    """Deltas are the items of a list; a candidate is the configuration with its sub-list, in order."""

    items: Sequence[Item]

    def __len__(self) -> int:
        return len(self.items)

    def render(self, config: Config) -> tuple[Config, list[Item]]:
        """The items that are present."""
        return config, [item for a, b in config.intervals() for item in self.items[a:b]]

    def digest(self, candidate: tuple[Config, list[Item]]) -> bytes:
        """Items need not be comparable: the configuration is the key."""
        return digest(array("Q", candidate[0].bounds).tobytes())

    def size(self, candidate: tuple[Config, list[Item]]) -> int:
        """How many items there are."""
        return len(candidate[1])
