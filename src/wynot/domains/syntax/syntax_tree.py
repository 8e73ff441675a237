"""A syntax tree, and the protocol that adapters of languages implement."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wynot.core.config import Config
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.domains.text.tokens import WORD

if TYPE_CHECKING:
    from wynot.domains.syntax.edits.edit_candidates import EditCandidates


# Stretches of a file that are to be something else.


class TextEdit(NamedTuple):
    """A stretch of the file, and what stands there instead."""

    start: int
    end: int
    text: bytes


class EditedRange(NamedTuple):
    """A stretch of the file that has changed, and where what stands there now ends in the new text."""

    start: int
    end: int
    now: int


def applied(data: bytes, changes: Sequence[TextEdit]) -> bytes:
    """The text after these changes; words that would run together are kept apart."""
    return woven(data, changes)[0]


def woven(data: bytes, changes: Sequence[TextEdit]) -> tuple[bytes, list[EditedRange]]:
    r"""The text after these changes (in order), and the places where it differs.

    >>> woven(b"int x; int y;", [TextEdit(4, 7, b""), TextEdit(11, 12, b"z")])
    (b'int int z;', [EditedRange(start=4, end=7, now=4), EditedRange(start=11, end=12, now=9)])
    """
    weaving = _Weaving()
    places: list[EditedRange] = []
    at, begun = 0, -1
    for start, end, text in changes:
        if start > at or begun < 0:
            now = weaving.put(data[at:start])
            if begun >= 0:
                places.append(EditedRange(begun, at, now))
            begun = start
        at = max(at, end)
        if text:
            weaving.put(text)
    now = weaving.put(data[at:])
    if begun >= 0:
        places.append(EditedRange(begun, at, now))
    return b"".join(weaving.pieces), places


class _Weaving:
    """A text while it is put together."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.size = 0

    def put(self, piece: bytes) -> int:
        """Go on with a piece; between two words there is a blank. Gives where the piece begins."""
        if not piece:
            return self.size
        if self.pieces and piece[0] in WORD and self.pieces[-1][-1] in WORD:
            self.pieces.append(b" ")
            self.size += 1
        self.pieces.append(piece)
        begin = self.size
        self.size += len(piece)
        return begin


# The neutral tree: nodes with a kind and a place in the file. Nothing is copied; the file itself is the text.
#
# What stands between the children of a node (key words, brackets, white space) is the node's own. So rendering a tree
# with all its nodes gives the file back, byte for byte.


NO_FIELD = ""
OUTLINE = "outline"
"""What the whole is called where no grammar says what it is."""
ERROR = "ERROR"
"""How grammars call what they do not understand."""
LONGEST_NAME = 100
"""Leaves longer than this (in bytes) are prose, not names."""


@dataclass(frozen=True, slots=True)
class SyntaxTree:
    """A file and its nodes, in preorder."""

    data: bytes
    kinds: Sequence[str]
    fields: Sequence[str]
    """The role each node plays for its parent ("body"), where the grammar names one."""
    starts: Sequence[int]
    ends: Sequence[int]
    shape: TreeShape

    def __len__(self) -> int:
        return len(self.kinds)

    def text(self, node: int) -> bytes:
        """What a node looks like in the file."""
        return self.data[self.starts[node] : self.ends[node]]

    def leaves(self, longest: int) -> Iterator[int]:
        """The nodes with none below them, those of so many bytes at most."""
        weights = self.shape.weights
        return (node for node, last in enumerate(self.shape.lasts) if last == node + 1 and weights[node] <= longest)

    def by_kind(self, nodes: list[int]) -> list[int]:
        """Nodes of one level: those of one kind side by side, in order; the kinds that hold the most come last."""
        held: dict[tuple[str, str], int] = {}
        keys = {node: (self.kinds[node], self.fields[node]) for node in nodes}
        for node, key in keys.items():
            held[key] = held.get(key, 0) + self.shape.weights[node]
        return sorted(nodes, key=lambda node: (held[keys[node]], keys[node], node))


def texts(tree: SyntaxTree) -> Iterator[tuple[int, bytes]]:
    """Where names may be, in order: leaves; in outlines all lines and items, without what is in them."""
    if tree.kinds[0] != OUTLINE:
        yield from ((leaf, tree.text(leaf)) for leaf in tree.leaves(LONGEST_NAME))
        return
    lasts = tree.shape.lasts
    for node in range(1, len(tree)):
        end = tree.ends[node] if lasts[node] == node + 1 else tree.starts[node + 1]
        if end - tree.starts[node] <= LONGEST_NAME:
            yield node, tree.data[tree.starts[node] : end]


@dataclass(slots=True)
class TreeBuilder:
    """A tree while it is built: nodes are added in preorder."""

    data: bytes
    kinds: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    parents: array[int] = field(default_factory=lambda: array("q"))

    def add(self, parent: int, kind: str, start: int, end: int, role: str = NO_FIELD) -> int:
        """Add a node below `parent` (-1: the root); gives its number."""
        self.kinds.append(kind)
        self.fields.append(role)
        self.starts.append(start)
        self.ends.append(end)
        self.parents.append(parent)
        return len(self.kinds) - 1

    def tree(self) -> SyntaxTree:
        """The tree, complete."""
        weights = array("q", map(int.__sub__, self.ends, self.starts))
        shape = shape_of(self.parents, weights)
        return SyntaxTree(self.data, self.kinds, self.fields, self.starts, self.ends, shape)


# What an adapter for a language has to offer.


class Language(Protocol):
    """Reads files of one language."""

    name: str

    def parse(self, data: bytes, deepest: int | None = None) -> SyntaxTree:
        """The tree of a file; there is one for every file. Nodes below the `deepest` level may be left out."""
        ...

    def checker(self, data: bytes) -> ValidityChecker:
        """Says which texts are as valid as this one."""
        ...

    def places(self, data: bytes, free: Config | None = None, deepest: int | None = None) -> EditCandidates:
        """The tree of a file, and what may become of its nodes; those that are not in `free` have to stay."""
        ...


class ValidityChecker(Protocol):
    """Says whether a text is as valid as the one it was made for: no new syntax errors."""

    def __call__(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> bool:
        """Whether it is. Pure: the answer depends on the two texts only.

        `places`: where they differ, in order, if that is known. It may save time.
        """
        ...

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes that fill just this stretch of a text; none where the text is less valid."""
        ...

    @property
    def broken(self) -> float:
        """How much of the text it was made for is no text of this language: 0.0 to 1.0."""
        ...

    @property
    def clean(self) -> bool:
        """Whether that text has no errors at all."""
        ...
