"""Which brackets of a text belong together."""

from __future__ import annotations

from array import array
from itertools import accumulate

BRACKETS = b"()[]{}"
NO_BRACKETS = bytes(set(range(256)) - set(BRACKETS))
"""For bytes.translate: what to leave out of a text so that its brackets are left."""

_PAIRS = tuple(BRACKETS[place : place + 2] for place in (0, 2, 4))
_STEPS = bytes.maketrans(BRACKETS, bytes([1, 255] * 3))
"""One up, one down (255 is minus one)."""
_ROUND = bytes.maketrans(BRACKETS, b"()" * 3)
_STEP = 64
"""Bytes to look at first."""
_OPENS = {closing: opening for opening, closing in zip(BRACKETS[::2], BRACKETS[1::2], strict=True)}


def partners(signs: bytes) -> list[int]:
    """The partner of each bracket in a row of brackets; -1 where it has none.

    A closing bracket goes with the nearest open one of its kind; what was opened in between has no partner.

    >>> partners(b"([]))"), partners(b"([)")
    ([3, 2, 1, 0, -1], [2, -1, 0])
    """
    found = [-1] * len(signs)
    open_: list[int] = []
    waiting = dict.fromkeys(BRACKETS, 0)
    for place, sign in enumerate(signs):
        opening = _OPENS.get(sign)
        if opening is None:
            open_.append(place)
            waiting[sign] += 1
        elif waiting[opening]:
            while signs[partner := open_.pop()] != opening:
                waiting[signs[partner]] -= 1
            waiting[opening] -= 1
            found[place], found[partner] = partner, place
    return found


def faults(signs: bytes) -> int:
    """How many brackets of a row of brackets have no partner.

    >>> faults(b"([]))"), faults(b"([)")
    (1, 1)
    """
    size = 2 * len(signs)
    while len(signs) * 32 < size * 31:  # neighbours that are partners can go; most go soon, without a look at each
        size = len(signs)
        signs = signs.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
    if signs.count(signs[:1]) + signs.count(signs[-1:]) == len(signs) and signs[:1] + signs[-1:] in _PAIRS:
        return _faults_of_one_kind(signs)
    return partners(signs).count(-1)


def _faults_of_one_kind(signs: bytes) -> int:
    """As above, where there is one kind of brackets: those that close too much, and those that are open at the end."""
    depths = list(accumulate(array("b", signs.translate(_STEPS)), initial=0))
    return depths[-1] - 2 * min(depths)


def rounded(data: bytes, start: int, end: int) -> bytes:
    """A text with round brackets in the place of all that are in a stretch."""
    return data if all(data.find(pair[1:], start, end) < 0 for pair in _PAIRS[1:]) else data.translate(_ROUND)


def closing(data: bytes, at: int, end: int) -> int:
    """Where the round bracket closes that is open at a place; all in between are taken for brackets with partners.

    Long stretches that do not close enough are passed by at once; where one might, a shorter one is looked at.

    >>> closing(b"(a (b) c) d", 1, 11)
    9
    """
    depth, step, count = 1, _STEP, data.count
    while at < end:
        upto = min(at + step, end)
        closes = count(b")", at, upto)
        if closes < depth:
            depth += count(b"(", at, upto) - closes
            at, step = upto, 2 * step
        elif upto - at > 1:
            step = (upto - at) // 2
        else:
            return upto
    return end
