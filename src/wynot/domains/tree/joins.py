"""Neighbours that say the same twice: `int i; int j;` is `int i, j;`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from wynot.domains.rewrites import Rewrite
from wynot.domains.tokens import token_ends
from wynot.domains.tree.places import Places

LONGEST = 400
"""Neighbours longer than this (in bytes) are not declarations of the kind meant here."""
_JOINED = (b", ",)


def joins(places: Places) -> list[Rewrite]:
    """Where two neighbours of one kind that begin alike can become one, with a comma."""
    found: list[Rewrite] = []
    for parent in range(len(places.tree)):
        for left, right in pairwise(places.tree.shape.children(parent)):
            for start, end in _stretch(places, left, right):
                if not found or found[-1].places[0][1] <= start:
                    found.append(Rewrite(((start, end),), _JOINED))
    return sorted(found)


def _stretch(places: Places, left: int, right: int) -> Iterator[tuple[int, int]]:
    """From what the left one says for itself to what the right one does."""
    tree = places.tree
    if tree.kinds[left] != tree.kinds[right] or max(map(tree.shape.weights.__getitem__, (left, right))) > LONGEST:
        return
    if not (places.may_go(left) and places.may_go(right)):
        return
    one, other = (
        _tokens(tree.data, tree.starts[left], tree.ends[left]),
        _tokens(tree.data, tree.starts[right], tree.ends[right]),
    )
    texts, others = [text for text, _ in one], [text for text, _ in other]
    least = min(len(one), len(other))
    prefix = next((i for i in range(least) if texts[i] != others[i]), least)
    suffix = next((i for i in range(least - prefix) if texts[-1 - i] != others[-1 - i]), least - prefix)
    if prefix and prefix + suffix > 1 and least > prefix + suffix:
        last = one[len(one) - suffix - 1]
        yield last[1] + len(last[0]), other[prefix][1]


def _tokens(data: bytes, start: int, end: int) -> list[tuple[bytes, int]]:
    """The tokens of a stretch, and where each begins."""
    bounds = [start, *token_ends(data, start, end)]
    return [(data[a:b].strip(), a) for a, b in pairwise(bounds) if data[a:b].strip()]
