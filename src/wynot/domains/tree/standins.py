"""Names that can stand in for others: where a thing is little more than another one, that one does for both.

`typedef int word;` goes if `int` stands wherever `word` did; a function that only calls another one goes if that one is
called instead; so does a variable that is a copy of another one, and one that is used but once, if what it is set to
stands there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.config import Config
from wynot.domains.lexical import IDENTIFIER
from wynot.domains.tree.changes import Change, applied
from wynot.domains.tree.pruned import Pruned
from wynot.domains.tree.tree import Tree
from wynot.domains.tree.users import WRAPPED, given

LONGEST = 300
"""What is longer than this (in bytes) is more than another name for something."""
ATTEMPTS = 3
"""How many names are tried for one, at most."""
_VALUE = frozenset({"value", "right"})
"""The roles in which grammars have what a thing is said to be."""


class Standin(NamedTuple):
    """A name, what stands in for it, and the text without the former."""

    name: bytes
    other: bytes
    text: bytes


def standins(pruned: Pruned) -> Iterator[Standin]:
    """All that might do, from the end of a file to its beginning."""
    tree, places = pruned.tree, pruned.places
    leaves: dict[bytes, list[int]] = {}
    for leaf in tree.leaves(LONGEST):
        if IDENTIFIER.fullmatch(tree.text(leaf)):
            leaves.setdefault(tree.text(leaf), []).append(leaf)
    small = [node for node in range(1, len(tree)) if tree.shape.weights[node] <= LONGEST]
    names = {node: found for node in small if len(found := set(given(tree, node))) == 1}
    known = {name for found in names.values() for name in found}
    for node in reversed(names):
        (name,) = names[node]
        own = tree.shape.subtree(node)
        uses = [leaf for leaf in leaves.get(name, ()) if leaf not in own]
        if not uses or places.smallest(node) != b"":
            continue
        typed = "type" in tree.kinds[uses[0]]
        inner = [
            leaf
            for leaf in range(tree.shape.lasts[node] - 1, node, -1)
            if tree.text(leaf) in leaves and ("type" in tree.kinds[leaf]) == typed
        ]
        others = dict.fromkeys(tree.text(leaf) for leaf in inner if typed or tree.text(leaf) in known)
        for other in (*_values(tree, node, uses), *islice((other for other in others if other != name), ATTEMPTS)):
            changes = [*pruned.changes(Config.full(len(tree)) - own)]
            changes += (Change(tree.starts[leaf], tree.ends[leaf], other) for leaf in uses)
            yield Standin(name, other, applied(tree.data, sorted(changes)))


def _values(tree: Tree, node: int, uses: Sequence[int]) -> Iterator[bytes]:
    """What a thing is said to be, where it is used but once."""
    if len(uses) == 1:
        near = tree.shape.depths[node] + WRAPPED
        inner = (each for each in range(node + 1, tree.shape.lasts[node]) if tree.shape.depths[each] <= near)
        yield from islice((tree.text(each) for each in inner if tree.fields[each] in _VALUE), 1)
