"""Trees of texts in no language that is known: by brackets and by indentation.

A bracket owns what is in it. What stands between brackets is split at line breaks, semicolons and, inside brackets,
commas; a line owns the lines after it that are indented deeper, and the ones that end what it begins (`endmodule`).
A few brackets may have no partner (a quotation, a pattern): these mean nothing. Where many do not match, none means
anything; where nothing is indented, lines are left.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wynot.domains.syntax.adapters.brackets import CLOSER, NO_BRACKETS, closes, ends, faults, partners
from wynot.domains.syntax.edits.edit_candidates import ProbedLanguage
from wynot.domains.syntax.syntax_tree import OUTLINE, EditedRange, SyntaxTree, TreeBuilder

LINE, ITEM = "line", "item"
BLOCKS = {b"(": "round", b"[": "square", b"{": "curly"}
KINDS = frozenset((OUTLINE, LINE, ITEM, *BLOCKS.values()))

STRAY = 0.02
"""Where more than this share of all brackets have no partner, they are no brackets."""

_SIGHT = re.compile(rb"\S")
_ALONE = re.compile(rb"[^\S\r\n]*+(?:[,\r\n)\]}]|\Z)")
_LINES = re.compile(rb"(?P<line>\r\n?|\n)")


@dataclass(frozen=True, slots=True)
class BracketStyle:
    """Where a bracket is no bracket: in strings on one line, in comments."""

    opaque: re.Pattern[bytes]
    token: re.Pattern[bytes]

    def signs(self, data: bytes) -> bytes:
        """The brackets."""
        return self.opaque.sub(b"", data).translate(None, NO_BRACKETS)

    def faults(self, data: bytes) -> int:
        """How many brackets have no partner."""
        return faults(self.signs(data))


def _style(*opaque: bytes) -> BracketStyle:
    either = b"|".join(opaque)
    token = either + rb"|(?P<line>\r\n?|\n)|(?P<sign>[()\[\]{};,])"
    return BracketStyle(re.compile(either, re.DOTALL), re.compile(token, re.DOTALL))


_DOUBLE = rb'"(?:[^"\\\r\n]|\\.){0,999}+"'
_SINGLE = rb"'(?<!\w')(?:[^'\\\r\n]|\\.){0,999}+'"
_SLASHES = rb"//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_HASH = rb"\#[^\r\n]*+"
_ESCAPED = rb"\\."
STYLES = (
    _style(_ESCAPED, _DOUBLE, _SINGLE, _SLASHES),
    _style(_ESCAPED, _DOUBLE, _SINGLE, _HASH),
    _style(_ESCAPED, _DOUBLE, _SINGLE),
    _style(_ESCAPED, _DOUBLE),
    _style(rb"(?!)"),
)


def style_of(data: bytes) -> BracketStyle | None:
    """The first style in which all brackets of a text match; else the one in which most do, if these are nearly all."""
    best, fewest = None, STRAY
    for style in STYLES:
        signs = style.signs(data)
        stray = faults(signs) / (len(signs) or 1)
        if stray == 0:
            return style
        if stray < fewest:
            best, fewest = style, stray
    return best


class IndentationShares(NamedTuple):
    """What of a text is on lines within brackets, and what is there or indented."""

    held: float
    nested: float


def shares(data: bytes) -> IndentationShares:
    r"""How much of a text has a place in another one; nothing where brackets do not match.

    >>> shares(b"a {\n  b;\n}\n").held > 0.5, shares(b"a\n  b (c)\n"), shares(b"a {\n  b;\n").nested
    (True, IndentationShares(held=0.0, nested=0.8), 0.0)
    """
    style = style_of(data)
    if style is None:
        return IndentationShares(0.0, 0.0)
    seen = style.opaque.sub(b"", data)
    steps = [(partner > one) - (0 <= partner < one) for one, partner in enumerate(partners(style.signs(data)))]
    depth = held = inner = at = 0
    for line in seen.splitlines(keepends=True):
        held += len(line) if depth else 0
        inner += len(line) if depth or line[0] in b" \t}])" else 0
        upto = at + len(line.translate(None, NO_BRACKETS))
        depth += sum(steps[at:upto])
        at = upto
    return IndentationShares(held / (len(seen) or 1), inner / (len(seen) or 1))


class Outline(ProbedLanguage):
    """Reads any text."""

    name = "outline"

    def parse(self, data: bytes, deepest: int | None = None) -> SyntaxTree:  # noqa: ARG002 - all at once is no dearer
        """Blocks, lines, and items of lines."""
        style = style_of(data)
        growing = _Growing(data)
        growing.read(list((style.token if style else _LINES).finditer(data)))
        return growing.grown.tree()

    def checker(self, data: bytes) -> OutlineChecker:
        """Says in which texts all brackets match, if they do in this one, or as nearly all."""
        style = style_of(data)
        return OutlineChecker(style, style.faults(data) if style else 0)


class OutlineChecker:
    """Looks at brackets; more is not known."""

    def __init__(self, style: BracketStyle | None, stray: int) -> None:
        self._style, self._stray = style, stray

    def __call__(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> bool:  # noqa: ARG002 - of no use here
        """Whether all brackets of a text match that have to."""
        return self._style is None or self._style.faults(candidate) <= self._stray

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:  # noqa: ARG002 - see below
        """Without a grammar any stretch may be anything: none is what its parent could not do without."""
        return KINDS if self(candidate) else frozenset()

    broken = 0.0
    """Any text has an outline."""
    clean = False
    """What is an error is only known beside another text."""


@dataclass(slots=True)
class _Frame:
    """The file, or a bracket that is open."""

    node: int
    begun: bool = False
    """Whether a line or item is in progress."""
    owners: list[tuple[float, int]] = field(default_factory=list)
    """Indentations and nodes: the lines and items that have not ended; each owns the next. Half a step more: a line
    that ends what the one before it began."""


class _Growing:
    """An outline while it is read."""

    def __init__(self, data: bytes) -> None:
        self.grown = TreeBuilder(data)
        self._frames = [_Frame(self.grown.add(-1, OUTLINE, 0, len(data)))]
        self._seen = self._line = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
        self._fresh, self._indent = True, 0
        self._ended: set[int] = set()
        """Lines that have got their end."""

    def read(self, tokens: list[re.Match[bytes]]) -> None:
        """Add all nodes."""
        ends = _block_ends(tokens)
        closing = {end - 1 for end in ends.values()}
        at = self._line
        for token in tokens:
            if token.lastgroup is None:  # a string or a comment: text
                continue
            start, end = token.span()
            self._text(at, start)
            at = end
            sign = token[0]
            if token.lastgroup == "line":
                self._frames[-1].begun, self._fresh, self._line = False, True, end
            elif start in ends:
                self._open(BLOCKS[sign], start, ends[start])
            elif start in closing:
                self._close(start, end)
            elif sign == b"," and len(self._frames) > 1:
                self._look(start)
                self._end_one()
            else:
                self._text(start, end)
                self._frames[-1].begun &= sign != b";"
        self._text(at, len(self.grown.data))
        self._end_down_to(-1)

    def _text(self, start: int, end: int) -> None:
        """What stands between two signs."""
        sight = _SIGHT.search(self.grown.data, start, end)
        if sight is None:
            return
        if not self._frames[-1].begun:
            self._begin(sight.start())
        self._fresh = False
        self._seen = start + len(self.grown.data[start:end].rstrip())

    def _look(self, at: int) -> bool:
        """See what is at a place; says whether it is the first in its line."""
        first = self._fresh
        if first:
            self._fresh = False
            self._indent = len(self.grown.data[self._line : at].expandtabs())
        return first

    def _begin(self, at: int) -> None:
        """A line begins, or an item of one; only lines own what is indented deeper."""
        first = self._look(at)
        closer = CLOSER.match(self.grown.data, at) if first else None
        belongs = closer is not None and self._closes(closer)
        if not belongs:
            self._end_down_to(self._indent - 1)
        node = self.grown.add(self._parent(), LINE if first else ITEM, at, at)
        indent = self._indent + belongs / 2
        self._frames[-1].owners.append((indent if first else sys.maxsize, node))
        self._frames[-1].begun = True

    def _closes(self, closer: re.Match[bytes]) -> bool:
        """Whether a line belongs to the one before it that is as far to the left."""
        self._end_down_to(self._indent)
        owners = self._frames[-1].owners
        if not owners or owners[-1][0] != self._indent:
            return False
        node = owners[-1][1]
        if node in self._ended and ends(closer):  # it ends something around all this
            return False
        found = closes(closer, self.grown.starts[node], self._seen, owns=self.grown.parents[-1] >= node)
        if found:
            (self._ended.add if ends(closer) else self._ended.discard)(node)
        return found

    def _parent(self) -> int:
        frame = self._frames[-1]
        return frame.owners[-1][1] if frame.owners else frame.node

    def _open(self, kind: str, start: int, end: int) -> None:
        """A bracket opens; if there is nothing else between separators, it is an item by itself."""
        if not self._frames[-1].begun:
            if _ALONE.match(self.grown.data, end):
                self._look(start)
                self._end_down_to(self._indent - 1)
            else:
                self._begin(start)
        self._frames.append(_Frame(self.grown.add(self._parent(), kind, start, end)))

    def _close(self, start: int, end: int) -> None:
        self._look(start)
        self._end_down_to(-1)
        self._frames.pop()
        self._seen = end

    def _end_down_to(self, indent: float) -> None:
        """End the lines and items that are indented deeper than this."""
        owners = self._frames[-1].owners
        while owners and owners[-1][0] > indent:
            self._end_one()

    def _end_one(self) -> None:
        """End what is in progress, without what separates it from the next."""
        frame = self._frames[-1]
        frame.begun = False
        if frame.owners:
            node = frame.owners.pop()[1]
            self.grown.ends[node] = self._seen


def _block_ends(tokens: list[re.Match[bytes]]) -> dict[int, int]:
    """Where each block ends, by where it starts."""
    signs = [token for token in tokens if token.lastgroup == "sign" and token[0] not in b";,"]
    found = partners(b"".join([token[0] for token in signs]))
    return {signs[one].start(): signs[partner].end() for one, partner in enumerate(found) if one < partner}
