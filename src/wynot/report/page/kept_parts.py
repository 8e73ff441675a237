"""Which parts of the original are left in the result (2002, figure 2), found by comparing the two texts.

The record keeps no way from one to the other: passes may have replaced what they could not leave out. So the result is
laid over the original token by token, such that what was one stretch stays one as far as possible.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from difflib import SequenceMatcher
from typing import NamedTuple

_TOKEN = re.compile(r"\w+|\n|[^\S\n]+|[^\w\s]")
NEAR = 24
"""So many places of a token are weighed."""
MUCH = 4_000_000
"""Pairs of tokens that are compared at most; of larger texts, lines are."""


class TextPart(NamedTuple):
    """A stretch of the original, or one that is new in the result."""

    text: str
    how: str
    """kept, cut or new."""


def pieces(original: str, result: str) -> list[TextPart]:
    """The original in stretches that are left or cut, with what is new in the result where it stands.

    >>> pieces("if (x) { f(); g(); }", "if (x) { g(); }")[:3]
    [TextPart(text='if (x) {', how='kept'), TextPart(text=' f();', how='cut'), TextPart(text=' g(); }', how='kept')]
    """
    for before, after in (_lines(original), _lines(result)), (_TOKEN.findall(original), _TOKEN.findall(result)):
        places = _within(before, after)
        if places is not None:
            kept = set(places)
            return _merged([TextPart(token, "kept" if place in kept else "cut") for place, token in enumerate(before)])
    if len(before) * len(after) > MUCH:
        before, after = _lines(original), _lines(result)
    if len(before) * len(after) > MUCH:
        return [TextPart(original, "cut"), TextPart(result, "new")]
    return _merged(_compared(before, after))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _compared(before: list[str], after: list[str]) -> list[TextPart]:
    found = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            found.append(TextPart("".join(before[a:b]), "kept"))
            continue
        found.append(TextPart("".join(before[a:b]), "cut"))
        found.append(TextPart("".join(after[c:d]), "new"))
    return found


def _merged(found: list[TextPart]) -> list[TextPart]:
    merged: list[TextPart] = []
    texts: list[str] = []
    for piece in found:
        if not piece.text:
            continue
        if merged and merged[-1].how == piece.how:
            texts.append(piece.text)
            continue
        if merged:
            merged[-1] = merged[-1]._replace(text="".join(texts))
        merged.append(piece)
        texts = [piece.text]
    if merged:
        merged[-1] = merged[-1]._replace(text="".join(texts))
    return merged


def _within(before: list[str], after: list[str]) -> list[int] | None:
    """Where each token of the result stands in the original; None where it is no part of it.

    Of all ways to lay it over, one with few gaps: each token may go to places between its first and its last chance.
    """
    where: dict[str, list[int]] = defaultdict(list)
    for place, token in enumerate(before):
        where[token].append(place)
    first, last = _chances(where, after, len(before))
    if first is None or last is None:
        return None
    rows: list[dict[int, tuple[int, int]]] = []
    for rank, token in enumerate(after):
        spots = where[token]
        near = spots[bisect_left(spots, first[rank]) : bisect_right(spots, last[rank])]
        wanted = {place + 1 for place in rows[-1]} if rows else set()
        chosen = {*near[: NEAR // 2], *near[-NEAR // 2 :], *(each for each in near if each in wanted)}
        rows.append(_scored(rows[-1] if rows else None, sorted(chosen)))
        if not rows[-1]:
            return first
    place = max(rows[-1], key=lambda each: rows[-1][each][0]) if rows else -1
    found = []
    for row in reversed(rows):
        found.append(place)
        place = row[place][1]
    return found[::-1]


def _scored(before: dict[int, tuple[int, int]] | None, places: list[int]) -> dict[int, tuple[int, int]]:
    """For each place the most neighbours so far, and the place of the token before."""
    if before is None:
        return dict.fromkeys(places, (0, -1))
    row: dict[int, tuple[int, int]] = {}
    earlier = sorted(before)
    best, at = (-1, -1), 0
    for place in places:
        while at < len(earlier) and earlier[at] < place:
            best = max(best, (before[earlier[at]][0], earlier[at]))
            at += 1
        if best[0] < 0:
            continue
        next_to = before.get(place - 1)
        row[place] = (next_to[0] + 1, place - 1) if next_to is not None and next_to[0] + 1 >= best[0] else best
    return row


def _chances(where: dict[str, list[int]], after: list[str], count: int) -> tuple[list[int] | None, list[int] | None]:
    """The first and the last place where each token can go."""
    first, place = [], -1
    for token in after:
        spots = where.get(token, [])
        at = bisect_right(spots, place)
        if at == len(spots):
            return None, None
        place = spots[at]
        first.append(place)
    last, place = [], count
    for token in reversed(after):
        spots = where[token]
        place = spots[bisect_left(spots, place) - 1]
        last.append(place)
    return first, last[::-1]
