"""What travels between the client and the programs beside the workers that run the tests.

Everything is a value of ours, pickled. What is the same for many tests (whom to ask, within which limits; a large text
that candidates are cut from) is sent to each worker once, and named by its digest from then on.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b

from wynot.core.artifact import Content, digest, size
from wynot.core.call import Call
from wynot.engine.executors.dask.content_delta import FolderPatch, Patch, described, restored
from wynot.engine.executors.limits import Limits
from wynot.oracles.protocol import Examiner, Report

LARGE = 16384
"""Contents from this size on (in bytes) are described by one that was sent before."""
_SHELF = 8
"""So many things are kept for later parcels."""


@dataclass(frozen=True, slots=True)
class TestSettings:
    """How tests are to be run, from now on."""

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
        self._order: tuple[TestSettings, bytes, bytes] | None = None
        self._base: tuple[Content, bytes, bytes] | None = None

    def pack(self, order: TestSettings, content: Content, known: set[bytes]) -> bytes:
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

    def unpack(self, data: bytes) -> tuple[TestSettings, Content] | None:
        """A parcel's order and content; None where something is missing."""
        parcel: Parcel = pickle.loads(data)  # noqa: S301 - the client's, who may run what it likes here
        for key, value in parcel.enclosed.items():
            self._things[key] = pickle.loads(value)  # noqa: S301
        order, base = self._thing(parcel.order), parcel.base and self._thing(parcel.base)
        while len(self._things) > _SHELF:
            self._things.popitem(last=False)
        if not isinstance(order, TestSettings) or (parcel.base is not None and base is None):
            return None
        if parcel.base is None:
            return order, parcel.content  # type: ignore[return-value]
        return order, restored(base, parcel.content)  # type: ignore[arg-type]

    def _thing(self, key: bytes) -> object:
        if key not in self._things:
            return None
        self._things.move_to_end(key)
        return self._things[key]
