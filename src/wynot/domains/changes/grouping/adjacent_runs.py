"""Stretches of changes that lie side by side: cut where nothing has changed for long, between files best of all.

What was made together mostly stands together, in one file or in one folder, and so does what only makes sense as a
whole (a table of numbers, say). A cut in the widest gap seldom goes through such a thing, whatever the language.
"""

from __future__ import annotations

from collections.abc import Sequence

from wynot.core.config import Config
from wynot.domains.changes.change import Change

_FILES = 1 << 40
"""Two files are farther apart than any lines of one."""
_MIDDLE = 3
"""A cut leaves at least one part in so many on either side."""


class AdjacentRuns:
    r"""Changes in the order of their numbers, which go by path and position.

    >>> from wynot.domains.changes.change import ChangeKind
    >>> here = [Change("a", "a", ChangeKind.HUNK, at, 1, at, 1, b"x\n", b"y\n") for at in (1, 4, 9, 90, 95)]
    >>> AdjacentRuns(here, Config.full(5)).halves(Config.full(5))
    [Config(0-2), Config(3-4)]
    """

    def __init__(self, changes: Sequence[Change], counting: Config) -> None:
        self.changes = changes
        self.counting = frozenset(counting)
        """Those that count; others go where they lie."""

    def halves(self, config: Config) -> list[Config]:
        """Two stretches, each with a fair part of those that count; none, where it cannot be cut."""
        members = list(config)
        before, ways = 0, []
        whole = sum(each in self.counting for each in members)
        for place, each in enumerate(members):
            if place and 0 < before < whole and whole <= _MIDDLE * min(before, whole - before) + 1:
                ways.append((self._gap(members[place - 1], each), -abs(2 * before - whole), place))
            before += each in self.counting
        if not ways:
            return []
        place = max(ways)[2]
        return [Config.of(members[:place]), Config.of(members[place:])]

    def parts(self, config: Config, halving: int) -> list[Config]:
        """Cut so many times in two."""
        parts = [config]
        for _ in range(halving):
            parts = [half for part in parts for half in (self.halves(part) or [part])]
        return parts

    def _gap(self, one: int, other: int) -> int:
        """How far it is from one change to the next."""
        first, second = self.changes[one], self.changes[other]
        if first.path == second.path:
            return second.old_at - first.old_at - first.old_count
        shared = 0
        for left, right in zip(first.path.split("/"), second.path.split("/"), strict=False):
            if left != right:
                break
            shared += 1
        return _FILES - shared
