"""Stretches of a file that are to be something else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wynot.domains.text.lexical import WORD


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
