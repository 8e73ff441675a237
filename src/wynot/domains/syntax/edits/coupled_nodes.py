"""Nodes that belong together: a declaration and its uses, a parameter and its arguments, an attribute and its item.

Taking away one of them alone only gives other errors. Nothing is known of the language but its tree: what has the same
name belongs together.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import zip_longest

from wynot.core.config import Config
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.syntax_tree import SyntaxTree, texts
from wynot.domains.text.tokens import IDENTIFIER

_NAMED = frozenset({"name", "function", "declarator", "field", "property", "attribute"})
"""The roles in which grammars have the name of what is declared or called."""
_OF_TYPES = re.compile("template|type")
"""Lists of parameters and arguments that are about types."""
_RESULT = frozenset({"result", "return_type"})
"""The roles in which grammars have the type of what a function gives back."""
_RETURN = re.compile(rb"return\b")
_ADORNS = re.compile("attribute|decorator|annotation")
MOST = 2000
"""No more bundles than this at a time, the largest ones."""

Bundle = Config
"""All nodes that go together, with what is below them."""


def bundles(places: EditCandidates) -> list[Bundle]:
    """What is worth taking away together in a tree, the smallest first."""
    tree = places.tree
    names = _Names(places)
    found = {*names.uses(), *_positions(places, names), *_adorned(places), *_results(places, names)}
    weights = {bundle: sum(tree.shape.weights[start] for start, _ in bundle.intervals()) for bundle in found}
    return sorted(found, key=lambda bundle: (weights[bundle], bundle.bounds))[-MOST:]


def _subtrees(tree: SyntaxTree, nodes: Iterable[int]) -> Config:
    whole = Config()
    for node in nodes:
        whole |= tree.shape.subtree(node)
    return whole


class _Names:
    """Where each name occurs: in which leaves."""

    def __init__(self, places: EditCandidates) -> None:
        self.places, self.tree = places, places.tree
        self.leaves: dict[bytes, list[int]] = {}
        self.words: dict[int, set[bytes]] = {}
        for leaf, text in texts(self.tree):
            self.words[leaf] = set(IDENTIFIER.findall(text))
            for word in self.words[leaf]:
                self.leaves.setdefault(word, []).append(leaf)

    def uses(self) -> Iterator[Bundle]:
        """Each name with what stands around each of its uses; alone, or with what only that has used."""
        for leaves in self.leaves.values():
            if len(leaves) > 1:
                for bundle in self._bundle(leaves):
                    yield bundle
                    yield self._with_orphans(bundle)

    def _bundle(self, leaves: list[int]) -> Iterator[Bundle]:
        units = [self._unit(leaf) for leaf in leaves]
        if all(units):
            bundle = _subtrees(self.tree, units)
            if len(list(bundle.intervals())) > 1:
                yield bundle

    def _unit(self, node: int) -> int:
        """The nearest node around this one that can go without a trace; 0 if there is none."""
        while node > 0 and not self._cut(node):
            node = self.tree.shape.parents[node]
        return max(node, 0)

    def _cut(self, node: int) -> bool:
        """Whether a node can go without a trace; the inside of a string is not meant."""
        opening = self.tree.data[self.tree.starts[self.tree.shape.parents[node]]]
        return self.places.smallest(node) == b"" and opening not in b"\"'`"

    def around(self, node: int) -> int:
        """The nearest node around this one that can go without a trace, or the node itself."""
        return self._unit(node) or node

    def _with_orphans(self, bundle: Bundle) -> Bundle:
        """What else goes: names of which but one place is left."""
        gone = {
            word for start, end in bundle.intervals() for leaf in self.within(start, end) for word in self.words[leaf]
        }
        for word in sorted(gone):
            left = [leaf for leaf in self.leaves[word] if leaf not in bundle]
            if len(left) == 1 and (unit := self._unit(left[0])):
                bundle |= self.tree.shape.subtree(unit)
        return bundle

    def within(self, start: int, end: int) -> Sequence[int]:
        """The leaves with these numbers."""
        return self._leaves[bisect_left(self._leaves, start) : bisect_left(self._leaves, end)]

    @cached_property
    def _leaves(self) -> Sequence[int]:
        return list(self.words)  # in order, as they were found


def _positions(places: EditCandidates, names: _Names) -> Iterator[Bundle]:
    """The parameters of a name and the arguments given for them: the first ones, the second ones, and so on."""
    tree = places.tree
    lists: dict[tuple[bytes, bool], list[list[int]]] = {}
    for node, kind in enumerate(tree.kinds):
        if "parameter" in kind or "argument" in kind:
            children = list(tree.shape.children(node))
            name = _owner(tree, names, node)
            if children and name:
                lists.setdefault((name, _OF_TYPES.search(kind) is not None), []).append(children)
    for group in lists.values():
        if len(group) > 1:
            for column in zip_longest(*group):
                nodes = [node for node in column if node is not None and places.smallest(node) is not None]
                if len(nodes) > 1:
                    yield _subtrees(tree, nodes)


def _results(places: EditCandidates, names: _Names) -> Iterator[Bundle]:
    """The type of what a function gives back, and where it does: the whole statements, or just the words for it."""
    tree, shape = places.tree, places.tree.shape
    for node, field in enumerate(tree.fields):
        if field not in _RESULT or places.smallest(node) != b"":
            continue
        within = range(shape.lasts[node], shape.lasts[shape.parents[node]])
        found = {tree.starts[each]: each for each in within if _RETURN.match(tree.data, tree.starts[each])}
        returns = [each for each in found.values() if shape.lasts[each] > each + 1]  # the innermost at each place
        if returns:
            result = shape.subtree(node)
            yield result | _subtrees(tree, (names.around(each) for each in returns))
            yield result | Config.of(returns)


def _adorned(places: EditCandidates) -> Iterator[Bundle]:
    """Items with the attributes that stand before them: without these they might mean something else."""
    tree, lasts = places.tree, places.tree.shape.lasts
    adorning = [_ADORNS.search(kind) is not None for kind in tree.kinds]
    for node in range(1, len(tree)):
        before = tree.shape.before(node) if adorning[node] else None
        if not adorning[node] or (before is not None and adorning[before]):
            continue
        last = lasts[tree.shape.parents[node]]
        item = lasts[node]
        while item < last and adorning[item]:
            item = lasts[item]
        if item < last and places.smallest(node) == places.smallest(item) == b"":
            yield Config((node, lasts[item]))


def _owner(tree: SyntaxTree, names: _Names, node: int) -> bytes | None:
    """The name that a list of parameters or arguments stands at.

    That is the one with the role of a name, else the last one before the list, else the first one after.
    """
    parent = tree.shape.parents[node]
    if parent < 0:
        return None
    named = _named(tree, parent)
    role = names.within(named, tree.shape.lasts[named]) if named not in (parent, node) else ()
    ahead = names.within(parent, node)
    behind = names.within(tree.shape.lasts[node], tree.shape.lasts[parent])
    for leaf in (*reversed(role), *reversed(ahead), *behind):
        if names.words[leaf]:
            return min(names.words[leaf])
    return None


def _named(tree: SyntaxTree, node: int) -> int:
    """What names a node: the innermost node with that role."""
    while True:
        below = [child for child in tree.shape.children(node) if tree.fields[child] in _NAMED]
        if not below:
            return node
        node = below[-1]
