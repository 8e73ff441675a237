"""Cuts, replacements and hoists that each tree node allows, by its kind and place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

from wynot.core.config import Config
from wynot.domains.syntax.incremental_validity import EditContexts, Judge, PiecewiseValidity
from wynot.domains.syntax.syntax_tree import ERROR, Language, SyntaxTree, TextEdit
from wynot.domains.text.tokens import count, more_than

# What goes with a node when it is cut: white space that would be left behind, and the comma that joins a list.


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


# Kinds of places in a tree, and an example of each: nodes of one kind at the same kind of place are alike.


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


# What may become of a node: whether it may be cut, what may stand in its place. Found out by parsing, not by tests.
#
# Nodes of one kind at the same kind of place are alike, so each kind of place is tried once (above). What is
# found is a good guess; every candidate is parsed before it is tested.


SMALLEST = (b"0", b"{}", b";", b'""', b"()", b"[]", b"x", b"int", b"pass", b"null")
"""Texts that are the smallest legal one somewhere in many languages."""
_Ranked = tuple[int, int, bytes]
"""A text after its tokens and its bytes: the shortest first."""

_Heir = tuple[str, str, str, str, bool]
Run = tuple[int, int]
"""The first and the last of some siblings."""


class SmallestReplacement(NamedTuple):
    """What may stand in a place, and what goes with that which was there."""

    text: bytes
    listed: bool = False
    """A sign that joins a list goes, too."""
    led: bool = False
    """What leads up to it goes, too: the arrow before a type, say."""


class EditCandidates:
    """What may become of the nodes of one tree."""

    def __init__(self, tree: SyntaxTree, language: Language, free: Config | None = None) -> None:
        self.tree = tree
        self._language = language
        self._contexts = EditContexts(tree, language)
        self._free = free
        self._lists = SeparatedLists(tree)
        self._smallest: dict[int, bytes | None] = {}
        self._cuts: dict[Place, SmallestReplacement | None] = {}
        self._nodes: dict[int, SmallestReplacement | None] = {}
        self._stays: dict[Place, SmallestReplacement | None] = {}
        self._examples = ContextExamples(tree)
        self._heirs: dict[_Heir, bool] = {}
        self._taken: dict[tuple[str, ...], bool] = {}
        self._tokens: dict[int, int] = {}

    def smallest(self, node: int) -> bytes | None:
        """The smallest text in a node's place: nothing where it may be cut, None where it has to stay."""
        try:
            return self._smallest[node]
        except KeyError:
            found = self._smallest[node] = self._found_smallest(node)
            return found

    def _found_smallest(self, node: int) -> bytes | None:
        if node == 0 or not self.may_go(node):
            return None
        if self._gone(node) is not None:
            return b""
        holds = partial(more_than, data=self.tree.data, start=self.tree.starts[node], stop=self.tree.ends[node])
        instead = self._instead(node) if holds(1) else None  # nothing is smaller than one token
        return instead.text if instead is not None and holds(count(instead.text)) else None

    def _at(self, node: int) -> SmallestReplacement | None:
        """The same, whatever the node itself looks like."""
        return self._gone(node) or self._instead(node)

    def _gone(self, node: int) -> SmallestReplacement | None:
        """How a node goes without a trace; None where it cannot."""
        try:
            return self._nodes[node]
        except KeyError:
            place = self._examples.place(node)
            if place not in self._cuts:
                self._cuts[place] = self._find_cut(self._examples.of(place))
            found = self._nodes[node] = self._cuts[place]
            return found

    def _instead(self, node: int) -> SmallestReplacement | None:
        """The text that may stand in the place of a node that has to leave a trace."""
        place = self._examples.place(node)
        if place not in self._stays:
            self._stays[place] = self._find_text(self._examples.of(place))
        return self._stays[place]

    def cut(self, first: int, last: int) -> TextEdit:
        """What becomes of siblings first .. last that are all cut: the signs that join them go, and their white space.

        Where they are all that there is, and something has to be, that stands for them.
        """
        known = self._at(first)
        if known is not None and known.led:
            return TextEdit(*self._led(first), b"")
        return TextEdit(*self._span(first, last, listed=known is not None and known.listed), b"")

    def settled(self, changes: list[TextEdit]) -> list[TextEdit]:
        """The cuts of a file, in order, where each was made without regard to the others."""
        return changes

    def adjoin(self, left: int, right: int) -> bool:
        """Whether two siblings that are both cut go as one stretch."""
        one, other = self._at(left), self._at(right)
        if one is None or other is None or one.listed != other.listed or one.led or other.led:
            return False
        return one.listed or not self.tree.data[self.tree.ends[left] : self.tree.starts[right]].strip()

    def _span(self, first: int, last: int, *, listed: bool) -> tuple[int, int]:
        tree = self.tree
        start, end = self._lists.run(first, last) if listed else (tree.starts[first], tree.ends[last])
        if end > tree.ends[last]:  # up to the next one of a list
            return start, end
        return whole(tree.data, start, end)

    def _led(self, node: int) -> tuple[int, int]:
        """A node and what stands between it and the sibling before it."""
        before = self.tree.shape.before(node)
        return self.tree.starts[node] if before is None else self.tree.ends[before], self.tree.ends[node]

    def tokens(self, node: int) -> int:
        """How many tokens a node holds."""
        if node not in self._tokens:
            self._tokens[node] = count(self.tree.text(node))
        return self._tokens[node]

    def may_go(self, node: int) -> bool:
        """Whether a node stands in no protected region."""
        return self.is_free(self.tree.starts[node], self.tree.ends[node])

    def is_free(self, start: int, end: int) -> bool:
        """Whether a stretch stands in no protected region."""
        return self._free is None or Config((start, end)) <= self._free

    def _find_cut(self, node: int) -> SmallestReplacement | None:
        tree, sign = self.tree, self._lists.sign(node)
        for listed in (True, False) if sign == COMMA else (False, True) if sign else (False,):
            if self.proper(node, *self._span(node, node, listed=listed), b""):
                return SmallestReplacement(b"", listed)
        start, end = self._led(node)
        if tree.data[start : tree.starts[node]].strip() and self.proper(node, start, end, b""):
            return SmallestReplacement(b"", led=True)
        return None

    def _find_text(self, node: int) -> SmallestReplacement | None:
        tree = self.tree
        for text in self.texts(node):
            if self.proper(node, tree.starts[node], tree.ends[node], text):
                return SmallestReplacement(text)
        return None

    def fits(self, node: int, below: int, run: Run) -> bool:
        """Whether what is below a node, one node or all children of one, may stand for it, as far as can be said."""
        tree = self.tree
        parent = tree.shape.parents[node]
        key = tree.kinds[parent], tree.fields[node], tree.kinds[node], tree.kinds[below], run[0] != run[1]
        if key not in self._heirs:
            text = tree.data[tree.starts[run[0]] : tree.ends[run[1]]]
            self._heirs[key] = self.proper(node, tree.starts[node], tree.ends[node], text)
        return self._heirs[key]

    def takes(self, node: int, other: int) -> bool:
        """Whether what stands elsewhere may stand for a node, as far as the kinds of both tell."""
        tree = self.tree
        parent = tree.shape.parents[node]
        key = tree.kinds[parent], tree.fields[node], tree.kinds[node], tree.kinds[other], tree.fields[other]
        if key not in self._taken:
            self._taken[key] = self.proper(node, tree.starts[node], tree.ends[node], tree.text(other))
        return self._taken[key]

    @cached_property
    def judge(self) -> Judge:
        """Says of changes whether the file is as valid after them, for large files."""
        return PiecewiseValidity(self.tree, self._language)

    def proper(self, node: int, start: int, end: int, text: bytes) -> bool:
        """Whether the parent is still of its kind if this stands for a node: else the node is a part it needs.

        An item of the file may be a like one without the node: a method of Go without its receiver is a function.
        """
        tree = self.tree
        parent = tree.shape.parents[node]
        context = self._contexts.around(node)
        begin, after = context.at(start), context.at(end)
        candidate = context.data[:begin] + text + context.data[after:]
        if parent == 0:
            return context.valid(candidate)
        low, high = context.at(tree.starts[parent]), context.at(tree.ends[parent])
        left = min(low, begin)
        right = left + max(begin - low, 0) + len(text) + max(high - after, 0)
        kinds = context.valid.kinds(candidate, left, right)
        still = not text and tree.shape.depths[parent] == 1 and _family(tree.kinds[parent]) in map(_family, kinds)
        if tree.kinds[parent] in kinds or still:
            return True
        piece = candidate[left:right]
        if len(piece.strip()) == len(piece):
            return False
        left += len(piece) - len(piece.lstrip())
        return tree.kinds[parent] in context.valid.kinds(candidate, left, left + len(piece.strip()))

    def becomes(self, node: int, text: bytes) -> frozenset[str]:
        """What a text is in a node's place; nothing where it may not stand there."""
        context = self._contexts.around(node)
        begin, after = context.at(self.tree.starts[node]), context.at(self.tree.ends[node])
        return context.valid.kinds(context.data[:begin] + text + context.data[after:], begin, begin + len(text))

    def texts(self, node: int) -> Iterator[bytes]:
        """Texts that might do, the shortest first."""
        same = self.tree.text(self._of_same_kind[self.tree.kinds[node]])
        return (text for _, _, text in sorted({*_RANKED, _ranked(same)}))

    @cached_property
    def _of_same_kind(self) -> dict[str, int]:
        """The shortest node of each kind in this file, the first of several."""
        weights = self.tree.shape.weights
        found: dict[str, int] = {}
        for node, kind in enumerate(self.tree.kinds):
            if kind not in found or weights[node] < weights[found[kind]]:
                found[kind] = node
        return found


def _ranked(text: bytes) -> _Ranked:
    return count(text), len(text), text


_RANKED = tuple(map(_ranked, SMALLEST))


def _family(kind: str) -> str:
    """What a method_declaration and a function_declaration have in common."""
    return kind.rpartition("_")[2]


class ProbedLanguage:
    """A language whose places are found out by trying; what reads by a grammar that can be read knows better."""

    def places(self: Language, data: bytes, free: Config | None = None, deepest: int | None = None) -> EditCandidates:
        """What may become of the nodes of a file."""
        return EditCandidates(self.parse(data, deepest), self, free)
