"""Changes that belong together (section 6 of the 1999 paper): a tree of groups whose leaves are the changes.

A criterion says for each change which groups it is in, the widest first; several criteria, one after the other, make
the tree. A group of one is no group, and one that holds nothing but another is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from wynot.core.config import Config
from wynot.core.folder import Folder, parents
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.domains.changes.change import Change
from wynot.domains.changes.grouping.enclosing_function import functions
from wynot.domains.changes.grouping.shared_identifiers import sharing

Label = tuple[str, str]
"""What kind of group it is (folder, file, function, words, commit, date), and which."""
Origins = Sequence[Sequence[str]]
LEVELS = ("folder", "file", "function", "words")


@dataclass(frozen=True, slots=True)
class GroupTree:
    """A tree of groups. Node 0 holds all changes; each leaf is one of them."""

    shape: TreeShape
    """Weights are numbers of changes."""
    labels: Sequence[str]
    kinds: Sequence[str]
    """`hunk` for the leaves, whatever kind of change they are."""
    order: Sequence[int]
    """The changes in the order of the leaves."""
    leaf_of: Sequence[int]
    """The node of each change."""
    firsts: Sequence[int]
    """How many leaves stand before each node."""

    def members(self, node: int) -> Config:
        """The changes below a group."""
        first = self.firsts[node]
        return Config.of(self.order[first : first + self.shape.weights[node]])

    def below(self, node: int) -> Sequence[int]:
        """The changes below a group, in the order of the leaves."""
        first = self.firsts[node]
        return self.order[first : first + self.shape.weights[node]]


def grouped(
    changes: Sequence[Change],
    old: Folder,
    new: Folder,
    by: Sequence[str] = LEVELS,
    origins: Origins = (),
    dates: Sequence[str] = (),
) -> GroupTree:
    """Changes by these criteria, the first ones coarsest.

    `origins`: the commits that each change comes from, oldest first; `dates`: the day it was last worked on.
    """
    keys: list[tuple[Label, ...]] = [() for _ in changes]
    for criterion in by:
        found = _criterion(criterion, changes, old, new, keys, origins, dates)
        keys = [(*key, *((criterion, label) for label in labels)) for key, labels in zip(keys, found, strict=True)]
    return _numbered(_tree(keys), changes)


def _criterion(
    name: str,
    changes: Sequence[Change],
    old: Folder,
    new: Folder,
    keys: Sequence[tuple[Label, ...]],
    origins: Origins,
    dates: Sequence[str],
) -> Sequence[Sequence[str]]:
    """The groups of each change, the widest first."""
    match name:
        case "folder":
            return [tuple(parents(change.path)) for change in changes]
        case "file":
            return [(change.path,) for change in changes]
        case "function":
            return functions(changes, old, new)
        case "words":
            return sharing(changes, keys)
        case "commit":
            return [tuple(commits[-1:]) for commits in origins] or [()] * len(changes)
        case "date":
            return [(day,) for day in dates] or [()] * len(changes)
        case _:
            raise KeyError(name)


@dataclass(slots=True)
class _Group:
    """A group while the tree is made."""

    label: Label
    first: int
    """Its first change."""
    inside: dict[Label, _Group] = field(default_factory=dict)
    changes: list[int] = field(default_factory=list)


def _tree(keys: Sequence[tuple[Label, ...]]) -> _Group:
    root = _Group(("all", ""), 0)
    for number, key in enumerate(keys):
        group = root
        for label in key:
            group = group.inside.setdefault(label, _Group(label, number))
        group.changes.append(number)
    return root


def _numbered(root: _Group, changes: Sequence[Change]) -> GroupTree:
    """The tree in preorder; what is in a group stands in the order of the changes."""
    above: list[int] = []
    labels: list[str] = []
    kinds: list[str] = []
    order: list[int] = []
    firsts: list[int] = []
    leaf_of = [0] * len(changes)
    waiting: list[tuple[_Group | int, int]] = [(root, -1)]
    while waiting:
        this, parent = waiting.pop()
        group = _narrowed(this) if isinstance(this, _Group) else this
        if parent < 0 and isinstance(group, int):
            group = root
        node = len(above)
        above.append(parent)
        firsts.append(len(order))
        if isinstance(group, int):
            leaf_of[group] = node
            order.append(group)
            labels.append(f"{changes[group].path} {changes[group].header}")
            kinds.append("hunk")
            continue
        kind, label = root.label if parent < 0 else group.label
        kinds.append(kind)
        labels.append(label)
        waiting += ((each, node) for each in reversed(_ordered(group)))
    weights = [int(kind == "hunk") for kind in kinds]
    for node in range(len(above) - 1, 0, -1):
        weights[above[node]] += weights[node]
    return GroupTree(shape_of(above, weights), labels, kinds, order, leaf_of, firsts)


def _narrowed(group: _Group) -> _Group | int:
    """A group that holds nothing but one thing is that thing."""
    while not group.changes and len(group.inside) == 1:
        group = next(iter(group.inside.values()))
    return group.changes[0] if len(group.changes) == 1 and not group.inside and group.label[0] != "all" else group


def _ordered(group: _Group) -> list[_Group | int]:
    """What is in a group, by the first change of each."""
    inside: list[_Group | int] = [*group.inside.values(), *group.changes]
    return sorted(inside, key=lambda each: each if isinstance(each, int) else each.first)
