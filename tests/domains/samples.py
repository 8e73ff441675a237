"""Files to cut up: every kind of line end, characters of all widths, bytes that are no text at all."""

from __future__ import annotations

import codecs
from random import Random

from hypothesis import strategies as st

from wynot.domains.text.atoms import BYTES, CHARS, LINES, TOKENS, Granularity, delimited, encoding_of

PIECES = [
    b"\n", b"\r\n", b"\r", b"\0", b" ", b"\t", b"\x0b", b"\x0c", b"\x85", b"a", b"_x9", b"Abc", b"12.5e3", b"0x1F",
    b'"', b"'", b"\\", b'\\"', b'"s t"', b"{", b"}", b";", b"//", b"$", "é".encode(), "€".encode(),
    "\U0001f600".encode(), "\u2028".encode(), "\u0a0d".encode(), b"\xff", b"\xc3",
    b"\xed\xa0\x80", b"\xf0\x9f", b"\xef\xbb\xbf",
]  # fmt: skip
CHARACTERS = "ab \t\n\r\0\x0b\x85é€\x7f\x80\u07ff\u0800\uffff\U00010000\u0a0d\u0d0a\u2028\ufeff\U0001f600\U00010a0d;"
WIDE = {
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
LEVELS = [LINES, TOKENS, CHARS, BYTES, Granularity("delimited", delimited([b";", b"}", b"//", b"\n"]))]


def wide(encoding: str, seed: int) -> bytes:
    """A text with its byte order mark; it does not begin with NUL, which would make UTF-16 look like UTF-32."""
    chance = Random(seed)
    return WIDE[encoding] + "".join(chance.choices(CHARACTERS, k=chance.randint(0, 12))).lstrip("\0").encode(encoding)


def _file(seed: int) -> bytes:
    chance = Random(seed)
    kind = chance.randrange(8)
    if kind < 4:
        return b"".join(chance.choices(PIECES, k=chance.randint(0, 14)))
    if kind == 4:
        return chance.randbytes(chance.randint(0, 30))
    data = wide(chance.choice(list(WIDE)), seed)
    if kind == 5:  # cut off, perhaps inside a character
        return data[: len(data) - chance.randint(0, 3)]
    return data


def aligned(data: bytes, position: int) -> int:
    """The position, or in a wide text the place before it where a character may begin."""
    return position - position % 4 if encoding_of(data) in WIDE else position


files = st.integers(0, 2**32).map(_file)
"""Files of all kinds."""
