"""The neutral tree of a text that was read by a grammar, and what the grammar says of each of its nodes."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from wynot.domains.grammar.derive.lists_and_optionals import ListsAndOptionals
from wynot.domains.grammar.derive.removable_parts import RemovableParts, TokenRun
from wynot.domains.grammar.parsing.glr import ParseNode
from wynot.domains.grammar.parsing.parsed_tokens import ParsedTokens
from wynot.domains.syntax.syntax_tree import SyntaxTree, TreeBuilder

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
