"""Build parse trees, and reparse only what differs from a text that was parsed before."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from wynot.domains.grammar.glr import Front, ParseNode, ParseStack
from wynot.domains.grammar.lists_and_optionals import ListsAndOptionals
from wynot.domains.grammar.removable_parts import RemovableParts, TokenRun
from wynot.domains.grammar.tokenizer import BOM, ParsedTokens, TokenReader
from wynot.domains.syntax.incremental_validity import differing
from wynot.domains.syntax.syntax_tree import EditedRange, SyntaxTree, TreeBuilder

FILE, COMMENT = "file", "comment"


@dataclass(slots=True)
class NodeRules:
    """What the grammar says of the nodes of a tree, by their numbers."""

    texts: list[bytes | None] = field(default_factory=list)
    """What stands for a node when it is gone: nothing, or its minimal string; None: it has to stay."""
    joined: list[bool] = field(default_factory=list)
    """Whether a separator goes with it."""
    listed: list[bool] = field(default_factory=list)
    """Whether it is an element of a list."""
    symbols: list[tuple[str, ...]] = field(default_factory=list)
    """All that it is: what the grammar wants in its place comes first."""
    hollows: dict[int, bytes] = field(default_factory=dict)
    """What stands for all elements of a list."""


@dataclass(frozen=True, slots=True)
class GrammarTree:
    """A tree, what the grammar says of it, and where the tokens are, in bytes."""

    tree: SyntaxTree
    said: NodeRules
    starts: Sequence[int]
    ends: Sequence[int]


class _Gap(NamedTuple):
    """Places between tokens that belong to a node itself."""

    first: int
    last: int


_Waiting = tuple[int, TokenRun | _Gap]


def grow(structure: ListsAndOptionals, reading: ParsedTokens, data: bytes) -> GrammarTree:
    """The tree of a text."""
    at = _bytes_at(reading.text, data)
    starts, ends = array("q", map(at.__getitem__, reading.starts)), array("q", map(at.__getitem__, reading.ends))
    growing = _Growing(structure, reading, data, at)
    if reading.root is not None and len(reading):
        growing.grow(reading.root)
    return GrammarTree(growing.grown.tree(), growing.said, starts, ends)


def _bytes_at(text: str, data: bytes) -> Sequence[int]:
    """Where each character is in the file."""
    if len(text) == len(data):
        return range(len(data) + 1)
    return array("q", accumulate((len(char.encode()) for char in text), initial=0))


class _Growing:
    """Adds nodes without recursion; some trees are very deep."""

    def __init__(self, structure: ListsAndOptionals, reading: ParsedTokens, data: bytes, at: Sequence[int]) -> None:
        self._structure, self._reading, self._at = structure, reading, at
        self._pieces = RemovableParts(structure, reading.terminals)
        self._comments: dict[int, list[int]] = {}
        for number, skipped in enumerate(reading.skipped):
            self._comments.setdefault(skipped.before, []).append(number)
        self.grown, self.said = TreeBuilder(data), NodeRules()
        self._add(-1, FILE, 0, len(data), None)

    def grow(self, root: ParseNode) -> None:
        """Add all nodes."""
        top = self._pieces.whole(root)
        symbols, pieces, hollow = self._seen_through(top)
        if any(self._structure.nested(symbol) for symbol in symbols):
            pieces = [top]
        elif hollow is not None:
            self.said.hollows[0] = hollow.encode()
        waiting: list[_Waiting] = []
        self._children(waiting, 0, pieces, _Gap(0, len(self._reading)))
        while waiting:
            parent, each = waiting.pop()
            if isinstance(each, _Gap):
                self._comment(parent, each)
                continue
            symbols, pieces, hollow = self._seen_through(each)
            node = self._node(parent, each, symbols)
            if hollow is not None:
                self.said.hollows[node] = b"" if each.text == "" else hollow.encode()
            self._children(waiting, node, pieces, _Gap(each.start + 1, each.end - 1))

    def _seen_through(self, piece: TokenRun) -> tuple[tuple[str, ...], Sequence[TokenRun], str | None]:
        """What a piece is, all the way down while it is but one thing; and then its pieces."""
        symbols = [piece.symbol]
        hollow = piece.hollow
        span = piece.start, piece.end
        while True:
            content = piece.content
            if isinstance(content, int):
                return tuple(filter(None, symbols)), (), None
            if isinstance(content, ParseNode):
                symbols.append(content.production.origin)
                pieces, hollow = self._pieces.below(content)
            else:
                pieces = content
            if len(pieces) != 1 or (pieces[0].start, pieces[0].end) != span:
                return tuple(filter(None, symbols)), pieces, hollow
            piece = pieces[0]
            hollow = piece.hollow
            symbols.append(piece.symbol)

    def _children(self, waiting: list[_Waiting], node: int, pieces: Sequence[TokenRun], gaps: _Gap) -> None:
        """Let the pieces of a node wait, and what is skipped between them."""
        row: list[_Waiting] = []
        first = gaps.first
        for piece in pieces:
            row += ((node, _Gap(first, piece.start)), (node, piece))
            first = piece.end
        row.append((node, _Gap(first, gaps.last)))
        waiting.extend(reversed(row))

    def _comment(self, parent: int, gap: _Gap) -> None:
        if not self._comments:
            return
        for place in range(gap.first, gap.last + 1):
            for number in self._comments.get(place, ()):
                skipped = self._reading.skipped[number]
                self._add(parent, COMMENT, self._at[skipped.start], self._at[skipped.end], b"")

    def _node(self, parent: int, piece: TokenRun, symbols: tuple[str, ...]) -> int:
        start, end = self._reading.starts[piece.start], self._reading.ends[piece.end - 1]
        text = None if piece.text is None else piece.text.encode()
        self.said.joined.append(piece.joined)
        self.said.listed.append(piece.listed)
        self.said.symbols.append(symbols)
        self.said.texts.append(text)
        return self.grown.add(parent, piece.kind, self._at[start], self._at[end])

    def _add(self, parent: int, kind: str, start: int, end: int, text: bytes | None) -> None:
        """Add a node that the grammar has no symbol for."""
        self.said.joined.append(False)
        self.said.listed.append(False)
        self.said.symbols.append(())
        self.said.texts.append(text)
        self.grown.add(parent, kind, start, end)


# A text that differs from one that was read in a few places: only there is it read again.
#
# Reading begins a token or two before a change. Once it has passed the change, and the parser's stacks are as they were
# at the same place of the known text, all that follows is as valid as it was.


BEFORE = 2
"""Tokens before a change that are read again: what they are may depend on what follows."""
DEEP = 64
"""How far down two stacks are compared."""


class Reparser:
    """Says which texts can be read, beside one that was."""

    def __init__(self, reader: TokenReader, known: ParsedTokens) -> None:
        self._reader, self._known = reader, known

    def __call__(self, text: str) -> bool:
        """Whether a text can be read to its end."""
        return self.at(text, [EditedRange(*differing(self._known.text, text))])

    def at(self, text: str, places: Sequence[EditedRange]) -> bool:
        """Whether it can, if it differs in these places alone, given in order."""
        if self._known.root is None:
            return self._reader.read(text).root is not None
        return all(self._passes(text, places))

    def _passes(self, text: str, places: Sequence[EditedRange]) -> list[bool]:
        done: list[bool] = []
        number = 0
        while number < len(places):
            passed = self._pass(text, places, number)
            done.append(passed > 0)
            if passed <= 0:
                return done
            number += passed
        return done

    def _pass(self, text: str, places: Sequence[EditedRange], number: int) -> int:
        """Read from before one place until all is as it was; gives how many places that were, 0 where it cannot be."""
        known, reader = self._known, self._reader
        moved = (places[number - 1].now - places[number - 1].end) if number else 0
        token = max(bisect_right(known.ends, places[number].start) - BEFORE, 0)
        front: Front = known.fronts[token]
        modes = known.modes[token - 1] if token else reader.cut.modes
        at = known.ends[token - 1] + moved if token else len(BOM) if text.startswith(BOM) else 0
        last = number
        while at < len(text):
            while last + 1 < len(places) and at >= self._begins(places, last + 1):
                last += 1
            if at >= places[last].now and self._as_it_was(front, modes, at - places[last].now + places[last].end):
                return last - number + 1
            cut = reader.cut(text, at, modes, reader.accepts(front))
            if cut is None:
                return 0
            if not cut.skip:
                front = reader.parser.read(front, cut.terminal, 0)
                if not front:
                    return 0
            modes, at = cut.modes, cut.end
        return len(places) - number if reader.parser.end(front, 0) is not None else 0

    def _begins(self, places: Sequence[EditedRange], number: int) -> int:
        """Where a place begins, less the tokens before it, in the new text."""
        token = max(bisect_right(self._known.ends, places[number].start) - BEFORE - 1, 0)
        before = places[number - 1]
        return self._known.ends[token] - before.end + before.now if len(self._known) else 0

    def _as_it_was(self, front: Front, modes: object, at: int) -> bool:
        """Whether the parser stands as it did at this place of the known text."""
        known = self._known
        token = bisect_left(known.ends, at)
        if token >= len(known) or known.ends[token] != at or known.modes[token] != modes:
            return False
        before = known.fronts[token + 1]
        if len(front) != 1 or len(before) != 1:
            return False
        (one,), (other,) = front.values(), before.values()
        return _same(one, other)


def _same(one: ParseStack, other: ParseStack) -> bool:
    for _ in range(DEEP):
        if one is other:
            return True
        if one.state != other.state or len(one.links) != 1 or len(other.links) != 1:
            return False
        one, other = one.links[0][0], other.links[0][0]
    return False
