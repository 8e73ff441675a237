"""The neutral tree: nodes with a kind and a place in the file. Nothing is copied; the file itself is the text.

What stands between the children of a node (key words, brackets, white space) is the node's own. So rendering a tree
with all its nodes gives the file back, byte for byte.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wynot.core.tree_shape import TreeShape, shape_of

NO_FIELD = ""
OUTLINE = "outline"
"""What the whole is called where no grammar says what it is."""
ERROR = "ERROR"
"""How grammars call what they do not understand."""
LONGEST_NAME = 100
"""Leaves longer than this (in bytes) are prose, not names."""


@dataclass(frozen=True, slots=True)
class SyntaxTree:
    """A file and its nodes, in preorder."""

    data: bytes
    kinds: Sequence[str]
    fields: Sequence[str]
    """The role each node plays for its parent ("body"), where the grammar names one."""
    starts: Sequence[int]
    ends: Sequence[int]
    shape: TreeShape

    def __len__(self) -> int:
        return len(self.kinds)

    def text(self, node: int) -> bytes:
        """What a node looks like in the file."""
        return self.data[self.starts[node] : self.ends[node]]

    def leaves(self, longest: int) -> Iterator[int]:
        """The nodes with none below them, those of so many bytes at most."""
        weights = self.shape.weights
        return (node for node, last in enumerate(self.shape.lasts) if last == node + 1 and weights[node] <= longest)

    def by_kind(self, nodes: list[int]) -> list[int]:
        """Nodes of one level: those of one kind side by side, in order; the kinds that hold the most come last."""
        held: dict[tuple[str, str], int] = {}
        keys = {node: (self.kinds[node], self.fields[node]) for node in nodes}
        for node, key in keys.items():
            held[key] = held.get(key, 0) + self.shape.weights[node]
        return sorted(nodes, key=lambda node: (held[keys[node]], keys[node], node))


def texts(tree: SyntaxTree) -> Iterator[tuple[int, bytes]]:
    """Where names may be, in order: leaves; in outlines all lines and items, without what is in them."""
    if tree.kinds[0] != OUTLINE:
        yield from ((leaf, tree.text(leaf)) for leaf in tree.leaves(LONGEST_NAME))
        return
    lasts = tree.shape.lasts
    for node in range(1, len(tree)):
        end = tree.ends[node] if lasts[node] == node + 1 else tree.starts[node + 1]
        if end - tree.starts[node] <= LONGEST_NAME:
            yield node, tree.data[tree.starts[node] : end]


@dataclass(slots=True)
class TreeBuilder:
    """A tree while it is built: nodes are added in preorder."""

    data: bytes
    kinds: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    parents: array[int] = field(default_factory=lambda: array("q"))

    def add(self, parent: int, kind: str, start: int, end: int, role: str = NO_FIELD) -> int:
        """Add a node below `parent` (-1: the root); gives its number."""
        self.kinds.append(kind)
        self.fields.append(role)
        self.starts.append(start)
        self.ends.append(end)
        self.parents.append(parent)
        return len(self.kinds) - 1

    def tree(self) -> SyntaxTree:
        """The tree, complete."""
        weights = array("q", map(int.__sub__, self.ends, self.starts))
        shape = shape_of(self.parents, weights)
        return SyntaxTree(self.data, self.kinds, self.fields, self.starts, self.ends, shape)
