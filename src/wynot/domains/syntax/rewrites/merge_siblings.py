"""Neighbours that say the same twice.

`int i; int j;` is `int i, j;`, and `<g></g>` is `<g/>`; two blocks that begin alike are one with all that is in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from wynot.domains.cleanup.rewrite_domain import Rewrite
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.text.atom_domain import Region
from wynot.domains.text.tokens import token_ends

LONGEST = 400
"""Neighbours longer than this (in bytes) are not declarations of the kind meant here."""
_JOINED = (b", ",)
_BLOCKS = (b"\n", b", ")
_CLOSED = (b"/>",)
_TAGS = {("STag", "ETag"), ("start_tag", "end_tag"), ("jsx_opening_element", "jsx_closing_element")}
"""What begins and what ends an element: XML, HTML, JSX."""


def joins(places: EditCandidates) -> list[Rewrite]:
    """Where two neighbours of one kind that begin alike can become one; two tags with nothing between."""
    tree = places.tree
    neighbours = (pair for parent in range(len(tree)) for pair in pairwise(tree.shape.children(parent)))
    found: list[Rewrite] = []
    for rewrite in sorted(each for pair in neighbours for each in (*_tags(places, *pair), *_alike(places, *pair))):
        if not found or found[-1].places[0][1] <= rewrite.places[0][0]:
            found.append(rewrite)
    return found


def _tags(places: EditCandidates, left: int, right: int) -> Iterator[Rewrite]:
    """What begins and what ends an element that has nothing in it."""
    tree = places.tree
    named = any(tree.shape.children(left))
    if named and (tree.kinds[left], tree.kinds[right]) in _TAGS and places.may_go(left) and places.may_go(right):
        yield Rewrite(((tree.ends[left] - 1, tree.ends[right]),), _CLOSED)


def _alike(places: EditCandidates, left: int, right: int) -> Iterator[Rewrite]:
    for stretch, texts in _stretch(places, left, right):
        yield Rewrite((stretch,), texts)


def _stretch(places: EditCandidates, left: int, right: int) -> Iterator[tuple[Region, tuple[bytes, ...]]]:
    """From what the left one says for itself to what the right one does, and what may stand there."""
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
    if b"{" in texts[:prefix] and texts[-1] == others[-1] == b"}":
        opening, last = texts.index(b"{"), one[-2]
        if 0 < opening < least - 2:
            yield (last[1] + len(last[0]), other[opening + 1][1]), _BLOCKS
            return
    suffix = next((i for i in range(least - prefix) if texts[-1 - i] != others[-1 - i]), least - prefix)
    if prefix and prefix + suffix > 1 and least > prefix + suffix:
        last = one[len(one) - suffix - 1]
        yield (last[1] + len(last[0]), other[prefix][1]), _JOINED


def _tokens(data: bytes, start: int, end: int) -> list[tuple[bytes, int]]:
    """The tokens of a stretch, and where each begins."""
    bounds = [start, *token_ends(data, start, end)]
    return [(data[a:b].strip(), a) for a, b in pairwise(bounds) if data[a:b].strip()]
