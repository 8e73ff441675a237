"""Trees by tree-sitter: one adapter for all its grammars."""

from __future__ import annotations

import re
import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING

import tree_sitter

from wynot.domains.tree.differing import differing
from wynot.domains.tree.places import Trying
from wynot.domains.tree.tree import Grown, Tree

if TYPE_CHECKING:
    from tree_sitter import TreeCursor

SMALL = 4096
"""Texts up to this size are parsed anew: it takes no longer than looking for what has changed."""


class TreeSitter(Trying):
    """A language with a tree-sitter grammar."""

    def __init__(self, name: str, module: str, entry: str = "language", items: str = "") -> None:
        """The grammar is what `entry` of `module` gives; ImportError where that is not installed.

        `items`: what a file may consist of (a regular expression of kinds), where the grammar takes anything.
        """
        self.name = name
        self._items = re.compile(items) if items else None
        self._latest: tuple[bytes, tree_sitter.Tree] | None = None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # older wheels give a number, not a capsule
            self._language = tree_sitter.Language(getattr(import_module(module), entry)())

    def parse(self, data: bytes, deepest: int | None = None) -> Tree:
        """The named nodes of the syntax tree."""
        cursor = self._read(data).walk()
        grown = Grown(data)
        grown.add(-1, cursor.node.type if cursor.node else "file", 0, len(data))
        _grow(grown, cursor, sys.maxsize if deepest is None else deepest)
        return grown.tree()

    def checker(self, data: bytes) -> TreeSitterChecker:
        """Says which texts have no more syntax errors than this one."""
        return TreeSitterChecker(tree_sitter.Parser(self._language), data, self._read(data), self._items)

    def syntax(self, data: bytes) -> tree_sitter.Tree:
        """tree-sitter's own tree of a text, for who wants to look at a few places of it; it is not kept."""
        return tree_sitter.Parser(self._language).parse(data)

    def _read(self, data: bytes) -> tree_sitter.Tree:
        """The syntax tree of a text; that of the latest large one is kept."""
        if self._latest is not None and self._latest[0] == data:
            return self._latest[1]
        tree = tree_sitter.Parser(self._language).parse(data)
        if len(data) > SMALL:
            self._latest = data, tree
        return tree


def _grow(grown: Grown, cursor: TreeCursor, deepest: int) -> None:
    """Walk through a syntax tree without recursion; some are very deep.

    A node that fills its only named parent's place adds nothing and is left out.
    """
    path = [0]
    down = cursor.goto_first_child()
    while down or _onward(cursor, path):
        node = cursor.node
        if node is None:  # pragma: no cover - a cursor always has one
            break
        start, end = node.start_byte, node.end_byte
        parent = path[-1]
        down = False
        if node.is_named and end > start:
            fills = parent > 0 and start == grown.starts[parent] and end == grown.ends[parent]
            this = parent if fills else grown.add(parent, node.type, start, end, cursor.field_name or "")
            down = len(path) < deepest and cursor.goto_first_child()
            if down:
                path.append(this)


def _onward(cursor: TreeCursor, path: list[int]) -> bool:
    """Go to the next sibling, or the next of the nearest ancestor that has one."""
    while not cursor.goto_next_sibling():
        if len(path) == 1 or not cursor.goto_parent():
            return False
        path.pop()
    return True


Errors = tuple[int, int]
"""How many errors there are, and how many bytes they cover."""


class TreeSitterChecker:
    """Counts syntax errors; a large text is parsed anew only where it differs from the one to begin with.

    Always from that one: what tree-sitter makes of a text with errors can depend on where it comes from.
    """

    def __init__(
        self, parser: tree_sitter.Parser, data: bytes, tree: tree_sitter.Tree, items: re.Pattern[str] | None
    ) -> None:
        self._parser, self._items = parser, items
        self._known, self._size = data, len(data)
        self._tree = tree
        self._allowed = self._errors(self._tree)

    def __call__(self, candidate: bytes) -> bool:
        """Whether a text has no more errors than the one to begin with."""
        return self._fine(self._parsed(candidate))

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        tree = self._parsed(candidate)
        if not self._fine(tree):
            return frozenset()
        found = set()
        node = tree.root_node.named_descendant_for_byte_range(start, end)
        while node is not None and (node.start_byte, node.end_byte) == (start, end):
            found.add(node.type)
            node = node.parent
        return frozenset(found)

    def _errors(self, tree: tree_sitter.Tree) -> Errors:
        count, covered = errors(tree)
        if self._items is not None:
            kinds = (node.type for node in tree.root_node.children if not node.is_error)
            count += sum(self._items.fullmatch(kind) is None for kind in kinds)
        return count, covered

    def _fine(self, tree: tree_sitter.Tree) -> bool:
        count, covered = self._errors(tree)
        return count <= self._allowed[0] and covered <= self._allowed[1]

    def _parsed(self, candidate: bytes) -> tree_sitter.Tree:
        if len(candidate) <= SMALL:
            return self._parser.parse(candidate)
        start, old_end, new_end = differing(self._known, candidate)
        tree = self._tree.copy()
        tree.edit(
            start,
            old_end,
            new_end,
            _point(self._known, start),
            _point(self._known, old_end),
            _point(candidate, new_end),
        )
        return self._parser.parse(candidate, tree)

    @property
    def clean(self) -> bool:
        """Whether there are no errors."""
        return self._allowed == (0, 0)

    @property
    def broken(self) -> float:
        """The share of the text that is in errors."""
        return self._allowed[1] / max(self._size, 1)


def _point(data: bytes, at: int) -> tuple[int, int]:
    """A position as row and column."""
    return data.count(b"\n", 0, at), at - data.rfind(b"\n", 0, at) - 1


def errors(tree: tree_sitter.Tree) -> Errors:
    """The syntax errors of a tree; only the branches that have some are looked at."""
    count = covered = 0
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            count += 1
            covered += node.end_byte - node.start_byte
        elif node.has_error:
            waiting.extend(node.children)
    return count, covered
