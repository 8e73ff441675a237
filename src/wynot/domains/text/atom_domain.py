"""A file as a row of atoms, each of which can be present or absent.

Atoms never overlap and stand in order. What is not part of an atom is pinned: it is in every candidate (protected
regions; the passing side of an isolation).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.domains.text.tokens import spaced

Region = tuple[int, int]
Atoms = Callable[[bytes, int, int], Sequence[int]]
"""The ends of the atoms of data[start:stop], ascending, the last one being stop; none where it is empty."""

MOST_TOLD = 1 << 16
"""Of more bytes than this is not told what goes: there are few such cuts, and what is left of them changes."""


@dataclass(frozen=True, slots=True)
class AtomDomain:
    """Deltas of a file: atom i is data[starts[i]:ends[i]]."""

    data: bytes
    starts: Sequence[int]
    ends: Sequence[int]
    pinned: Config
    apart: bool = False
    """Whether words stay apart when what is between them goes, as long as nothing is pinned."""

    def __len__(self) -> int:
        return len(self.starts)

    def kept(self, config: Config) -> Config:
        """The bytes of the file that are present, as positions."""
        bounds: list[int] = []
        for first, last in config.intervals():
            start = self.starts[first]
            if bounds and bounds[-1] == start:
                bounds.pop()
                bounds.append(self.ends[last - 1])
            else:
                bounds += (start, self.ends[last - 1])
        return Config(tuple(bounds)) | self.pinned

    def render(self, config: Config) -> bytes:
        """The file with only these atoms, and what is pinned."""
        pieces = [self.data[a:b] for a, b in self.kept(config).intervals()]
        return spaced(pieces) if self.apart and not self.pinned else b"".join(pieces)

    def cut(self, before: Config, after: Config) -> list[bytes]:
        """What is in the first of two configurations and not in the second, stretch by stretch; nothing if it is much.

        One sign or word is much like another: the atoms beside it tell them apart.
        """
        gone = list((before - after).intervals())
        if sum(self.ends[b - 1] - self.starts[a] for a, b in gone) > MOST_TOLD:
            return []
        return [b"\1".join((self._text(a - 1, a), self._text(a, b), self._text(b, b + 1))) for a, b in gone]

    def _text(self, start: int, stop: int) -> bytes:
        """Some atoms, as far as there are any, without the white space around them."""
        return self.data[self.starts[start] : self.ends[stop - 1]].strip() if 0 <= start < stop <= len(self) else b""

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)


def flat(data: bytes, atoms: Atoms, free: Iterable[Region] | None = None, *, apart: bool = False) -> AtomDomain:
    r"""Cut the free regions of a file into atoms; all else is pinned. Words stay `apart`, if that is wanted.

    >>> from wynot.domains.text.atoms import line_ends
    >>> domain = flat(b"a\nb\nc\n", line_ends)
    >>> len(domain), domain.render(Config.of([0, 2]))
    (3, b'a\nc\n')
    """
    regions = [(0, len(data))] if free is None else list(free)
    if len(regions) == 1 and isinstance(ends := atoms(data, *regions[0]), range):
        starts: Sequence[int] = range(regions[0][0], regions[0][1])  # single bytes: no list of a million numbers
    else:
        starts, ends = _listed(data, atoms, regions)
    covered = Config(tuple(bound for region in regions if region[0] < region[1] for bound in region))
    return AtomDomain(data, starts, ends, Config.full(len(data)) - covered, apart)


def _listed(data: bytes, atoms: Atoms, regions: list[Region]) -> tuple[Sequence[int], Sequence[int]]:
    starts, ends = array("Q"), array("Q")
    for start, stop in regions:
        for end in atoms(data, start, stop):
            starts.append(start)
            ends.append(end)
            start = end  # noqa: PLW2901 - the next atom begins where this one ends
    return starts, ends


def regions_within(whole: Config, part: Config) -> list[Region]:
    """Where the members of `part` stand in a file that holds just the bytes of `whole`.

    >>> regions_within(Config.of([0, 1, 5, 6, 9]), Config.of([1, 5, 9]))
    [(1, 3), (4, 5)]
    """
    regions: list[Region] = []
    rank = 0
    inside = part.intervals()
    start, stop = next(inside, (0, 0))
    for low, high in whole.intervals():
        while start < stop <= high:
            at = rank + start - low
            if regions and regions[-1][1] == at:  # nothing pinned is left between them
                regions[-1] = (regions[-1][0], at + stop - start)
            else:
                regions.append((at, at + stop - start))
            start, stop = next(inside, (0, 0))
        rank += high - low
    return regions
