"""Kinds of places in a tree, and an example of each: nodes of one kind at the same kind of place are alike."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from wynot.domains.syntax.syntax_tree import ERROR, SyntaxTree

Place = tuple[str, str, str, int]
"""The kinds of a parent and of its child, the role of that, and whether it is the first or the last."""


class ContextExamples:
    """The first node at each kind of place: what is found out of it must not depend on who is asked for first.

    If there is one, it is the first without errors in it or beside it, which might hide what a cut leaves behind.
    """

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree
        self._found: dict[Place, int] = {}
        self._doubtful: dict[Place, int] = {}
        """Nodes that are examples where there are no better ones."""
        self._coming: dict[str, Iterator[int]] = {}
        """The nodes of each kind that no example was looked for among, yet."""

    def place(self, node: int) -> Place:
        """Where a node stands."""
        tree, shape = self._tree, self._tree.shape
        parent = shape.parents[node]
        first, last = node == parent + 1, shape.lasts[node] == shape.lasts[parent]
        return tree.kinds[parent], tree.fields[node], tree.kinds[node], 2 * first + last

    def of(self, place: Place) -> int:
        """A node at such a place."""
        if place not in self._found:
            for node in self._coming.setdefault(place[2], _of_kind(self._tree, place[2])):
                found = self.place(node)
                if self._faulty(node):
                    self._doubtful.setdefault(found, node)
                    continue
                self._found.setdefault(found, node)
                if found == place:
                    break
            else:
                self._found[place] = self._doubtful[place]
        return self._found[place]

    def _faulty(self, node: int) -> bool:
        """Whether there are errors in a node or beside it."""
        if not self._errors:
            return False
        kinds, shape = self._tree.kinds, self._tree.shape
        before, after = shape.before(node), shape.lasts[node]
        beside = [] if before is None else [before]
        beside += [after] if after < shape.lasts[shape.parents[node]] else []
        inside = bisect_left(self._errors, after) - bisect_left(self._errors, node)
        return inside > 0 or any(kinds[each] == ERROR for each in beside)

    @cached_property
    def _errors(self) -> list[int]:
        """What the grammar does not understand."""
        kinds = self._tree.kinds
        return [node for node, kind in enumerate(kinds) if kind == ERROR] if ERROR in kinds else []


def _of_kind(tree: SyntaxTree, kind: str) -> Iterator[int]:
    return (node for node, each in enumerate(tree.kinds) if each == kind)
