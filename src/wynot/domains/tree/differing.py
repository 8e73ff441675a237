"""Where two texts differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Row = TypeVar("Row", str, bytes, list[str])


def differing(old: Row, new: Row) -> tuple[int, int, int]:
    """The stretch that differs in texts or rows of lines: where it begins, where it ends in the old, in the new one.

    >>> differing(b"int x; int y;", b"int x, y;")
    (5, 10, 6)
    """
    start = _common(min(len(old), len(new)), lambda a, b: old[a:b] == new[a:b])
    left, right = len(old), len(new)
    most = min(left, right) - start
    same = _common(most, lambda a, b: old[left - b : left - a] == new[right - b : right - a])
    return start, left - same, right - same


def _common(most: int, equal: Callable[[int, int], bool]) -> int:
    """How much is equal: a galloping search, then a binary one."""
    known, step = 0, 4096
    while known < most:
        end = min(known + step, most)
        if not equal(known, end):
            break
        known, step = end, step * 2
    else:
        return most
    low, high = known, min(known + step, most)
    while high - low > 1:
        middle = (low + high) // 2
        if equal(low, middle):
            low = middle
        else:
            high = middle
    return low
