"""A text by its lines, which are numbered from 0. Only a newline ends one."""

from __future__ import annotations

import re
from array import array

_END = re.compile(rb"\n")


class Lines:
    r"""The lines of a text, found once and cut out when they are asked for.

    >>> text = Lines(b"a\r\nb\rc\n\nd")
    >>> len(text), text.cut(1, 3), text.offset(4)
    (4, b'b\rc\n\n', 9)
    """

    __slots__ = ("_ends", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._ends = array("Q", (found.end() for found in _END.finditer(data)))
        if data and not data.endswith(b"\n"):
            self._ends.append(len(data))

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
