"""Plainer things of the same standing: where something has to be, a single word or number may do.

`interface {}` is a type, and so is `int`; a list is a value, and so is a number. What may stand where is learnt from
the file: whatever stands in the same role elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.text_edits import TextEdit, applied

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
