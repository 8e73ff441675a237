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


def applied(data: bytes, changes: Sequence[Change]) -> bytes:
    """The text after these changes; words that would run together are kept apart."""
    pieces: list[bytes] = []
    at = 0
    for start, end, text in changes:
        if start > at or not pieces:
            pieces.append(data[at:start])
        at = max(at, end)
        if text:
            pieces.append(text)
    pieces.append(data[at:])
    return _joined([piece for piece in pieces if piece])


def _joined(pieces: list[bytes]) -> bytes:
    for place in range(1, len(pieces)):
        if _word(pieces[place - 1][-1]) and _word(pieces[place][0]):
            pieces[place] = b" " + pieces[place]
    return b"".join(pieces)
