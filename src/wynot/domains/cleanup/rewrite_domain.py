"""Things in a file for which simpler texts are known: absent, a thing has a simpler text; present, its own.

A thing (a name, a literal, some white space) stands at one or several places. Its simpler texts are nodes of a tree,
one below the other, the simplest on top: taking away a node, and so all below it, puts that node's text in the
thing's places. So one search among trees, level by level, tries the simplest text of everything first.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wynot.core.artifact import digest, simplicity
from wynot.core.config import Config
from wynot.core.tree_shape import shape_of
from wynot.domains.syntax.syntax_tree import TextEdit, applied
from wynot.domains.text.atom_domain import Region


class Rewrite(NamedTuple):
    """Places where the same thing stands, and simpler texts for it, the simplest first."""

    places: tuple[Region, ...]
    texts: tuple[bytes, ...]


def simpler(old: bytes, texts: Iterable[bytes]) -> tuple[bytes, ...]:
    """Those of some texts that are simpler than another one, the simplest first.

    >>> simpler(b"10", [b"11", b"9", b"0", b"05", b"0"])
    (b'0', b'9', b'05')
    """
    return tuple(sorted({text for text in texts if simplicity(text) < simplicity(old)}, key=simplicity))


class Rewrites:
    """The deltas of a file: node 0 is the file itself, the others are simpler texts. Places never overlap."""

    def __init__(self, data: bytes, rewrites: Sequence[Rewrite]) -> None:
        self._data, self._rewrites = data, rewrites
        self._owners = array("q", (-1,))
        parents, weights = array("q", (-1,)), array("q", (len(data),))
        for owner, rewrite in enumerate(rewrites):
            for rank in range(len(rewrite.texts)):
                parents.append(len(parents) - 1 if rank else 0)
                weights.append(sum(end - start for start, end in rewrite.places))
                self._owners.append(owner)
        self.shape = shape_of(parents, weights)

    def __len__(self) -> int:
        return len(self._owners)

    def render(self, config: Config) -> bytes:
        """The file, with simpler texts where they are asked for."""
        return applied(self._data, sorted(self._changes(config)))

    def _changes(self, config: Config) -> Iterator[TextEdit]:
        seen = -1
        for node in Config.full(len(self)) - config:
            owner = self._owners[node]
            if owner > seen:  # those below the topmost one that is absent are absent, too
                seen = owner
                text = self._rewrites[owner].texts[self.shape.depths[node] - 1]
                yield from (TextEdit(start, end, text) for start, end in self._rewrites[owner].places)

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)


def covering(regions: Iterable[Region]) -> Config:
    """All positions in some stretches, which may overlap.

    >>> covering([(4, 6), (0, 3), (2, 5), (8, 8)])
    Config(0-5)
    """
    bounds: list[int] = []
    for start, end in sorted(regions):
        if bounds and start <= bounds[-1]:
            bounds[-1] = max(bounds[-1], end)
        elif start < end:
            bounds += (start, end)
    return Config(tuple(bounds))


def within(region: Region, free: Config) -> bool:
    """Whether all of a stretch, and something, lies where deltas may be."""
    start, end = region
    place = bisect_right(free.bounds, start)
    return start < end and place & 1 == 1 and end <= free.bounds[place]
