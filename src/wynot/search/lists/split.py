"""How a configuration is cut into subsets, and which subset is tried first.

The papers ask only for disjoint subsets of similar size. `evenly` does that; `by_group` keeps related deltas
together as long as it can (Zeller 1999, section 6, "grouping related changes").
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence

from wynot.core.config import Config

Split = Callable[[Config, int], Sequence[Config]]
"""Cuts a configuration into at most so many non-empty subsets, whose union it is."""

Order = Callable[[Sequence[Config]], Sequence[Config]]
"""Says which subset comes first."""


def evenly(config: Config, count: int) -> list[Config]:
    """Cut into `count` subsets whose sizes differ by one at most.

    >>> evenly(Config.full(8), 3)
    [Config(0-1), Config(2-4), Config(5-7)]
    """
    size = len(config)
    count = min(count, size)
    return [config.part(size * i // count, size * (i + 1) // count) for i in range(count)]


def halves(chunks: Sequence[Config], split: Split = evenly) -> list[Config]:
    """The same chunks at twice the granularity ("increase granularity").

    Every chunk is cut on its own, so the new subsets nest in the old ones and no subset of an earlier granularity
    comes back under another cut; the bounds of the papers rest on that.
    """
    return [half for chunk in chunks for half in (split(chunk, 2) if len(chunk) > 1 else (chunk,))]


def by_group(labels: Sequence[Sequence[Hashable]]) -> Split:
    """Cut between groups as long as there are several; `labels[i]` names delta i's groups, coarse to fine.

    >>> split = by_group([("a",), ("a",), ("a",), ("b",)])
    >>> split(Config.full(4), 2)
    [Config(0-2), Config(3)]
    >>> split(Config.full(3), 2)
    [Config(0), Config(1-2)]
    """

    def edges(members: Sequence[int], depth: int) -> list[int]:
        """The ranks at which a new group begins, groups of up to this depth."""
        keys = [tuple(labels[m][: depth + 1]) for m in members]
        return [i for i in range(1, len(keys)) if keys[i] != keys[i - 1]]

    def split(config: Config, count: int) -> list[Config]:
        members = list(config)
        depths = max((len(labels[m]) for m in members), default=0)
        for depth in range(depths):
            found = edges(members, depth)
            if found:
                return _cut_at(config, found, count)
        return evenly(config, count)

    return split


def _cut_at(config: Config, edges: Sequence[int], count: int) -> list[Config]:
    """Cut at those of the allowed edges that come nearest to an even cut."""
    size, cuts = len(config), [0]
    for i in range(1, count):
        ideal = size * i / count
        at = bisect_left(edges, ideal)
        near = min(edges[max(at - 1, 0) : at + 1], key=lambda e: abs(e - ideal))
        if near > cuts[-1]:
            cuts.append(near)
    return [config.part(a, b) for a, b in zip(cuts, [*cuts[1:], size], strict=True)]


def in_order(chunks: Sequence[Config]) -> Sequence[Config]:
    """The first subset first, as in the papers' tables."""
    return chunks


def last_first(chunks: Sequence[Config]) -> Sequence[Config]:
    """The last subset first: in programs, uses come after what they use."""
    return chunks[::-1]


def smallest_first(chunks: Sequence[Config]) -> Sequence[Config]:
    """The subset with the fewest deltas first: of several causes, the smallest is found."""
    return sorted(chunks, key=len)
