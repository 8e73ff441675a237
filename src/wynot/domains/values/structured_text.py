"""Texts in values that have a structure: JSON and XML by their languages, tables (CSV) by rows, columns and cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from wynot.core.config import Config
from wynot.domains.syntax.language_loading import MissingWheelError, load
from wynot.domains.values.deconstruct import fingerprint
from wynot.domains.values.scalars import Way, length, replaced

_OPENINGS = {b"{": "json", b"[": "json", b"<": "xml"}
_JSON_STRING_OR_BLANKS = re.compile(rb'("(?:[^"\\]|\\.)*+")|[ \t\r\n]+')
_BLANKS_BETWEEN_TAGS = re.compile(rb"(?:^|(?<=>))\s+(?=<|$)")
_DELIMITERS = ",;\t|"


def as_bytes(text: str | bytes) -> bytes | None:
    """The bytes of a text; None where it has no encoding."""
    try:
        return text if isinstance(text, bytes) else text.encode()
    except UnicodeEncodeError:
        return None


def language_of(data: bytes) -> str | None:
    """The language of a text that is JSON or XML without any syntax error; None for all other texts.

    >>> language_of(b'{"a": [1]}'), language_of(b"<a><b/></a>"), language_of(b'{"a": '), language_of(b"a < b")
    ('json', 'xml', None, None)
    """
    name = _OPENINGS.get(data.lstrip()[:1])
    try:
        return name if name is not None and load(name).checker(data).clean else None
    except MissingWheelError:
        return None


def packed(data: bytes, language: str) -> bytes:
    """A text of JSON or XML without the blanks between its tokens or tags.

    >>> packed(b'{"a b": [1, 2]} ', "json"), packed(b"<a> <b>x y</b> </a>", "xml")
    (b'{"a b":[1,2]}', b'<a><b>x y</b></a>')
    """
    if language == "json":
        return _JSON_STRING_OR_BLANKS.sub(rb"\1", data)
    return _BLANKS_BETWEEN_TAGS.sub(b"", data)


@dataclass(frozen=True, slots=True)
class TextDeltas:
    """A text in a value, and its deltas; `build` gives the text with some of them, of the type of `as_in`."""

    value: Any
    way: Way
    count: int
    build: Callable[[Config], str]
    as_in: str | bytes

    def __len__(self) -> int:
        return self.count

    def render(self, config: Config) -> Any:
        """The value with only these deltas in the text."""
        text = self.build(config)
        return replaced(self.value, self.way, text if isinstance(self.as_in, str) else text.encode("latin-1"))

    def digest(self, candidate: Any) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return fingerprint(candidate)

    def size(self, candidate: Any) -> int:
        """How much there is to read."""
        return length(candidate)


@dataclass(frozen=True, slots=True)
class CsvTable:
    """Rows of as many cells each, quotes included, and what ends each row."""

    rows: tuple[tuple[str, ...], ...]
    ends: tuple[str, ...]
    delimiter: str

    @classmethod
    def of(cls, text: str | bytes) -> CsvTable | None:
        r"""The table that a text is: at least two rows of as many cells, at least two; None for all other texts.

        >>> CsvTable.of('a,b\n"x,\ny",2').rows, CsvTable.of("a,b\nc")
        ((('a', 'b'), ('"x,\ny"', '2')), None)
        """
        read = text if isinstance(text, str) else text.decode("latin-1")
        return next((table for delimiter in _DELIMITERS if (table := cls._read(read, delimiter)) is not None), None)

    @classmethod
    def _read(cls, text: str, delimiter: str) -> CsvTable | None:
        sign = re.escape(delimiter)
        cell = re.compile(rf'("(?:[^"]|"")*+"|(?!")[^{sign}\r\n]*+)({sign}|\r\n|\r|\n|\Z)')
        rows, ends, row = list[tuple[str, ...]](), list[str](), list[str]()
        at = 0
        while at < len(text) or row:
            if (found := cell.match(text, at)) is None:
                return None
            at = found.end()
            row.append(found[1])
            if found[2] != delimiter:
                if len(row) < 2 or (rows and len(row) != len(rows[0])):
                    return None
                rows.append(tuple(row))
                ends.append(found[2])
                row = []
        return cls(tuple(rows), tuple(ends), delimiter) if len(rows) > 1 else None

    def deltas(self) -> Iterator[tuple[int, Callable[[Config], str]]]:
        """Rows, columns, cells: how many there are, and the text with only some of them."""
        width = len(self.rows[0])
        everything = range(width)
        yield (
            len(self.rows),
            lambda kept: "".join(self._row(row, everything, everything) + self.ends[row] for row in kept),
        )
        yield width, lambda kept: self._text(list(kept))
        yield len(self.rows) * width, lambda kept: self._text(everything, kept)

    def _text(self, columns: Any, cells: Config | None = None) -> str:
        width = len(self.rows[0])
        shown = (
            columns if cells is None else [n for n in range(width) if row * width + n in cells]
            for row in range(len(self.rows))
        )
        return "".join(self._row(row, columns, full) + self.ends[row] for row, full in enumerate(shown))

    def _row(self, row: int, columns: Any, full: Any) -> str:
        return self.delimiter.join(self.rows[row][n] if n in full else "" for n in columns)
