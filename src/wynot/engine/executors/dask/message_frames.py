"""Messages through a pipe: eight bytes that say how long it is, then a pickled value."""

from __future__ import annotations

import os
import pickle
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

_LENGTH = struct.Struct(">Q")
_READ = 1 << 20


class StartTest(NamedTuple):
    """To a hand: run this test."""

    key: str
    parcel: bytes


class KillTest(NamedTuple):
    """To a hand: nobody wants this test any more."""

    key: str


class TestMessage(NamedTuple):
    """From a hand: an Answer, or Missing."""

    key: str
    answer: Any


def write(fd: int, message: StartTest | KillTest | TestMessage) -> None:
    """Send a message whole."""
    data = pickle.dumps(message)
    left = memoryview(_LENGTH.pack(len(data)) + data)
    while left:
        left = left[os.write(fd, left) :]


class MessageReader:
    """Takes messages out of what can be read, as it comes."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._data = bytearray()
        self.ended = False

    def read(self) -> Iterator[Any]:
        """Read once, and give the messages that are whole."""
        piece = os.read(self._fd, _READ)
        self.ended = not piece
        self._data += piece
        while len(self._data) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._data)[0]
            if len(self._data) < end:
                return
            message = pickle.loads(bytes(self._data[_LENGTH.size : end]))  # noqa: S301 - a pipe of our own
            del self._data[:end]
            yield message
