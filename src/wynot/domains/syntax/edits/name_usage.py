"""Where names are defined and used, and imports that are no longer used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from wynot.core.config import Config
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.syntax_tree import LONGEST_NAME, NO_FIELD, OUTLINE, SyntaxTree
from wynot.domains.text.tokens import IDENTIFIER

# Which names the parts of a file define and use, and an order of the items by that.
#
# Many languages do not care in which order things are declared. A search that begins at the end finds nothing there
# that is used by what stands before it, if the items are in this order.


_NAMING = frozenset({"name", "declarator", "left", "pattern"})
"""The roles in which grammars have what is named by a declaration."""
_CREATED = "object_reference"
"""What grammars of SQL have for the name of a table or a view, without a role..."""
_CREATES = re.compile(rb"create\b(?!\s+(unique\s+)?index\b)", re.IGNORECASE)
"""...where it is made; elsewhere it is used."""
_TITLE = "name"
"""What Fortran's has for the name of a module, without a role: in a `module_statement`, at the head of a `module`."""
_HEAD = re.compile(rb"(?:[\w.]+[ \t]+(?=(?!(?:is|of|do|as|then|begin|extends)\b)\w)){0,5}+(?:\w+\.)*+(\w+)")
"""The words that a line of an outline begins with."""
CROWD = 12
"""So many things in one place, most of them with names, are more than the place they are in."""
FRAMES = 6
"""Such a place may be so many levels below the thing that it is a part of."""
WRAPPED = 2
"""So many levels around a declaration may have no roles at all."""
MANY = 3
"""A name that so many items give to something tells nothing of which of them is meant."""


def users_last(tree: SyntaxTree, items: Sequence[int]) -> list[int]:
    """Some nodes that do not overlap, in such an order, as far as there is one; comments, which use nothing, last.

    Lines of an outline without names stay before the one they stand before: they may say something of it.
    """
    if tree.kinds[0] == OUTLINE:
        before: dict[int, list[int]] = {}
        met: list[int] = []
        for item in items:
            met.append(item)
            if titled(tree, item):
                before[item], met = met, []
        return [*(each for item in _users_last(tree, list(before)) for each in before[item]), *met]
    return _users_last(tree, items)


def _users_last(tree: SyntaxTree, items: Sequence[int]) -> list[int]:
    plain = [item for item in items if "comment" not in tree.kinds[item]]
    comments = [item for item in items if "comment" in tree.kinds[item]]
    givers: dict[bytes, list[int]] = {}
    for place, item in enumerate(plain):
        for name in set(titled(tree, item)):
            givers.setdefault(name, []).append(place)
    known = {name: places for name, places in givers.items() if len(places) < MANY}
    needs = []
    for place, item in enumerate(plain):
        words = known.keys() & set(IDENTIFIER.findall(tree.text(item))) if known else set()
        needs.append(sorted({giver for word in words for giver in known[word]} - {place}))
    used = [set(others) for others in needs]
    one_way = [[other for other in others if place not in used[other]] for place, others in enumerate(needs)]
    return [*(plain[place] for place in _needed_first(one_way)), *comments]


def members(tree: SyntaxTree, item: int, among: Callable[[list[int]], list[int]]) -> list[int]:
    """Those of a thing that is little more than a frame around others: a namespace, a class; users last, as above.

    `among`: those of some nodes that count.
    """
    frame, least = item, tree.shape.weights[item] // 2
    for _ in range(FRAMES):
        children = list(tree.shape.children(frame))
        if len(children) >= CROWD and 2 * sum(_has_a_name(tree, each) for each in children) >= len(children):
            found = among(children)
            return users_last(tree, found) if len(found) >= CROWD else []
        heaviest = max(children, key=tree.shape.weights.__getitem__, default=None)
        if heaviest is None or tree.shape.weights[heaviest] < least:
            break
        frame = heaviest
    return []


def _has_a_name(tree: SyntaxTree, node: int) -> bool:
    return any(True for _ in titled(tree, node))


def given(tree: SyntaxTree, item: int) -> Iterator[bytes]:
    """The names that an item gives to something."""
    fields, lasts = tree.fields, tree.shape.lasts
    found = [(item, WRAPPED)]
    while found:
        node, wrapped = found.pop()
        if lasts[node] == node + 1:  # most have nothing below them
            if node != item:
                yield tree.text(node)
            continue
        children = list(tree.shape.children(node))
        named = [child for child in children if fields[child] in _NAMING]
        if not named and _CREATES.match(tree.data, tree.starts[node]):
            named = [child for child in children if tree.kinds[child] == _CREATED][:1]
        if not named and node != item and tree.kinds[node].startswith(tree.kinds[item]):
            named = [child for child in children[:1] if tree.kinds[child] == _TITLE]
        if named:
            found += [(child, 0) for child in named]
        elif wrapped:
            found += [
                (child, wrapped - 1) for child in children if fields[child] == NO_FIELD and lasts[child] > child + 1
            ]


def titled(tree: SyntaxTree, item: int) -> Iterable[bytes]:
    """As above; where no grammar tells, the name at the head of a line: `c` of `module a.c (`, `x` of `x = y`."""
    if tree.kinds[0] != OUTLINE:
        return given(tree, item)
    head = _HEAD.match(tree.data, tree.starts[item], tree.ends[item])
    return () if head is None else (head[1],)


def _needed_first(needs: Sequence[Sequence[int]]) -> list[int]:
    """All places: before each the ones it needs; where places need each other, the first one that is met is last."""
    order: list[int] = []
    met = [False] * len(needs)
    for start in range(len(needs)):
        way = [] if met[start] else [(start, iter(needs[start]))]
        met[start] = True
        while way:
            place, rest = way[-1]
            other = next((other for other in rest if not met[other]), None)
            if other is None:
                order.append(place)
                way.pop()
            else:
                met[other] = True
                way.append((other, iter(needs[other])))
    return order


OFTEN = 64
"""A name that is mentioned more often than this does not lose its last user soon: it is not counted."""


class NameMentions:
    """The names in a tree."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._tree = tree
        self._leaves: dict[bytes, list[int]] = {}
        self._given: dict[int, list[int]] = {}
        """By nodes: the leaves with the names they give."""
        data, starts, ends = tree.data, tree.starts, tree.ends
        for leaf in tree.leaves(LONGEST_NAME):
            self._leaves.setdefault(data[starts[leaf] : ends[leaf]], []).append(leaf)

    def mentioned(self, node: int, config: Config) -> int:
        """How often the names that a node gives occur in a part of the tree."""
        leaves = self._given.get(node)
        if leaves is None:
            names = set(given(self._tree, node)) & self._leaves.keys()
            places = [self._leaves[name] for name in names]
            leaves = self._given[node] = [leaf for each in places if len(each) <= OFTEN for leaf in each]
        return len(config.among(leaves)) if leaves else 0


# Imports that nobody uses any more go with their last users: some languages take one that is not used for an error.


_IMPORTS = re.compile("(^|_)(import|use|using)(_|$)")


Users = Sequence[Sequence[int]]
"""The leaves with one word, with another one, and so on."""


class Imports:
    """The imports of a file, and where each of them is used."""

    def __init__(self, places: EditCandidates) -> None:
        self._tree, self._places = places.tree, places
        found = list(self._found())
        self._users = self._used(found) if found else {}

    def without_orphans(self, before: Config, after: Config) -> Config:
        """A part of a tree, less the imports that lost their last user on the way to it."""
        for node, users in self._users.items():
            if node in after and not _any_of(users, after) and _any_of(users, before):
                after -= self._tree.shape.subtree(node)
        return after

    def _found(self) -> Iterator[int]:
        """The innermost imports that can go without a trace."""
        lasts = self._tree.shape.lasts
        outer: list[int] = []
        for node in self._of_imports():
            while outer and node >= lasts[outer[-1]]:
                yield outer.pop()
            if node and self._places.smallest(node) == b"":
                outer = [node]
        yield from outer

    def _of_imports(self) -> list[int]:
        """The nodes whose kinds say so."""
        kinds = {kind for kind in set(self._tree.kinds) if _IMPORTS.search(kind)}
        return [node for node, kind in enumerate(self._tree.kinds) if kind in kinds] if kinds else []

    def _used(self, found: list[int]) -> dict[int, Users]:
        """By the words of each import that no other one has (`List` of `java.util.List`), or by all of them."""
        tree, lasts = self._tree, self._tree.shape.lasts
        words = {node: set(IDENTIFIER.findall(tree.text(node))) for node in found}
        often = Counter(word for each in words.values() for word in each)
        wanted = {node: {word for word in each if often[word] == 1} or each for node, each in words.items()}
        leaves: dict[bytes, list[int]] = {word: [] for each in wanted.values() for word in each}
        inside = 0
        for leaf, kind in enumerate(tree.kinds):
            if leaf >= inside and _IMPORTS.search(kind):
                inside = lasts[leaf]
            if leaf >= inside and lasts[leaf] == leaf + 1 and "comment" not in kind:
                for word in leaves.keys() & set(IDENTIFIER.findall(tree.text(leaf))):
                    leaves[word].append(leaf)
        return {node: [leaves[word] for word in sorted(each) if leaves[word]] for node, each in wanted.items()}


def _any_of(users: Users, config: Config) -> bool:
    return any(leaf in config for leaves in users for leaf in leaves)
