"""Configurations: sets of delta indices, kept as intervals.

A million deltas of which half are present is one pair of numbers, not half a million integers. Every operation
costs O(intervals it touches); cutting by rank (`part`, `without`) costs two binary searches and a copy.

Invariant: `bounds` is a strictly increasing tuple of even length, start, end, start, end, ...; so touching intervals
are always merged and equal sets have equal bounds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate


class Config:
    """An immutable set of delta indices.

    >>> c = Config.full(8) - Config.of([2, 3])
    >>> list(c), len(c), c.bounds
    ([0, 1, 4, 5, 6, 7], 6, (0, 2, 4, 8))
    >>> c.part(1, 4), c.without(1, 4)
    (Config(1, 4-5), Config(0, 6-7))
    """

    __slots__ = ("_ranks", "bounds")

    bounds: tuple[int, ...]

    def __init__(self, bounds: tuple[int, ...] = ()) -> None:
        self.bounds = bounds
        self._ranks: list[int] | None = None

    @classmethod
    def full(cls, count: int) -> Config:
        """All deltas 0 .. count-1."""
        return cls((0, count)) if count > 0 else cls()

    @classmethod
    def of(cls, indices: Iterable[int]) -> Config:
        """The set of these indices, in any order."""
        bounds: list[int] = []
        for index in sorted(set(indices)):
            if bounds and bounds[-1] == index:
                bounds[-1] = index + 1
            else:
                bounds += (index, index + 1)
        return cls(tuple(bounds))

    @classmethod
    def union(cls, configs: Iterable[Config]) -> Config:
        """All that is in any of these.

        >>> Config.union([Config.of([1, 2]), Config.of([2, 3]), Config.of([7])])
        Config(1-3, 7)
        """
        return cls.of(index for config in configs for index in config)

    def _cumulated(self) -> list[int]:
        """How many deltas lie before each interval, and in all."""
        if self._ranks is None:
            lengths = map(int.__sub__, self.bounds[1::2], self.bounds[::2])
            self._ranks = list(accumulate(lengths, initial=0))
        return self._ranks

    def intervals(self) -> Iterator[tuple[int, int]]:
        """The half-open intervals, ascending."""
        return zip(self.bounds[::2], self.bounds[1::2], strict=True)

    def part(self, start: int, stop: int) -> Config:
        """The members of rank start .. stop-1 (the first member has rank 0)."""
        ranks, bounds = self._cumulated(), self.bounds
        start, stop = max(start, 0), min(stop, ranks[-1])
        if start >= stop:
            return Config()
        first = bisect_right(ranks, start) - 1
        last = bisect_left(ranks, stop) - 1
        low = bounds[2 * first] + start - ranks[first]
        high = bounds[2 * last] + stop - ranks[last]
        return Config((low, *bounds[2 * first + 1 : 2 * last + 1], high))

    def without(self, start: int, stop: int) -> Config:
        """All members but those of rank start .. stop-1."""
        if start >= stop:
            return self
        head, tail = self.part(0, start).bounds, self.part(stop, len(self)).bounds
        if head and tail and head[-1] == tail[0]:  # pragma: no cover - ruled out by start < stop
            return Config(head[:-1] + tail[1:])
        return Config(head + tail)

    def __sub__(self, other: Config) -> Config:
        if len(other.bounds) == 2:
            return Config(_without(self.bounds, *other.bounds))
        if len(self.bounds) == 2:
            return Config(_rest(*self.bounds, other.bounds))
        return self._combined(other, _only_left)

    def __or__(self, other: Config) -> Config:
        if len(other.bounds) == 2:
            return Config(_with(self.bounds, *other.bounds))
        return self._combined(other, _either)

    def __and__(self, other: Config) -> Config:
        if not self.bounds or not other.bounds:
            return Config()
        if len(other.bounds) == 2:
            return Config(_within(self.bounds, *other.bounds))
        return Config(_merge(self._window(other)[1], other.bounds, _both))

    def _window(self, other: Config) -> tuple[int, tuple[int, ...], int]:
        """The stretch of our bounds that `other` can change; the rest is copied as it is."""
        low = bisect_left(self.bounds, other.bounds[0])
        high = bisect_right(self.bounds, other.bounds[-1])
        low -= low & 1
        high += high & 1
        return low, self.bounds[low:high], high

    def _combined(self, other: Config, keep: Callable[[int, int], int]) -> Config:
        if not other.bounds:
            return self
        low, window, high = self._window(other)
        return Config(self.bounds[:low] + _merge(window, other.bounds, keep) + self.bounds[high:])

    def isdisjoint(self, other: Config) -> bool:
        """Whether no delta is in both."""
        return not (self & other).bounds

    def __le__(self, other: Config) -> bool:
        return not (self - other).bounds

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and bool(bisect_right(self.bounds, index) & 1)

    def among(self, indices: Iterable[int]) -> list[int]:
        """Those of these that are members, in the order given: where there are many, faster than to ask for each."""
        bounds = self.bounds
        return [index for index in indices if bisect_right(bounds, index) & 1]

    def __iter__(self) -> Iterator[int]:
        for start, end in self.intervals():
            yield from range(start, end)

    def __len__(self) -> int:
        return self._cumulated()[-1]

    def __bool__(self) -> bool:
        return bool(self.bounds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and self.bounds == other.bounds

    def __hash__(self) -> int:
        return hash(self.bounds)

    def __repr__(self) -> str:
        spans = (str(a) if b - a == 1 else f"{a}-{b - 1}" for a, b in self.intervals())
        return f"Config({', '.join(spans)})"


# One interval and any number of others, by binary search: where an odd number of bounds lies before a place, the place
# is inside. What begins or ends just there has to be merged, or left out, so it matters on which side a bound counts.


def _without(bounds: tuple[int, ...], start: int, end: int) -> tuple[int, ...]:
    """All but what is from start to end."""
    low, high = bisect_left(bounds, start), bisect_right(bounds, end)
    return bounds[:low] + (start,) * (low & 1) + (end,) * (high & 1) + bounds[high:]


def _with(bounds: tuple[int, ...], start: int, end: int) -> tuple[int, ...]:
    """That, too."""
    low, high = bisect_left(bounds, start), bisect_right(bounds, end)
    return bounds[:low] + (start,) * (~low & 1) + (end,) * (~high & 1) + bounds[high:]


def _within(bounds: tuple[int, ...], start: int, end: int) -> tuple[int, ...]:
    """Only that."""
    low, high = bisect_right(bounds, start), bisect_left(bounds, end)
    return (start,) * (low & 1) + bounds[low:high] + (end,) * (high & 1)


def _rest(start: int, end: int, bounds: tuple[int, ...]) -> tuple[int, ...]:
    """What is from start to end, without these."""
    low, high = bisect_right(bounds, start), bisect_left(bounds, end)
    return (start,) * (~low & 1) + bounds[low:high] + (end,) * (~high & 1)


def _only_left(left: int, right: int) -> int:
    return left & ~right


def _either(left: int, right: int) -> int:
    return left | right


def _both(left: int, right: int) -> int:
    return left & right


def _merge(a: tuple[int, ...], b: tuple[int, ...], keep: Callable[[int, int], int]) -> tuple[int, ...]:
    """Sweep both lists of bounds at once; an odd position in a list means "inside"."""
    merged: list[int] = []
    i = j = inside = 0
    while i < len(a) or j < len(b):
        here = a[i] if j >= len(b) or (i < len(a) and a[i] <= b[j]) else b[j]
        if i < len(a) and a[i] == here:
            i += 1
        if j < len(b) and b[j] == here:
            j += 1
        now = keep(i & 1, j & 1)
        if now != inside:
            merged.append(here)
            inside = now
    return tuple(merged)
