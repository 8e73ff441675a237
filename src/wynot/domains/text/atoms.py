"""Atoms of a text (bytes, characters, lines, records), and which kinds suit a file."""

from __future__ import annotations

import codecs
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from wynot.domains.text.atom_domain import AtomDomain, Atoms, Region, flat
from wynot.domains.text.tokens import token_ends, word_ends

# Texts in UTF-16 and UTF-32 as UTF-8, and back: parsers and lexers read bytes, and know of no others.


@dataclass(frozen=True, slots=True)
class WideEncoding:
    """An encoding all of whose characters have several bytes. Its mark is no part of the text, and always there."""

    encoding: str

    def narrowed(self, data: bytes) -> bytes:
        """The text of a file in this encoding, in UTF-8."""
        return data.decode(self.encoding).removeprefix("\ufeff").encode()

    def widened(self, text: bytes) -> bytes:
        r"""A file with this text.

        >>> WideEncoding("utf-16-le").widened(b"a"), WideEncoding("utf-16-le").widened(b"")
        (b'\xff\xfea\x00', b'\xff\xfe')
        """
        return ("\ufeff" + text.decode("utf-8", "replace")).encode(self.encoding)


def wide(data: bytes) -> WideEncoding | None:
    """The encoding of a file by its byte order mark; None where it has none."""
    encoding = wide_encoding_of(data)
    return None if encoding is None else WideEncoding(encoding)


def plain(data: bytes) -> bytes:
    """The text of a file in UTF-8, if it was in a wide encoding; else the file as it is."""
    found = wide(data)
    return data if found is None else found.narrowed(data)


_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = frozenset(mark[:2] for mark, _ in _BOMS)
_PRINTED = bytes((*b"\t\n\v\f\r\x1a\x1b", *range(32, 256)))
"""All but control characters; white space, the end of a file of DOS and escape are none."""
_STRAY = 0.01
"""Of a text, no more than this share is control characters: DOS had arrows and faces there."""
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_OLD_LINE = re.compile(rb"[^\r]*\r|[^\r]+")


def encoding_of(data: bytes) -> str | None:
    """The encoding of a text: as its byte order mark says, else UTF-8; None where it is not a text."""
    marked = [name for mark, name in _BOMS if data.startswith(mark)]  # UTF-32's mark begins with UTF-16's
    return next((name for name in (*marked, "utf-8") if _decodes(data, name)), None)


def wide_encoding_of(data: bytes) -> str | None:
    """The encoding of a text whose characters all have several bytes."""
    encoding = encoding_of(data) if data[:2] in _WIDE else None
    return None if encoding == "utf-8" else encoding


def legible(data: bytes) -> bool:
    r"""Whether a file is a text whose characters begin as ASCII's do: UTF-8, or an older encoding that nothing names.

    >>> [legible(text) for text in ("é".encode(), "é".encode("latin-1"), "é".encode("utf-16"), b"\xe9\1")]
    [True, True, False, False]
    """
    encoding = encoding_of(data)
    few = b"\0" not in data and len(data.translate(None, _PRINTED)) <= _STRAY * len(data)
    return encoding == "utf-8" or (encoding is None and few)


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def byte_ends(_data: bytes, start: int, stop: int) -> Sequence[int]:
    """Each byte is an atom."""
    return range(start + 1, stop + 1)


def char_ends(data: bytes, start: int, stop: int) -> Sequence[int]:
    r"""Each character is an atom; a byte that belongs to none is one by itself.

    >>> list(char_ends("aé€".encode() + b"\xff", 0, 7))
    [1, 3, 6, 7]
    """
    encoding = encoding_of(data)
    if encoding is not None and encoding != "utf-8":
        widths: list[int] = [len(c.encode(encoding)) for c in data[start:stop].decode(encoding, "replace")]
        if sum(widths) != stop - start:  # cut inside a character: no text any more
            return byte_ends(data, start, stop)
        return array("Q", accumulate(widths, initial=start))[1:]
    piece = data[start:stop]
    if piece.isascii():
        return byte_ends(data, start, stop)
    text = piece.decode("utf-8", "surrogateescape")
    return array("Q", accumulate(map(_width, text), initial=start))[1:]


def _width(char: str) -> int:
    code = ord(char)
    if code < 0x80 or 0xDC80 <= code <= 0xDCFF:
        return 1
    if code < 0x800:
        return 2
    return 3 if code < 0x10000 else 4


def line_ends(data: bytes, start: int, stop: int) -> Sequence[int]:
    r"""Each line, with what ends it, is an atom.

    >>> list(line_ends(b"one\r\ntwo\nthree", 0, 14))
    [5, 9, 14]
    """
    encoding = wide_encoding_of(data)
    if encoding is not None:
        return _wide_line_ends(data, start, stop, encoding)
    piece = data[start:stop]
    pattern = _OLD_LINE if b"\n" not in piece and b"\r" in piece else _LINE
    return array("Q", (start + match.end() for match in pattern.finditer(piece)))


def _wide_line_ends(data: bytes, start: int, stop: int, encoding: str) -> Sequence[int]:
    """Lines of UTF-16 and UTF-32, where a line feed has several bytes."""
    ends = array("Q")
    here = start
    try:
        text = data[start:stop].decode(encoding, "surrogatepass")
    except UnicodeDecodeError:  # cut inside a character: no text any more
        return byte_ends(data, start, stop)
    for line in text.splitlines(keepends=True):
        here += len(line.encode(encoding, "surrogatepass"))
        ends.append(here)
    return ends


def delimited(delimiters: Sequence[bytes]) -> Atoms:
    """Each stretch up to and with a delimiter is an atom.

    >>> list(delimited([b";"])(b"a;b;c", 0, 5))
    [2, 4, 5]
    """
    pattern = re.compile(b"|".join(re.escape(d) for d in sorted(delimiters, key=len, reverse=True)))

    def ends(data: bytes, start: int, stop: int) -> Sequence[int]:
        found = array("Q", (match.end() for match in pattern.finditer(data, start, stop)))
        if start < stop and (not found or found[-1] != stop):
            found.append(stop)
        return found

    return ends


# Which kinds of atoms suit a file, coarse to fine.


@dataclass(frozen=True, slots=True)
class Granularity:
    """A kind of atom, by name."""

    name: str
    atoms: Atoms
    apart: bool = False
    """Whether words stay apart."""

    def deltas(self, data: bytes, free: Sequence[Region]) -> AtomDomain:
        """The atoms of the free regions of a file."""
        return flat(data, self.atoms, free, apart=self.apart)


LINES = Granularity("lines", line_ends)
TOKENS = Granularity("tokens", token_ends)
WORDS = Granularity("tokens", word_ends, apart=True)
"""Tokens without layout: that `a;b` without its semicolon is `ab` would be of no use."""
CHARS = Granularity("chars", char_ends)
BYTES = Granularity("bytes", byte_ends)

_NAMED = {level.name: level for level in (LINES, TOKENS, CHARS, BYTES)}
NAMES = ("auto", *_NAMED)
"""Atoms by name; "tree" is another kind of delta."""


def levels(data: bytes, atoms: str = "auto", delimiters: Sequence[bytes] = ()) -> list[Granularity]:
    """The levels to go through: the one that was asked for, or lines, tokens, characters.

    Delimiters make a level of their own, in the place of lines.

    What is not a text has no characters: there, bytes are the finest level.
    """
    own = [Granularity("delimited", delimited(delimiters))] if delimiters else []
    if atoms != "auto":
        return [*own, _NAMED[atoms]]
    encoding = encoding_of(data)
    if encoding is None:
        return [*(own or [LINES]), TOKENS, BYTES]
    if encoding != "utf-8":  # the lexer reads bytes; it would cut wide characters in two
        return [*(own or [LINES]), CHARS]
    return [*(own or [LINES]), TOKENS, CHARS]
