"""Names that can replace other names, such as aliases and things of the same type.

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
from typing import NamedTuple

from wynot.core.config import Config
from wynot.domains.syntax.edits.name_usage import WRAPPED, given
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.syntax.rewrites.inlining import inlined
from wynot.domains.syntax.rewrites.out_of_class_members import told_apart
from wynot.domains.syntax.syntax_tree import ERROR, SyntaxTree
from wynot.domains.syntax.text_edits import TextEdit, applied
from wynot.domains.text.atom_domain import Region
from wynot.domains.text.lexical import IDENTIFIER, NAME
from wynot.domains.text.tokens import count

_LINE = re.compile(rb"[^\n]+\n?")
_GIVING = re.compile(
    rb"\s*(?:\S+[^\S\n]+)+(?P<before>[\w$][^\s;]*)[^\S\n]+(?P<last>%(name)s)\s*;?\s*"
    rb"|\s*(?:\S+[^\S\n]+)?(?P<first>%(name)s)\s*:?=\s*(?P<after>[\w$][^\s;]*)\s*;?\s*" % {b"name": NAME}
)  # fmt: skip
MAX_ALIAS_LENGTH = 300
"""Lines longer than this (in bytes) say more than a name."""


class Substitution(NamedTuple):
    """A name, what stands in for it, and the text without the former."""

    name: bytes
    other: bytes
    text: bytes


def aliases(data: bytes) -> Iterator[Substitution]:
    r"""What the lines of a text call by another name, the last line first.

    >>> [(each.name, each.other, each.text) for each in aliases(b"type a.b c\nuse c\n")]
    [(b'c', b'a.b', b'use a.b\n')]
    """
    uses: dict[bytes, list[Region]] = {}
    for word in IDENTIFIER.finditer(data):
        uses.setdefault(word.group(), []).append(word.span())
    for line in reversed([line for line in _LINE.finditer(data) if len(line.group()) <= MAX_ALIAS_LENGTH]):
        match = _GIVING.fullmatch(line.group())
        if match is None:
            continue
        name, other = match["last"] or match["first"], match["before"] or match["after"]
        elsewhere = [use for use in uses.get(name, ()) if not line.start() <= use[0] < line.end()]
        if len(elsewhere) == 1:
            changes = [TextEdit(line.start(), line.end(), b""), TextEdit(*elsewhere[0], other)]
            yield Substitution(name, other, applied(data, sorted(changes)))


MAX_SUBSTITUTED_LENGTH = 300
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


def standins(pruned: TreeDomain) -> Iterator[Substitution]:
    """All that might do, from the end of a file to its beginning."""
    tree, places = pruned.tree, pruned.places
    leaves: dict[bytes, list[int]] = {}
    for leaf in tree.leaves(MAX_SUBSTITUTED_LENGTH):
        if IDENTIFIER.fullmatch(tree.text(leaf)):
            leaves.setdefault(tree.text(leaf), []).append(leaf)
    small = [node for node in range(1, len(tree)) if tree.shape.weights[node] <= MAX_SUBSTITUTED_LENGTH]
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
            changes = [TextEdit(tree.starts[leaf], tree.ends[leaf], other) for leaf in uses]
            yield Substitution(name, other, _without(pruned, own, changes))
        for change in inlined(places, node, uses[0]) if len(uses) == 1 else ():
            yield Substitution(name, change.text, _without(pruned, own, [change]))
        for told in filter(None, (told_apart(places, node, use) for use in uses)):
            text = _without(pruned, tree.shape.subtree(told.gone), [told.change])
            yield Substitution(name, b"::".join((told.of, tree.text(node), told.change.text)), text)
    if not known or ERROR in tree.kinds:
        yield from (each for each in aliases(tree.data) if each.name not in known)


def _without(pruned: TreeDomain, own: Config, changes: list[TextEdit]) -> bytes:
    """The text without some nodes, and with changes elsewhere."""
    left = Config.full(len(pruned.tree)) - own
    return applied(pruned.tree.data, sorted([*pruned.changes(left), *changes]))


class _Beside:
    """The names of the nearest things of the same kind beside a node: of any, and of one of which the same is said.

    One that stands before the node, or else one behind.
    """

    def __init__(self, tree: SyntaxTree, names: Mapping[int, set[bytes]]) -> None:
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


def _values(tree: SyntaxTree, node: int, uses: Sequence[int], typed: bool) -> Iterator[bytes]:
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
