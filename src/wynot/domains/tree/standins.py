"""Names that can stand in for others: where a thing is little more than another one, that one does for both.

`typedef int word;` goes if `int` stands wherever `word` did; a function that only calls another one goes if that one is
called instead; so does a variable that is a copy of another one, and one that is used but once, if what it is set to
stands there; so does one of two that are said to be the same, and one for which a 0 will do; so does a function that is
called but once, if what it does stands there (`inlined.py`), and what says that there is one, if it stands there itself
(`told_apart.py`). Where the grammar tells nothing of names, lines may (`aliases.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from wynot.core.config import Config
from wynot.domains.lexical import IDENTIFIER
from wynot.domains.tokens import count
from wynot.domains.tree.aliases import Standin, aliases
from wynot.domains.tree.changes import Change, applied
from wynot.domains.tree.inlined import inlined
from wynot.domains.tree.pruned import Pruned
from wynot.domains.tree.told_apart import told_apart
from wynot.domains.tree.tree import ERROR, Tree
from wynot.domains.tree.users import WRAPPED, given

LONGEST = 300
"""What is longer than this (in bytes) is more than another name for something."""
ATTEMPTS = 3
"""How many names are tried for one, at most."""
PLAINEST = b"0"
"""A value that may do for any."""
_WORD = re.compile(rb"\w+|\S")
_VALUE = frozenset({"value", "right"})
"""The roles in which grammars have what a thing is said to be..."""
_TYPE = frozenset({"type", "value", "right"})
"""...and what a type is."""
_CALLED = "function"
"""The role of what is called."""
_QUERY = "create_query"
"""What a view of SQL is made of."""


def standins(pruned: Pruned) -> Iterator[Standin]:
    """All that might do, from the end of a file to its beginning."""
    tree, places = pruned.tree, pruned.places
    leaves: dict[bytes, list[int]] = {}
    for leaf in tree.leaves(LONGEST):
        if IDENTIFIER.fullmatch(tree.text(leaf)):
            leaves.setdefault(tree.text(leaf), []).append(leaf)
    small = [node for node in range(1, len(tree)) if tree.shape.weights[node] <= LONGEST]
    names = {node: found for node in small if len(found := set(given(tree, node))) == 1}
    beside = _Beside(tree, names)
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
        inside = islice((other for other in others if other != name), ATTEMPTS)
        values = (value for value in _values(tree, node, uses, typed) if value != name)
        called = any(tree.fields[leaf] == _CALLED for leaf in uses)
        plain = () if typed or called else (PLAINEST,)
        for other in dict.fromkeys((*values, *inside, *beside(node), *plain)):
            changes = [Change(tree.starts[leaf], tree.ends[leaf], other) for leaf in uses]
            yield Standin(name, other, _without(pruned, own, changes))
        for change in inlined(places, node, uses[0]) if len(uses) == 1 else ():
            yield Standin(name, change.text, _without(pruned, own, [change]))
        for told in filter(None, (told_apart(places, node, use) for use in uses)):
            text = _without(pruned, tree.shape.subtree(told.gone), [told.change])
            yield Standin(name, b"::".join((told.of, tree.text(node), told.change.text)), text)
    if not known or ERROR in tree.kinds:
        yield from (each for each in aliases(tree.data) if each.name not in known)


def _without(pruned: Pruned, own: Config, changes: list[Change]) -> bytes:
    """The text without some nodes, and with changes elsewhere."""
    left = Config.full(len(pruned.tree)) - own
    return applied(pruned.tree.data, sorted([*pruned.changes(left), *changes]))


class _Beside:
    """The names of the nearest things of the same kind beside a node: of any, and of one of which the same is said.

    One that stands before the node, or else one behind.
    """

    def __init__(self, tree: Tree, names: Mapping[int, set[bytes]]) -> None:
        self._tree, self._names = tree, names
        self._said: dict[int, list[bytes]] = {}

    def __call__(self, node: int) -> Iterator[bytes]:
        tree, names = self._tree, self._names
        beside = [each for each in tree.shape.children(tree.shape.parents[node]) if each in names]
        alike = [each for each in beside if tree.kinds[each] == tree.kinds[node] and names[each] != names[node]]
        said = self.said(node) if alike else []
        for those in (alike, [each for each in alike if self.said(each) == said]):
            if those:
                yield from names[max(those, key=lambda each: (each < node, -abs(each - node)))]

    def said(self, node: int) -> list[bytes]:
        """What is said of a name where it is given: `int` of `int i;`."""
        if node not in self._said:
            (name,) = self._names[node]
            self._said[node] = [word for word in _WORD.findall(self._tree.text(node)) if word != name]
        return self._said[node]


def _values(tree: Tree, node: int, uses: Sequence[int], typed: bool) -> Iterator[bytes]:
    """What a thing is said to be, where the text has fewer tokens with that in all places."""
    roles = _TYPE if typed else _VALUE
    near = tree.shape.depths[node] + WRAPPED
    for each in range(node + 1, tree.shape.lasts[node]):
        query = tree.kinds[each] == _QUERY
        if tree.shape.depths[each] <= near and (query or tree.fields[each] in roles):
            value = b"(%s)" % tree.text(each) if query else tree.text(each)
            if len(uses) == 1 or len(uses) * (count(value) - 1) < count(tree.text(node)):
                yield value
            return
