"""Stretches of a file that are to be something else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Change(NamedTuple):
    """A stretch of the file, and what stands there instead."""

    start: int
    end: int
    text: bytes


def _word(byte: int) -> bool:
    return byte == 95 or byte >= 128 or chr(byte).isalnum()


class Place(NamedTuple):
    """A stretch of the file that has changed, and where what stands there now ends in the new text."""

    start: int
    end: int
    now: int


def applied(data: bytes, changes: Sequence[Change]) -> bytes:
    """The text after these changes; words that would run together are kept apart."""
    return woven(data, changes)[0]


def woven(data: bytes, changes: Sequence[Change]) -> tuple[bytes, list[Place]]:
    r"""The text after these changes (in order), and the places where it differs.

    >>> woven(b"int x; int y;", [Change(4, 7, b""), Change(11, 12, b"z")])
    (b'int int z;', [Place(start=4, end=7, now=4), Place(start=11, end=12, now=9)])
    """
    weaving = _Weaving()
    places: list[Place] = []
    at = 0
    for start, end, text in changes:
        if start > at or not places:
            weaving.put(data[at:start])
            if places:
                places[-1] = places[-1]._replace(now=weaving.size - (start - at))
            places.append(Place(start, end, 0))
        at = max(at, end)
        weaving.put(text)
        places[-1] = places[-1]._replace(end=at, now=weaving.size)
    weaving.put(data[at:])
    if places:
        places[-1] = places[-1]._replace(now=weaving.size - (len(data) - at))
    return b"".join(weaving.pieces), places


class _Weaving:
    """A text while it is put together."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.size = 0

    def put(self, piece: bytes) -> None:
        """Go on with a piece; between two words there is a blank."""
        if not piece:
            return
        if self.pieces and _word(self.pieces[-1][-1]) and _word(piece[0]):
            self.pieces.append(b" ")
            self.size += 1
        self.pieces.append(piece)
        self.size += len(piece)
