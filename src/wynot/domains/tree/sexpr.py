"""Trees of S-expressions: SMT-LIB, Lisps, WebAssembly's text format.

A list is of the kind that its first word names ("list:assert"), so what may be cut from it is found out for each
command and function by itself, and the first word stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile

from wynot.domains.tree.brackets import NO_BRACKETS, faults, partners
from wynot.domains.tree.changes import Place
from wynot.domains.tree.places import Trying
from wynot.domains.tree.tree import Grown, Tree

FILE, LIST, ATOM, STRING, COMMENT = "file", "list", "atom", "string", "comment"
OPEN, CLOSE = "open", "close"
LISTS = {b"(": LIST, b"[": "vector", b"{": "map"}
QUOTED = "quoted"
"""A list that stands for itself: its first word names nothing."""
_HEAD = re.compile(rb"(?![+-]?\.?\d).{1,40}", re.DOTALL)

# None of these gives up after a long search, else many of them would take time in proportion to the square of theirs.
_LINE = rb";[^\r\n]*+"
_HASH = rb"\#\|(?:[^|]|\|(?!\#))*+(?:\|\#|\Z)"
_WAT = rb"\(;(?:[^;]|;(?!\)))*+(?:;\)|\Z)"
_LISP_STRING = rb'"(?:[^"\\]|\\.|"")*+"'
_SMT_STRING = rb'"(?:[^"]|"")*+"'
_SYMBOL = rb"\|[^|]*+\|"
_ESCAPE = rb"\\."
_HASH_SIGN = rb"\#;|\#(?!\|)"
_PREFIX = rb"(?:['`,@~^]|" + _HASH_SIGN + rb")*+"
_ATOM = rb"(?:" + b"|".join((_SYMBOL, _ESCAPE, _HASH_SIGN, rb"[^\s()\[\]{}\"|;\\\#]")) + rb")++|[\"|\\]"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How strings and comments are written."""

    token: re.Pattern[bytes]
    opaque: re.Pattern[bytes]
    """Where a bracket is no bracket."""

    def faults(self, data: bytes) -> int:
        """How many brackets have no partner, and how many strings no end."""
        plain = self.opaque.sub(b"", data) if any(sign in data for sign in (b'"', b"|", b";", b"\\")) else data
        return faults(plain.translate(None, NO_BRACKETS)) + plain.count(b'"') + plain.count(b"|")


def _dialect(string: bytes, *blocks: bytes) -> Dialect:
    comment = b"|".join((*blocks, _LINE))
    opaque = b"|".join((_ESCAPE, rb"\#;", comment, string, _SYMBOL))
    opening = rb"[(\[{]" + (rb"(?<!\((?=;))" if _WAT in blocks else b"")
    token = rb"(?P<comment>%s)|(?P<string>%s%s)|(?P<open>%s%s)|(?P<close>[)\]}])|(?P<atom>%s)"
    filled = token % (comment, _PREFIX, string, _PREFIX, opening, _ATOM)
    return Dialect(re.compile(filled, re.DOTALL), re.compile(opaque, re.DOTALL))


DIALECTS = (_dialect(_LISP_STRING, _HASH), _dialect(_SMT_STRING, _HASH), _dialect(_LISP_STRING, _HASH, _WAT))


def dialect_of(data: bytes) -> Dialect:
    """The one in which a text has the fewest faults."""
    return min(DIALECTS, key=lambda dialect: dialect.faults(data))


class Sexpr(Trying):
    """Reads S-expressions of any dialect."""

    name = "sexpr"

    def parse(self, data: bytes, deepest: int | None = None) -> Tree:  # noqa: ARG002 - all at once is no dearer
        """Lists, atoms, strings and comments; a bracket without a partner is an atom."""
        grown = Grown(data)
        grown.add(-1, FILE, 0, len(data))
        _grow(grown, list(dialect_of(data).token.finditer(data)))
        return grown.tree()

    def checker(self, data: bytes) -> SexprChecker:
        """Says in which texts no more brackets and strings are left open than in this one."""
        return SexprChecker(data)


def _grow(grown: Grown, tokens: Sequence[re.Match[bytes]]) -> None:
    """Add the nodes that these tokens are, below the root."""
    ends = _list_ends(tokens)
    path = [0]
    unnamed = -1  # a list that has no child yet
    for token in tokens:
        start, end = token.span()
        group = token.lastgroup
        if start not in ends:
            if unnamed == path[-1] and group != COMMENT:
                if group == ATOM and grown.kinds[unnamed] == LIST and _HEAD.fullmatch(token[0]):
                    grown.kinds[unnamed] = f"{LIST}:{token[0].decode('latin-1')}"
                unnamed = -1
            grown.add(path[-1], group if group in {STRING, COMMENT} else ATOM, start, end)
        elif group == OPEN:
            unnamed = grown.add(path[-1], QUOTED if end - start > 1 else LISTS[token[0]], start, ends[start])
            path.append(unnamed)
        else:
            path.pop()


def _list_ends(tokens: Sequence[re.Match[bytes]]) -> dict[int, int]:
    """Where each list ends, by where either of its brackets starts."""
    brackets = [token for token in tokens if token.lastgroup in {OPEN, CLOSE}]
    found = partners(b"".join([token[0][-1:] for token in brackets]))
    pairs = ((one, partner) for one, partner in enumerate(found) if partner >= 0)
    return {brackets[one].start(): brackets[max(one, partner)].end() for one, partner in pairs}


class SexprChecker:
    """Counts brackets without a partner and strings without an end."""

    def __init__(self, data: bytes) -> None:
        self._dialect = dialect_of(data)
        self._allowed = self._dialect.faults(data)
        self._brackets = len(data.translate(None, NO_BRACKETS))

    def __call__(self, candidate: bytes, places: Sequence[Place] = ()) -> bool:  # noqa: ARG002 - of no use here
        """Whether a text has no more faults than the one to begin with."""
        return self._dialect.faults(candidate) <= self._allowed

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        if not self(candidate):
            return frozenset()
        return frozenset(self._kinds(candidate, start, end))

    @property
    def clean(self) -> bool:
        """Whether there are no faults."""
        return self._allowed == 0

    @property
    def broken(self) -> float:
        """The share of brackets without a partner."""
        return min(self._allowed / max(self._brackets, 1), 1.0)

    def _kinds(self, candidate: bytes, start: int, end: int) -> Iterator[str]:
        if (start, end) == (0, len(candidate)):
            yield FILE
        tokens = dropwhile(lambda token: token.start() < start, self._dialect.token.finditer(candidate))
        piece = list(takewhile(lambda token: token.start() < end, tokens))
        if not piece or (piece[0].start(), piece[-1].end()) != (start, end) or not _closed(piece):
            return
        grown = Grown(candidate)
        grown.add(-1, FILE, start, end)
        _grow(grown, piece)
        if grown.ends[1] == end:
            yield grown.kinds[1]


def _closed(piece: Sequence[re.Match[bytes]]) -> bool:
    """Whether each bracket in a piece of a text has its partner there."""
    ends = _list_ends(piece)
    return all(token.start() in ends for token in piece if token.lastgroup in {OPEN, CLOSE})
