"""Merge sibling nodes, and replace a node by a simpler sibling of the same kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from wynot.domains.cleanup.rewrite_domain import Rewrite
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.syntax_tree import TextEdit, applied
from wynot.domains.text.atom_domain import Region
from wynot.domains.text.tokens import token_ends

# Neighbours that say the same twice.
#
# `int i; int j;` is `int i, j;`, and `<g></g>` is `<g/>`; two blocks that begin alike are one with all that is in both.


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


# Plainer things of the same standing: where something has to be, a single word or number may do.
#
# `interface {}` is a type, and so is `int`; a list is a value, and so is a number. What may stand where is learnt from
# the file: whatever stands in the same role elsewhere.


_ANYWHERE = b"0"
"""What may do where nothing else is known..."""
_NOTHING = re.compile("null|nil|none")
"""...and what grammars call the value that is none: it may do for an object."""
_NONE = (b"null", b"nil", b"None")

Role = tuple[str, str]
"""The kind of the parent, and what a node is to it."""


class SiblingSwap(NamedTuple):
    """What was there, and the how manieth of its like; what is there now; and the whole text."""

    old: bytes
    rank: int
    new: bytes
    text: bytes


def swaps(places: EditCandidates) -> Iterator[SiblingSwap]:
    """All that might do, the largest things first."""
    tree, usual = places.tree, _usual(places)
    seen = Counter[bytes]()
    ranks = {}
    for node in range(1, len(tree)):
        ranks[node] = seen[tree.text(node)]
        seen[tree.text(node)] += 1
    for node in sorted(ranks, key=lambda node: (-tree.shape.weights[node], node)):
        if tree.shape.parents[node] and places.tokens(node) > 1 and places.may_go(node):
            start, end = tree.starts[node], tree.ends[node]
            for new in dict.fromkeys((usual.get(_role(places, node), _ANYWHERE), _ANYWHERE, *_none(places, node))):
                if places.proper(node, start, end, new):
                    text = applied(tree.data, [TextEdit(start, end, new)])
                    yield SiblingSwap(tree.text(node), ranks[node], new, text)


def _none(places: EditCandidates, node: int) -> Iterator[bytes]:
    """The word for no value at all, if the language has one that may stand in a place."""
    for word in _NONE:
        if any(_NOTHING.match(kind) for kind in places.becomes(node, word)):
            yield word
            return


def _role(places: EditCandidates, node: int) -> Role:
    tree = places.tree
    return tree.kinds[tree.shape.parents[node]], tree.fields[node]


def _usual(places: EditCandidates) -> dict[Role, bytes]:
    """The single token that stands most often in each role."""
    tree = places.tree
    seen: dict[Role, Counter[bytes]] = {}
    for node in range(1, len(tree)):
        if tree.shape.lasts[node] == node + 1 and places.tokens(node) == 1:
            seen.setdefault(_role(places, node), Counter())[tree.text(node)] += 1
    return {role: min(texts, key=lambda text: (-texts[text], len(text), text)) for role, texts in seen.items()}
