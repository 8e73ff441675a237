"""Messages between a Dask worker and its test process, with contents as deltas to known ones."""

from __future__ import annotations

import os
import pickle
import struct
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from wynot.core.artifact import Content, digest, size
from wynot.core.call import Call
from wynot.core.folder import Entry, Folder
from wynot.engine.executors.sandbox import Limits
from wynot.oracles.protocol import Examiner, Report

# Messages through a pipe: eight bytes that say how long it is, then a pickled value.


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


# A content described by another one that the other side has: bytes copied from there, and bytes that are new.


Patch = tuple[tuple[int, int] | bytes, ...]
"""Pieces in order: from and to which byte of the other text, or what it is."""
FolderPatch = tuple[tuple[str, Entry | None], ...]
"""Entries in order; None: as in the other folder."""

_SAMPLE = 24
"""So many bytes in a row are looked for in the other text..."""
_MOST = 2000
"""...so often at the most: what is that different is sent whole."""


def patch(base: bytes, text: bytes) -> Patch | None:
    r"""What is to be copied and what is new; None where it is too much.

    >>> patch(b"0123456789" * 9, b"0123456789" * 3 + b"!" + b"0123456789" * 4)
    ((0, 30), b'!', (30, 70))
    """
    pieces: list[tuple[int, int] | bytes] = []
    here, there = 0, 0
    new = bytearray()
    for _ in range(_MOST):
        length = _common(base, there, text, here)
        if length:
            if new:
                pieces.append(bytes(new))
                new.clear()
            pieces.append((there, there + length))
            here, there = here + length, there + length
        if here >= len(text):
            return (*pieces, bytes(new)) if new else tuple(pieces)
        found = base.find(text[here : here + _SAMPLE], there)
        if found < 0:
            new += text[here : here + 1]
            here += 1
        else:
            there = found
    return None


def _common(base: bytes, there: int, text: bytes, here: int) -> int:
    """How many bytes are the same from here on."""
    same, step = 0, 64
    most = min(len(base) - there, len(text) - here)
    while same < most:
        step = min(step, most - same)
        if base[there + same : there + same + step] == text[here + same : here + same + step]:
            same += step
            step *= 2
        elif step == 1:
            break
        else:
            step = max(1, step // 4)
    return same


def patched(base: bytes, pieces: Patch) -> bytes:
    """The text again."""
    return b"".join(piece if isinstance(piece, bytes) else base[piece[0] : piece[1]] for piece in pieces)


def folder_patch(base: Folder, folder: Folder) -> FolderPatch:
    """The entries, those left out that the other folder has."""
    known = base.digests
    return tuple((p, None if known.get(p) == folder.digests[p] else entry) for p, entry in folder.entries.items())


def patched_folder(base: Folder, entries: FolderPatch) -> Folder:
    """The folder again."""
    full = {path: base.entries[path] if entry is None else entry for path, entry in entries}
    digests = {path: base.digests[path] if entry is None else entry.digest(path) for path, entry in entries}
    return Folder(full, digests)


def described(base: Content, content: Content) -> Patch | FolderPatch | None:
    """A content by another one; None where that cannot be, or is not worth it."""
    if isinstance(base, bytes) and isinstance(content, bytes):
        pieces = patch(base, content)
        new = sum(len(piece) if isinstance(piece, bytes) else 16 for piece in pieces or ())
        return pieces if pieces is not None and 2 * new < len(content) else None
    if isinstance(base, Folder) and isinstance(content, Folder):
        return folder_patch(base, content)
    return None


def restored(base: Content, pieces: Patch | FolderPatch) -> Content:
    """A content that was described."""
    if isinstance(base, bytes):
        return patched(base, pieces)  # type: ignore[arg-type]
    if isinstance(base, Folder):
        return patched_folder(base, pieces)  # type: ignore[arg-type]
    raise TypeError(f"nothing is described by a {type(base).__name__}")


# What travels between the client and the programs beside the workers that run the tests.
#
# Everything is a value of ours, pickled. What is the same for many tests (whom to ask, within which limits; a large
# text that candidates are cut from) is sent to each worker once, and named by its digest from then on.


LARGE = 16384
"""Contents from this size on (in bytes) are described by one that was sent before."""
_SHELF = 8
"""So many things are kept for later parcels."""


@dataclass(frozen=True, slots=True)
class TestOrder:
    """How tests are to be run."""

    examiner: Examiner
    name: str
    size: int
    lasting: bool
    limits: Limits
    age: int = 0
    """Where folders last: with another age, tests find nothing that earlier ones have built."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One test."""

    order: bytes
    content: Content | Patch | FolderPatch
    base: bytes | None = None
    """What the content is described by; None: it is all there."""
    enclosed: dict[bytes, bytes] = field(default_factory=dict)
    """Things to be kept, pickled, by their digests."""


@dataclass(frozen=True, slots=True)
class MissingContents:
    """The answer to a parcel that names things that are not there (any more)."""


@dataclass(frozen=True, slots=True)
class TestAnswer:
    """How a test ended, and how many programs were run since the last answer."""

    report: Report
    runs: int


class ParcelMaker:
    """Makes parcels, as small as the receiver's memory allows."""

    def __init__(self) -> None:
        self._order: tuple[TestOrder, bytes, bytes] | None = None
        self._base: tuple[Content, bytes, bytes] | None = None

    def pack(self, order: TestOrder, content: Content, known: set[bytes]) -> bytes:
        """A parcel for a receiver who knows these things; it is taken to know what is enclosed from now on."""
        if self._order is None or self._order[0] != order:
            data = pickle.dumps(order)
            self._order = order, blake2b(data, digest_size=32).digest(), data
        _, name, data = self._order
        enclosed = {name: data}
        body: Content | Patch | FolderPatch = content
        base = None
        if not isinstance(content, Call) and size(content) >= LARGE:
            body, base, text = self._described(content)
            enclosed[base] = text
        enclosed = {key: value for key, value in enclosed.items() if key not in known}
        known.update(enclosed)
        return pickle.dumps(Parcel(name, body, base, enclosed))

    def _described(self, content: Content) -> tuple[Patch | FolderPatch, bytes, bytes]:
        """A content by the last base, or by itself: then it is the base of those to come."""
        if self._base is not None:
            pieces = described(self._base[0], content)
            if pieces is not None:
                return pieces, self._base[1], self._base[2]
        self._base = content, digest(content), pickle.dumps(content)
        pieces = described(content, content)
        if pieces is None:
            raise TypeError(f"a {type(content).__name__} is never that large")
        return pieces, self._base[1], self._base[2]


class ContentShelf:
    """What a receiver keeps."""

    def __init__(self) -> None:
        self._things: OrderedDict[bytes, object] = OrderedDict()

    def unpack(self, data: bytes) -> tuple[TestOrder, Content] | None:
        """A parcel's order and content; None where something is missing."""
        parcel: Parcel = pickle.loads(data)  # noqa: S301 - the client's, who may run what it likes here
        for key, value in parcel.enclosed.items():
            self._things[key] = pickle.loads(value)  # noqa: S301
        order, base = self._thing(parcel.order), parcel.base and self._thing(parcel.base)
        while len(self._things) > _SHELF:
            self._things.popitem(last=False)
        if not isinstance(order, TestOrder) or (parcel.base is not None and base is None):
            return None
        if parcel.base is None:
            return order, parcel.content  # type: ignore[return-value]
        return order, restored(base, parcel.content)  # type: ignore[arg-type]

    def _thing(self, key: bytes) -> object:
        if key not in self._things:
            return None
        self._things.move_to_end(key)
        return self._things[key]
