"""The tests of a suite that run before another one, as deltas."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from wynot.core.artifact import digest
from wynot.core.config import Config


@dataclass(frozen=True, slots=True)
class EarlierTests:
    """Tests in the order in which they run, and the one that they may make fail."""

    earlier: Sequence[str]
    victim: str
    sign: str
    """What its failure looks like."""

    def __len__(self) -> int:
        return len(self.earlier)

    def names(self, config: Config) -> list[str]:
        """Those of the earlier tests that are present."""
        return [name for start, stop in config.intervals() for name in self.earlier[start:stop]]

    def render(self, config: Config) -> bytes:
        """What a fresh process is to run."""
        plan = {"tests": [*self.names(config), self.victim], "victim": self.victim, "sign": self.sign}
        return json.dumps(plan).encode()

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)
