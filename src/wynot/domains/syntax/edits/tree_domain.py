"""A tree with some of its nodes absent, as a text.

A node that is absent, and all below it, is cut, or replaced by a smallest text where it may not be cut. If some nodes
below an absent one are present, they stand in its place. Neighbours that are cut together go as one stretch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.edits.name_usage import NameMentions
from wynot.domains.syntax.syntax_tree import EditedRange, SyntaxTree, TextEdit, woven
from wynot.domains.text.atom_domain import MOST_TOLD

LATEST = 8
"""So many answers are remembered, at most."""


class TreeDomain:
    """The deltas of a tree: its nodes."""

    def __init__(self, tree: SyntaxTree, places: EditCandidates, instead: Mapping[int, bytes] | None = None) -> None:
        """`instead`: what stands in the place of some nodes, whatever else might."""
        self.tree, self.places, self._instead = tree, places, instead or {}
        self._gaps: dict[tuple[int, int], list[TextEdit]] = {}
        self._joined: dict[int, bool] = {}
        """By the right one of two neighbours."""
        self._latest: tuple[Config, list[TextEdit]] | None = None
        self._text: tuple[Config, tuple[bytes, list[EditedRange]]] | None = None
        """The latest text: it is looked at, and tested, and kept."""
        self._told: dict[tuple[Config, Config], list[bytes]] = {}
        """The latest answers of `cut`: it is asked before a test, and after an unsuccessful one."""

    def __len__(self) -> int:
        return len(self.tree)

    def render(self, config: Config) -> bytes:
        """The file with only these nodes."""
        return self.woven(config)[0]

    def woven(self, config: Config) -> tuple[bytes, list[EditedRange]]:
        """The file with only these nodes, and the places where it differs."""
        if self._text is None or self._text[0] != config:
            self._text = config, woven(self.tree.data, self.changes(config))
        return self._text[1]

    def changes(self, config: Config) -> list[TextEdit]:
        """What becomes of the file, in order; neighbours may both take the white space between them."""
        if self._latest is None or self._latest[0] != config:
            self._latest = config, self._changes(config)
        return self._latest[1]

    def _changes(self, config: Config) -> list[TextEdit]:
        changes: list[TextEdit] = []
        lifted: list[TextEdit] = []
        for start, end in (Config.full(len(self.tree)) - config).intervals():
            known = self._gaps.get((start, end))
            if known is None:
                known = self._gaps[start, end] = list(self._gap(start, end))
            changes += known
            if end < len(self.tree) and self.tree.shape.parents[end] >= start:
                lifted += self._lift(config, start, end)
        changes = self.places.settled(changes)
        return _outermost(changes + lifted) if lifted else changes

    def _gap(self, start: int, end: int) -> Iterator[TextEdit]:
        """What becomes of the subtrees that are absent as a whole, run by run."""
        lasts, parents = self.tree.shape.lasts, self.tree.shape.parents
        node = start
        while node < end:
            if lasts[node] > end:
                node += 1  # some of it is present
                continue
            text = self._smallest(node)
            first = node
            if text:
                yield TextEdit(self.tree.starts[node], self.tree.ends[node], text)
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

    def _smallest(self, node: int) -> bytes | None:
        return self._instead.get(node) or self.places.smallest(node)

    def _join(self, left: int, right: int) -> bool:
        """Whether two neighbours that are both cut go as one stretch."""
        return not self._smallest(right) and self.places.adjoin(left, right)

    def _lift(self, config: Config, start: int, present: int) -> Iterator[TextEdit]:
        """What becomes of absent nodes that `present` stands in for, alone or first of several."""
        shape, tree = self.tree.shape, self.tree
        top = present
        while shape.parents[top] >= start:
            top = shape.parents[top]
        yield TextEdit(tree.starts[top], tree.starts[present], b"")
        final = _before(config, shape.lasts[top])
        while shape.parents[final] in config and shape.parents[final] > top:
            final = shape.parents[final]
        yield TextEdit(tree.ends[final], tree.ends[top], b"")

    def cut(self, before: Config, after: Config) -> list[bytes]:
        """What is in the first of two configurations and not in the second, node by node; nothing if it is much.

        Of a node that something below it stands in for, both are told. A thing that is used less often than before is
        another one: without its last user it can go.
        """
        key = before, after
        if key not in self._told:
            if len(self._told) >= LATEST:
                self._told.clear()
            self._told[key] = self._cut(*key)
        return self._told[key]

    def _cut(self, before: Config, after: Config) -> list[bytes]:
        lasts, starts, ends = self.tree.shape.lasts, self.tree.starts, self.tree.ends
        gone = list((before - after).intervals())
        parts: list[bytes] = []
        if sum(max(ends[node], ends[end - 1]) - starts[node] for node, end in gone) > MOST_TOLD:
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
    def _names(self) -> NameMentions:
        return NameMentions(self.tree)

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


def _outermost(changes: list[TextEdit]) -> list[TextEdit]:
    """Stretches that overlap become one; a text is kept only where its stretch stays its own."""
    merged: list[TextEdit] = []
    for change in sorted(changes, key=lambda c: (c.start, -c.end)):
        if merged and change.start < merged[-1].end:
            last = merged.pop()
            change = TextEdit(last.start, max(last.end, change.end), last.text)  # noqa: PLW2901 - the two as one
        merged.append(change)
    return merged
