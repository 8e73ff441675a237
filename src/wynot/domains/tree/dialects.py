"""How S-expressions are written: what is a token, where a bracket is none, and which stretches are lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from wynot.domains.tree.brackets import NO_BRACKETS, closing, faults, rounded

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
