"""The bytes of a file that is no text: absent, a byte is zero, and what stands behind it stays where it is.

Many binary formats say where things are: a section of an ELF file begins at a byte whose number stands in a table.
There nothing can be cut without moving what is behind it, but what nobody reads may as well be zero. Of two files as
long as each other the one with more zeros sorts first, so it is the simpler one (`core/artifact.py`).

It also makes proofs short: whichever one of a row of zeros is taken away, the file is the same (`rows`).
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.domains.text.atom_domain import Atoms, Region
from wynot.domains.text.atoms import encoding_of

_SAID = re.compile(rb"[^\0]", re.DOTALL)
_ROW = re.compile(rb"\0{2,}")


@dataclass(frozen=True, slots=True)
class ZeroedBytes:
    """Deltas of a file: its bytes that are not zero, by their places."""

    data: bytes
    places: Sequence[int]
    borders: Sequence[int] = ()
    """Which of them are the first of a region: what is between two regions stays."""

    def __len__(self) -> int:
        return len(self.places)

    def render(self, config: Config) -> bytes:
        """The file with zeros in the place of what is absent."""
        blanked = bytearray(self.data)
        for first, last in (Config.full(len(self)) - config).intervals():
            bounds = (first, *self.borders[bisect_right(self.borders, first) : bisect_left(self.borders, last)], last)
            for one, other in pairwise(bounds):
                start, stop = self.places[one], self.places[other - 1] + 1
                blanked[start:stop] = bytes(stop - start)  # those in between are zero anyway, or absent, too
        return bytes(blanked)

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)


def blanks(data: bytes, free: Iterable[Region] | None = None) -> ZeroedBytes:
    r"""The bytes in the free regions of a file that are not zero.

    >>> domain = blanks(b"\0ab\0c")
    >>> len(domain), domain.render(Config.of([1]))
    (3, b'\x00\x00b\x00\x00')
    """
    places, borders = array("Q"), array("Q")
    for region in [(0, len(data))] if free is None else free:
        borders.append(len(places))
        places.extend(found.start() for found in _SAID.finditer(data, *region))
    return ZeroedBytes(data, places, borders)


def binary(data: bytes) -> bool:
    """Whether a file is no text, and has zeros in it: texts in old encodings have none."""
    return b"\0" in data and encoding_of(data) is None


def rows(atoms: Atoms) -> Atoms:
    r"""Other atoms, but of a row of zeros the first is one, the next two, four, ... are, and the rest is.

    So rows may have any length, by few atoms; that none can be one shorter is shown by as many tests as it has atoms.

    >>> from wynot.domains.text.atoms import byte_ends
    >>> list(rows(byte_ends)(b"ab" + bytes(9) + b"c", 0, 12))
    [1, 2, 3, 5, 9, 11, 12]
    """

    def ends(data: bytes, start: int, stop: int) -> Sequence[int]:
        found, here = array("Q"), start
        for row in _ROW.finditer(data, start, stop):
            found.extend(atoms(data, here, row.start()))
            here, size = row.start(), 1
            while here + size < row.end():
                here, size = here + size, size * 2
                found.append(here)
            here = row.end()
            found.append(here)
        found.extend(atoms(data, here, stop))
        return found

    return ends
