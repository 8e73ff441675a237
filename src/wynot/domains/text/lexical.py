"""What programs of many languages are made of, by its looks: identifiers, comments."""

from __future__ import annotations

import re
from collections.abc import Iterable

NAME = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
"""An identifier, to make a larger pattern of."""
IDENTIFIER = re.compile(NAME)
C_COMMENT = re.compile(rb"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)")
"""A comment of C, and of all languages that took theirs from it."""
WORD = frozenset(byte for byte in range(256) if byte in b"_$" or byte >= 0x80 or chr(byte).isalnum())
"""The bytes that make words."""


def spaced(pieces: Iterable[bytes]) -> bytes:
    """Pieces of a text in a row, none of them empty; words that would run together are kept apart.

    >>> spaced([b"int x", b"y;", b"z"])
    b'int x y;z'
    """
    found: list[bytes] = []
    for piece in pieces:
        if found and piece[0] in WORD and found[-1][-1] in WORD:
            found.append(b" ")
        found.append(piece)
    return b"".join(found)
