"""A text by its lines, which are numbered from 0. Only a newline ends one."""

from __future__ import annotations

from array import array
from io import BytesIO
from itertools import accumulate


def rows(data: bytes) -> list[bytes]:
    r"""The lines of a text, with their ends.

    >>> rows(b"a\r\nb\rc\n\nd")
    [b'a\r\n', b'b\rc\n', b'\n', b'd']
    """
    return BytesIO(data).readlines()


class FileLines:
    r"""The lines of a text, found once and cut out when they are asked for.

    >>> text = FileLines(b"a\r\nb\rc\n\nd")
    >>> len(text), text.cut(1, 3), text.offset(4)
    (4, b'b\rc\n\n', 9)
    """

    __slots__ = ("_ends", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._ends = array("Q", accumulate(map(len, rows(data))))

    def __len__(self) -> int:
        return len(self._ends)

    def offset(self, line: int) -> int:
        """How many bytes stand before a line; for the line after the last one, all."""
        return self._ends[line - 1] if line else 0

    def cut(self, start: int, stop: int) -> bytes:
        """The lines from one number to another."""
        return self.data[self.offset(start) : self.offset(stop)]

    @property
    def unended(self) -> bool:
        """Whether the last line has no end."""
        return bool(self.data) and not self.data.endswith(b"\n")
