"""The shape of a tree: what a search must know of it, and no more.

Nodes are numbered in preorder, so a node and all below it are one interval of numbers, and a configuration of nodes
is cut with two numbers. A node that is absent takes its whole subtree with it; if some of its descendants are present
all the same, they stand in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wynot.core.config import Config


@dataclass(frozen=True, slots=True)
class TreeShape:
    """A tree of nodes 0 .. len-1 in preorder; node 0 is the root."""

    parents: Sequence[int]
    """The parent of each node; the root's is -1."""
    lasts: Sequence[int]
    """The number after the last one below each node: node i's subtree is i .. lasts[i]-1."""
    depths: Sequence[int]
    weights: Sequence[int]
    """How much each subtree holds (bytes, say)."""

    def __len__(self) -> int:
        return len(self.parents)

    def subtree(self, node: int) -> Config:
        """A node and all below it."""
        return Config((node, self.lasts[node]))

    def top(self, node: int) -> int:
        """The child of the root that a node is, or is below of."""
        while self.parents[node] > 0:
            node = self.parents[node]
        return node

    def before(self, node: int) -> int | None:
        """The sibling before a node, if there is one."""
        parent, before = self.parents[node], node - 1
        while before > parent:
            if self.parents[before] == parent:
                return before
            before = self.parents[before]
        return None

    def children(self, node: int) -> Iterator[int]:
        """The nodes directly below a node."""
        child, last = node + 1, self.lasts[node]
        while child < last:
            yield child
            child = self.lasts[child]


def shape_of(parents: Sequence[int], weights: Sequence[int]) -> TreeShape:
    """The shape that these parents (in preorder) describe.

    >>> shape_of([-1, 0, 1, 0], [4, 2, 1, 1]).lasts
    [4, 3, 3, 4]
    """
    lasts, depths = [0] * len(parents), list[int]()
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    for node in range(len(parents) - 1, -1, -1):
        last = lasts[node] = lasts[node] or node + 1
        parent = parents[node]
        if parent >= 0 and not lasts[parent]:  # its last child: the others end before
            lasts[parent] = last
    return TreeShape(parents, lasts, depths, weights)
