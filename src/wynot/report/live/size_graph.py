"""A small graph of sizes over time, for a terminal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import log2

from wynot.report.live.progress_state import SizePoint

BLOCKS = " ▁▂▃▄▅▆▇█"
ASCII = " .:#"
LEAST = 1.0
"""The graph shows a factor of two at least: little progress is to look little."""


def graph(points: Sequence[SizePoint], until: float, width: int, height: int, *, plain: bool = False) -> list[str]:
    """The sizes from the beginning until now, on a logarithmic scale; plain: in ASCII.

    >>> graph([SizePoint(0, 1000), SizePoint(5, 30)], 10, 10, 1)
    ['█████▁▁▁▁▁']
    >>> graph([SizePoint(0, 1000), SizePoint(5, 30)], 10, 10, 2, plain=True)
    ['#####     ', '#####.....']
    """
    marks = ASCII if plain else BLOCKS
    fine = len(marks) - 1
    top = log2(points[0].size + 1)
    bottom = max(0.0, min(top - LEAST, *(log2(point.size + 1) for point in points)))
    scale = (height * fine) / max(top - bottom, LEAST)
    levels = [max(1, round(scale * (log2(size + 1) - bottom))) for size in _sampled(points, until, width)]
    return [
        "".join(marks[max(0, min(fine, level - row * fine))] for level in levels) for row in reversed(range(height))
    ]


def _sampled(points: Sequence[SizePoint], until: float, count: int) -> list[int]:
    """The sizes at so many times, evenly spread from the beginning until now."""
    times = [point.seconds for point in points]
    step = until / max(count - 1, 1)
    return [points[max(0, bisect_right(times, place * step) - 1)].size for place in range(count)]
