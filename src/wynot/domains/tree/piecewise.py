"""Large texts are judged piece by piece: what has changed, with the items of the file around it.

A file is a row of items (functions, declarations). Where some are cut or changed, those that are left and their
neighbours are read as a file of their own; if that has no errors, or no more than the same stretch had before, the
whole has none that are new. That takes time in proportion to what is left of the change, not to the file.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from wynot.domains.tree.changes import Change, woven
from wynot.domains.tree.tree import Tree
from wynot.domains.tree.words import Checker, Language

PIECES = 32768
"""Texts from this size on (in bytes) are judged piece by piece..."""
LARGE = 65536
"""...and of those from this size on the first levels alone are looked at first."""

STILL_LARGE = 3
"""If more than one in so many bytes is left, a text is compared with the file first: that takes less time."""

Judge = Callable[[Sequence[Change]], bool]
"""Says whether a file is as valid after some changes (in order) as before."""

_Piece = tuple[int, int, tuple[Change, ...]]


class Piecewise:
    """Judges changes of one file."""

    def __init__(self, tree: Tree, language: Language) -> None:
        self._tree, self._language = tree, language
        items = list(tree.shape.children(0)) if len(tree) else []
        self._starts = [tree.starts[item] for item in items]
        self._ends = [tree.ends[item] for item in items]
        self._known: dict[_Piece, bool] = {}

    def __call__(self, changes: Sequence[Change]) -> bool:
        """Whether the file is as valid after these changes (in order) as before."""
        return all(map(self._valid, self._pieces(changes)))

    def _pieces(self, changes: Sequence[Change]) -> Iterator[_Piece]:
        """Stretches that hold the changes and a neighbour on either side; those that share a neighbour are one."""
        start = end = -1
        held: list[Change] = []
        for change in changes:
            low, high = self._around(change)
            if held and low < end:
                end = max(end, high)
            else:
                if held:
                    yield start, end, tuple(held)
                start, end, held = low, high, []
            held.append(change)
        if held:
            yield start, end, tuple(held)

    def _around(self, change: Change) -> tuple[int, int]:
        """From the item before a change to the one after it, in bytes."""
        before = bisect_right(self._ends, change.start) - 1
        after = bisect_left(self._starts, change.end)
        start = self._starts[before] if before >= 0 else 0
        end = self._starts[after + 1] if after + 1 < len(self._starts) else len(self._tree.data)
        return start, end

    def _valid(self, piece: _Piece) -> bool:
        if piece not in self._known:
            self._known[piece] = self._judge(*piece)
        return self._known[piece]

    def _judge(self, start: int, end: int, changes: Sequence[Change]) -> bool:
        old = self._tree.data[start:end]
        new, places = woven(old, [Change(max(c.start - start, 0), c.end - start, c.text) for c in changes])
        if end - start == len(self._tree.data) and len(new) * STILL_LARGE > len(old):
            return self._whole(new, places) or self._language.checker(new).clean
        return self._language.checker(new).clean or self._language.checker(old)(new)

    @cached_property
    def _whole(self) -> Checker:
        """Says which texts are as valid as the whole file."""
        return self._language.checker(self._tree.data)
