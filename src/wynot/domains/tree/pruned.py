"""A tree with some of its nodes absent, as a text.

A node that is absent, and all below it, is cut, or replaced by a smallest text where it may not be cut. If some nodes
below an absent one are present, they stand in its place. Neighbours that are cut together go as one stretch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.domains.tree.changes import Change, applied
from wynot.domains.tree.mentions import Mentions
from wynot.domains.tree.places import Places
from wynot.domains.tree.tree import Tree

MUCH = 1 << 16
"""Of more bytes than this is not told what goes: there are few such cuts, and what is left of them changes."""

FEW = 16
"""So many steps are remembered with what goes."""


class Pruned:
    """The deltas of a tree: its nodes."""

    def __init__(self, tree: Tree, places: Places) -> None:
        self.tree, self.places = tree, places
        self._gaps: dict[tuple[int, int], list[Change]] = {}
        self._joined: dict[int, bool] = {}
        """By the right one of two neighbours."""
        self._latest: tuple[Config, list[Change]] | None = None
        self._parts: dict[tuple[Config, Config], list[bytes]] = {}

    def __len__(self) -> int:
        return len(self.tree)

    def render(self, config: Config) -> bytes:
        """The file with only these nodes."""
        return applied(self.tree.data, self.changes(config))

    def changes(self, config: Config) -> list[Change]:
        """What becomes of the file, in order; neighbours may both take the white space between them."""
        if self._latest is None or self._latest[0] != config:
            self._latest = config, self._changes(config)
        return self._latest[1]

    def _changes(self, config: Config) -> list[Change]:
        changes: list[Change] = []
        lifted: list[Change] = []
        for start, end in (Config.full(len(self.tree)) - config).intervals():
            known = self._gaps.get((start, end))
            if known is None:
                known = self._gaps[start, end] = list(self._gap(start, end))
            changes += known
            if end < len(self.tree) and self.tree.shape.parents[end] >= start:
                lifted += self._lift(config, start, end)
        return _outermost(changes + lifted) if lifted else changes

    def _gap(self, start: int, end: int) -> Iterator[Change]:
        """What becomes of the subtrees that are absent as a whole, run by run."""
        lasts, parents = self.tree.shape.lasts, self.tree.shape.parents
        node = start
        while node < end:
            if lasts[node] > end:
                node += 1  # some of it is present
                continue
            text = self.places.smallest(node)
            first = node
            if text:
                yield Change(self.tree.starts[node], self.tree.ends[node], text)
                node = lasts[node]
                continue
            while (after := lasts[node]) < end and parents[after] == parents[first] and lasts[after] <= end:
                joined = self._joined.get(after)
                if joined is None:
                    joined = self._joined[after] = self._join(node, after)
                if not joined:
                    break
                node = after
            yield self.places.cut(first, node)
            node = lasts[node]

    def _join(self, left: int, right: int) -> bool:
        """Whether two neighbours that are both cut go as one stretch."""
        return not self.places.smallest(right) and self.places.adjoin(left, right)

    def _lift(self, config: Config, start: int, present: int) -> Iterator[Change]:
        """What becomes of absent nodes that `present` stands in for, alone or first of several."""
        shape, tree = self.tree.shape, self.tree
        top = present
        while shape.parents[top] >= start:
            top = shape.parents[top]
        yield Change(tree.starts[top], tree.starts[present], b"")
        final = _before(config, shape.lasts[top])
        while shape.parents[final] in config and shape.parents[final] > top:
            final = shape.parents[final]
        yield Change(tree.ends[final], tree.ends[top], b"")

    def cut(self, before: Config, after: Config) -> bytes:
        """What is in the first of two configurations and not in the second, as a text.

        Of a node that something below it stands in for, both are told.
        """
        return b"\0".join(self.parts(before, after))

    def parts(self, before: Config, after: Config) -> list[bytes]:
        """The same, node by node; nothing where it is too much to tell.

        A thing that is used less often than before is another one: without its last user it can go.
        """
        known = self._parts.get((before, after))
        if known is None:
            if len(self._parts) >= FEW:  # whoever asks asks again soon
                self._parts.clear()
            known = self._parts[before, after] = self._told(before, after)
        return known

    def _told(self, before: Config, after: Config) -> list[bytes]:
        lasts, gone = self.tree.shape.lasts, list((before - after).intervals())
        parts: list[bytes] = []
        if sum(self.tree.ends[end - 1] - self.tree.starts[node] for node, end in gone) > MUCH:
            return parts
        for node, end in gone:
            if lasts[node] > end:
                parts.append(self.tree.text(node) + b"\1")
                continue
            at = node
            while at < end:
                parts.append(self.tree.text(at) + b"\1%d" % self._names.mentioned(at, after))
                at = lasts[at]
        return parts

    @cached_property
    def _names(self) -> Mentions:
        return Mentions(self.tree)

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)


def _before(config: Config, end: int) -> int:
    """The last member before `end`."""
    place = bisect_left(config.bounds, end)
    return end - 1 if place & 1 else config.bounds[place - 1] - 1


def _outermost(changes: list[Change]) -> list[Change]:
    """Stretches that overlap become one; a text is kept only where its stretch stays its own."""
    merged: list[Change] = []
    for change in sorted(changes, key=lambda c: (c.start, -c.end)):
        if merged and change.start < merged[-1].end:
            last = merged.pop()
            change = Change(last.start, max(last.end, change.end), last.text)  # noqa: PLW2901 - the two as one
        merged.append(change)
    return merged
