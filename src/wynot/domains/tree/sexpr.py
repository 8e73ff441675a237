"""Trees of S-expressions: SMT-LIB, Lisps, WebAssembly's text format.

A list is of the kind that its first word names ("list:assert"), so what may be cut from it is found out for each
command and function by itself, and the first word stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile
from typing import NamedTuple

from wynot.domains.tree.brackets import NO_BRACKETS, partners
from wynot.domains.tree.changes import Place
from wynot.domains.tree.dialects import (
    ATOM,
    CLOSE,
    COMMENT,
    FILE,
    HEAD,
    LIST,
    LISTS,
    OPEN,
    QUOTED,
    STRING,
    Dialect,
    dialect_of,
)
from wynot.domains.tree.places import Trying
from wynot.domains.tree.tree import Grown, Tree


class Told(NamedTuple):
    """A text, the dialect in which it has the fewest faults, and how many."""

    data: bytes
    dialect: Dialect
    faults: int


class Sexpr(Trying):
    """Reads S-expressions of any dialect."""

    name = "sexpr"

    def __init__(self) -> None:
        self._latest: Told | None = None
        """The latest text that was looked at: it is looked at as a tree, and for its faults."""

    def parse(self, data: bytes, deepest: int | None = None) -> Tree:
        """Lists, atoms, strings and comments; a bracket without a partner is an atom."""
        grown = Grown(data)
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

    def _told(self, data: bytes) -> Told:
        if self._latest is None or self._latest.data != data:
            self._latest = Told(data, *dialect_of(data))
        return self._latest


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
                if group == ATOM and grown.kinds[unnamed] == LIST and HEAD.fullmatch(token[0]):
                    grown.kinds[unnamed] = f"{LIST}:{token[0].decode('latin-1')}"
                unnamed = -1
            grown.add(path[-1], group if group in {STRING, COMMENT} else ATOM, start, end)
        elif group == OPEN:
            unnamed = grown.add(path[-1], QUOTED if end - start > 1 else LISTS[token[0]], start, ends[start])
            path.append(unnamed)
        else:
            path.pop()


def _grow_down_to(grown: Grown, dialect: Dialect, deepest: int) -> None:
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

    def __init__(self, told: Told) -> None:
        self._known, self._dialect, self._allowed = told

    def __call__(self, candidate: bytes, places: Sequence[Place] = ()) -> bool:  # noqa: ARG002 - of no use here
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
        grown = Grown(candidate)
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
