"""Decide quickly whether a candidate has no more syntax errors than the original."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeVar

import tree_sitter

from wynot.domains.syntax.syntax_tree import Language, SyntaxTree, TextEdit, ValidityChecker, woven

# What a grammar has to complain of: how many errors there are in a syntax tree, and where.


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


class ReservedWords:
    """Words that a language does not take for names; most grammars do where nothing else fits."""

    def __init__(self, words: str) -> None:
        """A regular expression in which space separates the words."""
        self._words = re.compile(rf"(?<![\w.$@])(?:{'|'.join(words.split())})(?!\w)".encode())

    def misused(self, data: bytes, tree: tree_sitter.Tree) -> int:
        """How many of the words in a text are names in its tree.

        Some nodes may hold any word: what a macro is given need not be of the language.
        """
        root = tree.root_node
        return sum(self._is_name(root, *match.span()) for match in self._words.finditer(data))

    def _is_name(self, root: tree_sitter.Node, start: int, end: int) -> bool:
        node = root.descendant_for_byte_range(start, end)
        if node is None or not _NAMES.fullmatch(node.type) or (node.start_byte, node.end_byte) != (start, end):
            return False
        parent = node.parent
        return parent is None or not _ANY_WORD.fullmatch(parent.type)


_NAMES = re.compile(r"((type|simple)_)?identifier")
_ANY_WORD = re.compile(r"preproc_\w+|token_tree|(ex|im)port_specifier")
"""Nodes that may hold any word."""


class SyntaxErrors:
    """What counts as a syntax error.

    What the grammar calls one, unless the language allows it, and what the grammar takes and the language does not.
    """

    def __init__(self, spare: str = "", unclosed: str = "", items: str = "", reserved: str = "") -> None:
        """As in the table of languages."""
        self._spare = spare
        self._unclosed = re.compile(unclosed) if unclosed else None
        self._items = TopLevelItems(items) if items else None
        self._reserved = ReservedWords(reserved) if reserved else None

    def count(self, data: bytes, tree: tree_sitter.Tree) -> Errors:
        """The syntax errors of a text with its tree."""
        sizes = [node.end_byte - node.start_byte for node in self.of(tree)]
        return len(sizes) + self._more(data, tree), sum(sizes)

    def any(self, data: bytes, tree: tree_sitter.Tree) -> bool:
        """Whether there are any: the rest need not be counted."""
        return (tree.root_node.has_error and any(True for _ in self.of(tree))) or self._more(data, tree) > 0

    def _more(self, data: bytes, tree: tree_sitter.Tree) -> int:
        """The errors that the grammar does not know."""
        others = self._items.others(tree) if self._items else 0
        return others + (self._reserved.misused(data, tree) if self._reserved else 0)

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


# Decide whether an edit is valid by parsing only the part of the file that decides it.
#
# A text that is not valid takes long to parse, if it is long. So a change is tried within the item of the file that it
# is in, and that item's neighbours, where these are a file by themselves; else within the whole file. Of what is still
# large most of the longer lists can be left out: what stands far from the node does not matter, if all is well without
# it.


ENOUGH = 8192
"""Files up to this size (in bytes) are their own context."""
NARROW = 2048
"""Contexts larger than this are looked at more closely."""
KEPT = 64
"""Contexts to remember."""


LONG = 512
"""Less than this (in bytes) of a list is not worth leaving out."""


Gap = tuple[int, int]


class EditContext(NamedTuple):
    """A stretch of the file, where it starts, what is valid in its place, and what of the stretch is left out."""

    start: int
    data: bytes
    valid: ValidityChecker
    gaps: tuple[Gap, ...] = ()

    def at(self, place: int) -> int:
        """A place of the file, in this text."""
        gone = 0
        for start, end in self.gaps:
            if start < place:
                gone += min(place, end) - start
        return max(place - self.start - gone, 0)


class EditContexts:
    """The contexts of one tree's nodes."""

    def __init__(self, tree: SyntaxTree, language: Language) -> None:
        self._tree, self._language = tree, language
        self._whole: EditContext | None = None
        self._known: OrderedDict[int, EditContext | None] = OrderedDict()
        self._latest: tuple[int, EditContext] | None = None
        self._rows: dict[int, list[int]] = {}

    def around(self, node: int) -> EditContext:
        """The context of a node."""
        if self._latest is None or self._latest[0] != node:
            wide = self._wide(node)
            self._latest = node, (len(wide.data) > NARROW and self._narrow(node, wide)) or wide
        return self._latest[1]

    def _narrow(self, node: int, wide: EditContext) -> EditContext | None:
        """A context without what is far from a node; None where it does not go without."""
        if not wide.valid.clean:
            return None
        beside, within = self._far(node, wide.start, wide.start + len(wide.data))
        narrow = self._without(node, wide, beside + within)
        return narrow or (self._without(node, wide, beside) if within else None)

    def _without(self, node: int, wide: EditContext, gaps: list[Gap]) -> EditContext | None:
        """A context less some stretches, if the node and its parent are there what they are in the file."""
        if not gaps:
            return None
        bounds = (wide.start, *chain.from_iterable(sorted(gaps)), wide.start + len(wide.data))
        data = b"".join([self._tree.data[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True)])
        narrow = EditContext(wide.start, data, self._language.checker(data), tuple(gaps))
        nearest = node, self._tree.shape.parents[node]
        return narrow if narrow.valid.clean and all(self._is_there(each, narrow) for each in nearest) else None

    def _is_there(self, node: int, context: EditContext) -> bool:
        """Whether a node is of its kind in a context."""
        tree = self._tree
        start, end = context.at(tree.starts[node]), context.at(tree.ends[node])
        return node == 0 or tree.kinds[node] in context.valid.kinds(context.data, start, end)

    def _far(self, node: int, low: int, high: int) -> tuple[list[Gap], list[Gap]]:
        """What is far from a node: of the lists it is in, all but the ends and its neighbours; and within these."""
        tree = self._tree
        beside: list[Gap] = []
        large = [node]
        while node > 0:
            row = self._row(tree.shape.parents[node])
            place = bisect_left(row, node)
            for first, after in ((1, place - 1), (place + 2, len(row) - 1)):
                beside += self._gap(row, first, after, low, high)
            near = {0, place - 1, place + 1, len(row) - 1} - {place, -1, len(row)}
            large += [row[each] for each in near]
            node = tree.shape.parents[node]
        within: list[Gap] = []
        while large:
            each = large.pop()
            if tree.shape.weights[each] >= LONG:
                row = self._row(each)
                within += self._gap(row, 1, len(row) - 1, low, high)
                large += {*row[:1], *row[-1:]} if len(row) > 2 else row
        return beside, within

    def _row(self, parent: int) -> list[int]:
        if parent not in self._rows:
            self._rows[parent] = list(self._tree.shape.children(parent))
        return self._rows[parent]

    def _gap(self, row: Sequence[int], first: int, after: int, low: int, high: int) -> Iterator[Gap]:
        """From one child to another, where that is long and in the stretch."""
        if first < after:
            start, end = self._tree.starts[row[first]], self._tree.starts[row[after]]
            if low <= start and end <= high and end - start >= LONG:
                yield start, end

    def _wide(self, node: int) -> EditContext:
        """A context that holds all of a node's item."""
        if len(self._tree.data) <= ENOUGH:
            return self._file()
        top = self._tree.shape.top(node)
        if top not in self._known:
            self._known[top] = self._find(top)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return self._known[top] or self._file()

    def _file(self) -> EditContext:
        if self._whole is None:
            self._whole = EditContext(0, self._tree.data, self._language.checker(self._tree.data))
        return self._whole

    def _find(self, top: int) -> EditContext | None:
        """An item of the file with its neighbours, or alone, if it can be read without the rest.

        Best without errors; where neighbours are errors themselves, only new ones count.
        """
        tree, lasts = self._tree, self._tree.shape.lasts
        before = tree.shape.top(top - 1) if top > 1 else top
        after = lasts[top]
        beyond = lasts[after] if after < len(tree) else after
        around = tree.starts[before], tree.starts[beyond] if beyond < len(tree) else len(tree.data)
        broken = None
        for stretch in (around, (tree.starts[top], tree.ends[top])):
            context = self._read(top, *stretch)
            if context is not None and context.valid.clean:
                return context
            broken = broken or context
        return broken

    def _read(self, top: int, start: int, end: int) -> EditContext | None:
        """A stretch by itself, if an item of the file is in it what it is in the file."""
        tree = self._tree
        if end - start > len(tree.data) // 2:
            return None
        data = tree.data[start:end]
        valid = self._language.checker(data)
        kinds = valid.kinds(data, tree.starts[top] - start, tree.ends[top] - start)
        return EditContext(start, data, valid) if tree.kinds[top] in kinds else None


Row = TypeVar("Row", str, bytes, list[str])


def differing(old: Row, new: Row) -> tuple[int, int, int]:
    """The stretch that differs in texts or rows of lines: where it begins, where it ends in the old, in the new one.

    >>> differing(b"int x; int y;", b"int x, y;")
    (5, 10, 6)
    """
    start = _common(min(len(old), len(new)), lambda a, b: old[a:b] == new[a:b])
    left, right = len(old), len(new)
    most = min(left, right) - start
    same = _common(most, lambda a, b: old[left - b : left - a] == new[right - b : right - a])
    return start, left - same, right - same


def _common(most: int, equal: Callable[[int, int], bool]) -> int:
    """How much is equal: a galloping search, then a binary one."""
    known, step = 0, 4096
    while known < most:
        end = min(known + step, most)
        if not equal(known, end):
            break
        known, step = end, step * 2
    else:
        return most
    low, high = known, min(known + step, most)
    while high - low > 1:
        middle = (low + high) // 2
        if equal(low, middle):
            low = middle
        else:
            high = middle
    return low


PIECES = 32768
"""Texts from this size on (in bytes) are judged piece by piece..."""
LARGE = 65536
"""...and of those from this size on the first levels alone are looked at first."""

STILL_LARGE = 3
"""If more than one in so many bytes is left, a text is compared with the file first: that takes less time."""

Judge = Callable[[Sequence[TextEdit]], bool]
"""Says whether a file is as valid after some changes (in order) as before."""

_Piece = tuple[int, int, tuple[TextEdit, ...]]


class PiecewiseValidity:
    """Judges changes of one file."""

    def __init__(self, tree: SyntaxTree, language: Language) -> None:
        self._tree, self._language = tree, language
        items = list(tree.shape.children(0)) if len(tree) else []
        self._starts = [tree.starts[item] for item in items]
        self._ends = [tree.ends[item] for item in items]
        self._known: dict[_Piece, bool] = {}

    def __call__(self, changes: Sequence[TextEdit]) -> bool:
        """Whether the file is as valid after these changes (in order) as before."""
        return all(map(self._valid, self._pieces(changes)))

    def _pieces(self, changes: Sequence[TextEdit]) -> Iterator[_Piece]:
        """Stretches that hold the changes and a neighbour on either side; those that share a neighbour are one."""
        start = end = -1
        held: list[TextEdit] = []
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

    def _around(self, change: TextEdit) -> tuple[int, int]:
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

    def _judge(self, start: int, end: int, changes: Sequence[TextEdit]) -> bool:
        old = self._tree.data[start:end]
        new, places = woven(old, [TextEdit(max(c.start - start, 0), c.end - start, c.text) for c in changes])
        if end - start == len(self._tree.data) and len(new) * STILL_LARGE > len(old):
            return self._whole(new, places) or self._language.checker(new).clean
        return self._language.checker(new).clean or self._language.checker(old)(new)

    @cached_property
    def _whole(self) -> ValidityChecker:
        """Says which texts are as valid as the whole file."""
        return self._language.checker(self._tree.data)
