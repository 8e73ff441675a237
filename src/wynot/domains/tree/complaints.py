"""What a grammar has to complain of: how many errors there are in a syntax tree, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

Errors = tuple[int, int]
"""How many errors there are, and how many bytes they cover."""


class Items:
    """What a file may consist of, where a grammar takes anything."""

    def __init__(self, kinds: str) -> None:
        """All kinds that match a regular expression."""
        self._kinds = re.compile(kinds)
        self._known: dict[str, bool] = {}

    def others(self, tree: tree_sitter.Tree) -> int:
        """How many items of a tree are none, without those that are errors anyway."""
        return sum(not self._may(node.type) for node in tree.root_node.children if not node.is_error)

    def _may(self, kind: str) -> bool:
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = self._kinds.fullmatch(kind) is not None
        return known


def errors(tree: tree_sitter.Tree, spare: str = "") -> Errors:
    """The syntax errors of a tree. `spare`: a kind of node that may be missing."""
    sizes = [node.end_byte - node.start_byte for node in faults(tree, spare)]
    return len(sizes), sum(sizes)


def faults(tree: tree_sitter.Tree, spare: str = "") -> Iterator[tree_sitter.Node]:
    """The nodes that are syntax errors; only the branches that have some are looked at.

    There need not be any: what a scanner of the grammar's own has missed may be no node.
    """
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.is_error or (node.is_missing and node.type != spare):
            yield node
        elif node.has_error:
            waiting.extend(node.children)


def astray(tree: tree_sitter.Tree) -> int:
    """How many bytes are in errors and in nothing that has a structure there.

    One fault may make an error of a whole file: what is in it, statements and functions, is as good as elsewhere.
    """
    covered = 0
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.is_error:
            covered += node.end_byte - node.start_byte
            apart = [each for each in node.children if each.is_error or (each.is_named and each.child_count)]
            covered -= sum(each.end_byte - each.start_byte for each in apart)
        if node.has_error:
            waiting.extend(node.children)
    return covered
