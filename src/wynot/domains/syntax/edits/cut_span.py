"""What goes with a node when it is cut: white space that would be left behind, and the comma that joins a list."""

from __future__ import annotations

import re
from itertools import pairwise

from wynot.domains.syntax.syntax_tree import SyntaxTree

_BLANKS = re.compile(rb"[ \t]*")
_BREAK = re.compile(rb"\r\n|\n|\r|\Z")
_SIGN = re.compile(rb"\s*([^\w\s()\[\]{}<>\"'`$@#]{1,2})\s*")
COMMA = b","
"""Always makes a list; other signs do where they join three or more."""


def whole(data: bytes, start: int, end: int) -> tuple[int, int]:
    r"""A stretch with the white space that goes with it.

    Whole lines go as whole lines; else the blanks behind go, or those before what ends a line.

    >>> whole(b"a;\n  b;\nc;\n", 5, 7)
    (3, 8)
    >>> whole(b"f(a, b)", 2, 4)
    (2, 5)
    """
    after = _matched(_BLANKS, data, end)
    line = max(data.rfind(b"\n", 0, start), data.rfind(b"\r", 0, start)) + 1
    before = start - len(data[line:start]) + len(data[line:start].rstrip(b" \t"))
    ends_line = _BREAK.match(data, after)
    if ends_line and before == line:
        return line, ends_line.end()
    if ends_line:
        return before, after
    return start, after


def _matched(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    match = pattern.match(data, at)
    return match.end() if match else at


class SeparatedLists:
    """Which siblings are joined by a sign, so that cutting one may take a sign with it."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree
        self._after: dict[int, dict[int, int]] = {}
        self._before: dict[int, dict[int, int]] = {}

    def sign(self, node: int) -> bytes:
        """The sign that joins a node to the sibling before or after it; empty where there is none."""
        tree = self._tree
        self._look(parent := tree.shape.parents[node])
        if node in self._after[parent]:
            return tree.data[tree.ends[node] : tree.starts[self._after[parent][node]]].strip()
        if node in self._before[parent]:
            return tree.data[tree.ends[self._before[parent][node]] : tree.starts[node]].strip()
        return b""

    def run(self, first: int, last: int) -> tuple[int, int]:
        """The stretch of the siblings first .. last, with the signs that join them to others."""
        tree = self._tree
        self._look(parent := tree.shape.parents[first])
        after, before = self._after[parent], self._before[parent]
        if last in after:
            return tree.starts[first], tree.starts[after[last]]
        start = tree.ends[before[first]] if first in before else tree.starts[first]
        return start, tree.ends[last]

    def _look(self, parent: int) -> None:
        """Find out for each child whether a sign joins it to the next one."""
        if parent in self._after:
            return
        tree = self._tree
        children = list(tree.shape.children(parent))
        signs: dict[bytes, list[tuple[int, int]]] = {}
        for left, right in pairwise(children):
            match = _SIGN.fullmatch(tree.data, tree.ends[left], tree.starts[right])
            if match:
                signs.setdefault(match[1], []).append((left, right))
        pairs = [pair for sign, found in signs.items() if sign == COMMA or len(found) > 1 for pair in found]
        self._after[parent] = dict(pairs)
        self._before[parent] = {right: left for left, right in pairs}
