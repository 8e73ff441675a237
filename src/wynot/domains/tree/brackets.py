"""Which brackets of a text belong together."""

from __future__ import annotations

BRACKETS = b"()[]{}"
NO_BRACKETS = bytes(set(range(256)) - set(BRACKETS))
"""For bytes.translate: what to leave out of a text so that its brackets are left."""

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
    return partners(signs).count(-1)
