"""What a grammar has to complain of: how many errors there are in a syntax tree, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

Errors = tuple[int, int]
"""How many errors there are, and how many bytes they cover."""


class TopLevelItems:
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


class SyntaxErrors:
    """What counts as a syntax error: what the grammar calls one, unless the language allows it."""

    def __init__(self, spare: str = "", unclosed: str = "") -> None:
        """`spare`: a kind of node that may be missing.

        `unclosed`: kinds (a regular expression) of nodes that may stand in a row without what encloses them.
        """
        self._spare = spare
        self._unclosed = re.compile(unclosed) if unclosed else None

    def count(self, tree: tree_sitter.Tree) -> Errors:
        """The syntax errors of a tree."""
        sizes = [node.end_byte - node.start_byte for node in self.of(tree)]
        return len(sizes), sum(sizes)

    def of(self, tree: tree_sitter.Tree) -> Iterator[tree_sitter.Node]:
        """The nodes that are syntax errors; only the branches that have some are looked at.

        There need not be any: what a scanner of the grammar's own has missed may be no node.
        """
        waiting = [tree.root_node]
        while waiting:
            node = waiting.pop()
            if (node.is_error and not self._allowed(node)) or (node.is_missing and node.type != self._spare):
                yield node
            elif node.has_error:
                waiting.extend(node.children)

    def _allowed(self, error: tree_sitter.Node) -> bool:
        """Whether an error is a row of nodes that need nothing around them."""
        if self._unclosed is None:
            return False
        children = error.children
        return bool(children) and all(self._unclosed.fullmatch(child.type) for child in children)

    def astray(self, tree: tree_sitter.Tree) -> int:
        """How many bytes are in errors and in nothing that has a structure there.

        One fault may make an error of a whole file: what is in it, statements and functions, is as good as elsewhere.
        """
        covered = 0
        waiting = [tree.root_node]
        while waiting:
            node = waiting.pop()
            if node.is_error and not self._allowed(node):
                covered += node.end_byte - node.start_byte
                apart = [each for each in node.children if each.is_error or (each.is_named and each.child_count)]
                covered -= sum(each.end_byte - each.start_byte for each in apart)
            if node.has_error:
                waiting.extend(node.children)
        return covered
