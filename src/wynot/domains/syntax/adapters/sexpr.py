"""Trees of S-expressions (SMT-LIB, Lisps, WebAssembly's text format) and their dialects.

A list is of the kind that its first word names ("list:assert"), so what may be cut from it is found out for each
command and function by itself, and the first word stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile, takewhile
from typing import NamedTuple

from wynot.domains.syntax.adapters.brackets import NO_BRACKETS, closing, faults, partners, rounded
from wynot.domains.syntax.edits.edit_candidates import ProbedLanguage
from wynot.domains.syntax.syntax_tree import EditedRange, SyntaxTree, TreeBuilder

FILE, LIST, ATOM, STRING, COMMENT = "file", "list", "atom", "string", "comment"
OPEN, CLOSE = "open", "close"
LISTS = {b"(": LIST, b"[": "vector", b"{": "map"}
QUOTED = "quoted"
"""A list that stands for itself: its first word names nothing."""
HEAD = re.compile(rb"(?![+-]?\.?\d).{1,40}", re.DOTALL)

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


_OPAQUE_SIGNS = b'"', b"|", b";", b"\\"
"""Without any of these, every bracket is one."""
_LEVELS = 8
"""Lists in lists that one match goes through."""

Stretch = tuple[int, int]


@dataclass(frozen=True)
class Dialect:
    """How strings and comments are written; what reads them is made where it is used: that takes a while."""

    string: bytes
    blocks: tuple[bytes, ...]

    @cached_property
    def token(self) -> re.Pattern[bytes]:
        """One word, bracket, string or comment."""
        return re.compile(self._token, re.DOTALL)

    @cached_property
    def opaque(self) -> re.Pattern[bytes]:
        """Where a bracket is no bracket."""
        return re.compile(self._opaque, re.DOTALL)

    @cached_property
    def form(self) -> re.Pattern[bytes]:
        """A token, or a list as a whole where lists in it are not too deep: most of a text is passed by quickly."""
        nested = rb"(?!)"
        for _ in range(_LEVELS):
            nested = self._opening + rb"(?:[^()\[\]{}\"|;\\\#]++|%s|%s|[^()\[\]{}])*+[)\]}]" % (nested, self._opaque)
        form = self._token.replace(b"(?P<open>", b"(?P<whole>%s%s)|(?P<open>" % (_PREFIX, nested))
        return re.compile(form, re.DOTALL)

    @property
    def _comment(self) -> bytes:
        return b"|".join((*self.blocks, _LINE))

    @property
    def _opaque(self) -> bytes:
        return b"|".join((_ESCAPE, rb"\#;", self._comment, self.string, _SYMBOL))

    @property
    def _opening(self) -> bytes:
        return rb"[(\[{]" + (rb"(?<!\((?=;))" if _WAT in self.blocks else b"")

    @property
    def _token(self) -> bytes:
        token = rb"(?P<comment>%s)|(?P<string>%s%s)|(?P<open>%s%s)|(?P<close>[)\]}])|(?P<atom>%s)"
        return token % (self._comment, _PREFIX, self.string, _PREFIX, self._opening, _ATOM)

    def faults(self, data: bytes) -> int:
        """How many brackets have no partner, and how many strings no end."""
        plain = self.opaque.sub(b"", data) if any(sign in data for sign in _OPAQUE_SIGNS) else data
        return faults(plain.translate(None, NO_BRACKETS)) + plain.count(b'"') + plain.count(b"|")

    def forms(self, data: bytes, start: int, end: int) -> Iterator[Stretch]:
        """The lists, atoms, strings and comments of a stretch that has no faults; not what is in them."""
        round_ = b""
        while (form := self.form.search(data, start, end)) is not None:
            start = form.end()
            if form.lastgroup == OPEN:
                round_ = round_ or rounded(data, start, end)
                start = self._end(data, round_, start, end)
            if form.lastgroup != CLOSE:
                yield form.start(), start

    def _end(self, data: bytes, round_: bytes, at: int, end: int) -> int:
        """Where a list ends whose first bracket ends at `at`; `round_`: the same text, with round brackets only."""
        after = closing(round_, at, end)
        if all(data.find(sign, at, after) < 0 for sign in _OPAQUE_SIGNS):
            return after
        depth = 1
        for form in self.form.finditer(data, at, end):
            depth += (form.lastgroup == OPEN) - (form.lastgroup == CLOSE)
            if not depth:
                return form.end()
        return end

    def kind(self, data: bytes, start: int, end: int) -> str:
        """What a form is: a list is of the kind that its first word names."""
        first = self.token.match(data, start, end)
        group = first.lastgroup if first else ATOM
        if first is None or group != OPEN:
            return group if group in {STRING, COMMENT} else ATOM
        kind = QUOTED if len(first[0]) > 1 else LISTS[first[0]]
        word = next(
            (token for token in self.token.finditer(data, first.end(), end) if token.lastgroup != COMMENT), None
        )
        named = kind == LIST and word is not None and word.lastgroup == ATOM and HEAD.fullmatch(word[0])
        return f"{LIST}:{word[0].decode('latin-1')}" if named and word is not None else kind

    def inside(self, data: bytes, start: int, end: int) -> Stretch | None:
        """What is between the brackets of a form; None where it has none."""
        first = self.token.match(data, start, end)
        return (first.end(), end - 1) if first is not None and first.lastgroup == OPEN else None


DIALECTS = (Dialect(_LISP_STRING, (_HASH,)), Dialect(_SMT_STRING, (_HASH,)), Dialect(_LISP_STRING, (_HASH, _WAT)))


def dialect_of(data: bytes) -> tuple[Dialect, int]:
    """The one in which a text has the fewest faults, and how many."""
    found = DIALECTS[0], DIALECTS[0].faults(data)
    for dialect in DIALECTS[1:]:
        if found[1] and (faults := dialect.faults(data)) < found[1]:
            found = dialect, faults
    return found


class DialectFit(NamedTuple):
    """A text, the dialect in which it has the fewest faults, and how many."""

    data: bytes
    dialect: Dialect
    faults: int


class Sexpr(ProbedLanguage):
    """Reads S-expressions of any dialect."""

    name = "sexpr"

    def __init__(self) -> None:
        self._latest: DialectFit | None = None
        """The latest text that was looked at: it is looked at as a tree, and for its faults."""

    def parse(self, data: bytes, deepest: int | None = None) -> SyntaxTree:
        """Lists, atoms, strings and comments; a bracket without a partner is an atom."""
        grown = TreeBuilder(data)
        grown.add(-1, FILE, 0, len(data))
        _, dialect, faults = self._told(data)
        if faults or deepest is None:
            _grow(grown, list(dialect.token.finditer(data)))
        else:
            _grow_down_to(grown, dialect, deepest)
        return grown.tree()

    def checker(self, data: bytes) -> SexprChecker:
        """Says in which texts no more brackets and strings are left open than in this one."""
        return SexprChecker(self._told(data))

    def _told(self, data: bytes) -> DialectFit:
        if self._latest is None or self._latest.data != data:
            self._latest = DialectFit(data, *dialect_of(data))
        return self._latest


def _grow(grown: TreeBuilder, tokens: Sequence[re.Match[bytes]]) -> None:
    """Add the nodes that these tokens are, below the root."""
    ends = _list_ends(tokens)
    path = [0]
    unnamed = -1  # a list that has no child yet
    for token in tokens:
        start, end = token.span()
        group = token.lastgroup
        if start not in ends:
            if unnamed == path[-1] and group != COMMENT:
                if group == ATOM and grown.kinds[unnamed] == LIST and HEAD.fullmatch(token[0]):
                    grown.kinds[unnamed] = f"{LIST}:{token[0].decode('latin-1')}"
                unnamed = -1
            grown.add(path[-1], group if group in {STRING, COMMENT} else ATOM, start, end)
        elif group == OPEN:
            unnamed = grown.add(path[-1], QUOTED if end - start > 1 else LISTS[token[0]], start, ends[start])
            path.append(unnamed)
        else:
            path.pop()


def _grow_down_to(grown: TreeBuilder, dialect: Dialect, deepest: int) -> None:
    """Add just the nodes of the first levels of a text without faults."""
    data = grown.data
    waiting = [(0, dialect.forms(data, 0, len(data)))]
    while waiting:
        parent, forms = waiting[-1]
        form = next(forms, None)
        if form is None:
            waiting.pop()
            continue
        node = grown.add(parent, dialect.kind(data, *form), *form)
        inside = dialect.inside(data, *form) if len(waiting) < deepest else None
        if inside is not None:
            waiting.append((node, dialect.forms(data, *inside)))


def _list_ends(tokens: Sequence[re.Match[bytes]]) -> dict[int, int]:
    """Where each list ends, by where either of its brackets starts."""
    brackets = [token for token in tokens if token.lastgroup in {OPEN, CLOSE}]
    found = partners(b"".join([token[0][-1:] for token in brackets]))
    pairs = ((one, partner) for one, partner in enumerate(found) if partner >= 0)
    return {brackets[one].start(): brackets[max(one, partner)].end() for one, partner in pairs}


class SexprChecker:
    """Counts brackets without a partner and strings without an end."""

    def __init__(self, told: DialectFit) -> None:
        self._known, self._dialect, self._allowed = told

    def __call__(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> bool:  # noqa: ARG002 - of no use here
        """Whether a text has no more faults than the one to begin with."""
        return candidate == self._known or self._dialect.faults(candidate) <= self._allowed

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        if not self(candidate):
            return frozenset()
        plain = not self._allowed and _begins(candidate, start)
        return frozenset((self._found if plain else self._kinds)(candidate, start, end))

    @property
    def clean(self) -> bool:
        """Whether there are no faults."""
        return self._allowed == 0

    @property
    def broken(self) -> float:
        """The share of brackets without a partner."""
        brackets = len(self._known.translate(None, NO_BRACKETS))
        return min(self._allowed / max(brackets, 1), 1.0)

    def _found(self, candidate: bytes, start: int, end: int) -> Iterator[str]:
        """The kind of the form from `start` to `end`, if there is one; a form begins at `start`."""
        if (start, end) == (0, len(candidate)):
            yield FILE
        if next(self._dialect.forms(candidate, start, len(candidate)), None) == (start, end):
            yield self._dialect.kind(candidate, start, end)

    def _kinds(self, candidate: bytes, start: int, end: int) -> Iterator[str]:
        if (start, end) == (0, len(candidate)):
            yield FILE
        tokens = dropwhile(lambda token: token.start() < start, self._dialect.token.finditer(candidate))
        piece = list(takewhile(lambda token: token.start() < end, tokens))
        if not piece or (piece[0].start(), piece[-1].end()) != (start, end) or not _closed(piece):
            return
        grown = TreeBuilder(candidate)
        grown.add(-1, FILE, start, end)
        _grow(grown, piece)
        if grown.ends[1] == end:
            yield grown.kinds[1]


_BEGINS = re.compile(rb"(?<![^\s()\[\]{}])[^\s)\]}]")
_OPAQUE = b'"', b"|", b";", b"\\", b"#"


def _begins(data: bytes, at: int) -> bool:
    """Whether a form begins at a place, for certain: it is in no string or comment, and not in the middle of a word."""
    return _BEGINS.match(data, at) is not None and not any(data.find(sign, 0, at + 1) >= 0 for sign in _OPAQUE)


def _closed(piece: Sequence[re.Match[bytes]]) -> bool:
    """Whether each bracket in a piece of a text has its partner there."""
    ends = _list_ends(piece)
    return all(token.start() in ends for token in piece if token.lastgroup in {OPEN, CLOSE})
