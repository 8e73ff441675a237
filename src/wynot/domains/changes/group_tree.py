"""A tree of groups of changes, by commit, folder, file and enclosing function (1999, section 6)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wynot.core.folder import Folder
from wynot.domains.changes.change import Change, ChangeKind, FileLines
from wynot.domains.syntax.adapters.tree_sitter_adapter import TreeSitterLanguage
from wynot.domains.syntax.incremental_parse import ParseLimitError
from wynot.domains.syntax.language_loading import MissingWheelError, guessed, load

if TYPE_CHECKING:
    from tree_sitter import Node, Tree
from dataclasses import dataclass, field

from wynot.core.config import Config
from wynot.core.folder import parents
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.domains.changes.related_changes import sharing

LARGEST = 1 << 24
"""Larger files are not looked into."""
_DEFINES = re.compile(
    r"(function|method|class|struct|enum|union|interface|trait|impl|mod|module|namespace|constructor|record|object"
    r"|protocol|extension|macro|preproc_function|preproc|type|contract|library|modifier)"
    r"_(definition|declaration|item|specifier|def|spec)"
    r"|method|singleton_method|class|module|decorated_definition"
)
_FUNCTION = re.compile(r"(async_)?(arrow_)?function(_expression)?|class(_expression)?|lambda\w*|closure_expression")
_HELD = ("value", "right")
_NAMED = ("name", "definition", "declarator", "left", "key", "type", "trait")
_LONGEST = 200


def functions(changes: Sequence[Change], old: Folder, new: Folder, least: int = 3) -> list[tuple[str, ...]]:
    """The functions and classes that each hunk is in, the outermost first.

    In the new text; in the old one, where nothing is added. Files with fewer than `least` hunks are not looked into.
    """
    found: list[tuple[str, ...]] = [()] * len(changes)
    here: dict[str, list[int]] = defaultdict(list)
    for number, change in enumerate(changes):
        if change.kind is ChangeKind.HUNK:
            here[change.path].append(number)
    for numbers in here.values():
        if len(numbers) >= least:
            for is_new in (True, False):
                those = [number for number in numbers if bool(changes[number].added.strip()) is is_new]
                for number, names in _within(changes, those, new if is_new else old, is_new=is_new):
                    found[number] = names
    return found


def _within(
    changes: Sequence[Change], numbers: Sequence[int], folder: Folder, *, is_new: bool
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The definitions around these hunks of one file."""
    paths = (changes[number].path if is_new else changes[number].old_path for number in numbers[:1])
    for path in paths:
        data = folder.entries[path].data if path in folder.entries else b""
        text, definitions = FileLines(data), Definitions(path, data)
        for number in numbers:
            change = changes[number]
            at, count = (change.new_at, change.new_count) if is_new else (change.old_at, change.old_count)
            if at + count <= len(text):
                yield number, definitions.around(text.offset(at), text.offset(at + count))


class Definitions:
    r"""The functions, classes and the like of a text.

    >>> text = b"class A:\n    def f(self):\n        return 1\n"
    >>> Definitions("a.py", text).around(40, 48)
    ('A', 'f')
    >>> Definitions("a.unknown", text).around(40, 48)
    ()
    """

    def __init__(self, path: str, data: bytes) -> None:
        self.data = data
        self._tree = _read(path, data)

    def around(self, start: int, stop: int) -> tuple[str, ...]:
        """The names of the definitions that a stretch of bytes is in (or is), the outermost first."""
        if self._tree is None:
            return ()
        start, stop = _trimmed(self.data, start, stop)
        names: list[str] = []
        inner = None
        node = self._tree.root_node.named_descendant_for_byte_range(start, max(start, stop))
        while node is not None:
            name = _name(node, self.data) if _is_definition(node) else ""
            if name and not (inner is not None and name == names[-1] and _wraps(node, inner)):
                names.append(name)
                inner = node
            node = node.parent
        return tuple(reversed(names))


def _read(path: str, data: bytes) -> Tree | None:
    language = guessed(path, data)
    if language is None or len(data) > LARGEST:
        return None
    try:
        reader = load(language)
    except MissingWheelError:
        return None
    try:
        return reader.syntax(data) if isinstance(reader, TreeSitterLanguage) else None
    except ParseLimitError:
        return None


def _trimmed(data: bytes, start: int, stop: int) -> tuple[int, int]:
    """Without the blanks around it."""
    part = data[start:stop]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())


def _is_definition(node: Node) -> bool:
    if _DEFINES.fullmatch(node.type):
        return not node.type.endswith("_specifier") or node.child_by_field_name("body") is not None
    held = (node.child_by_field_name(name_field) for name_field in _HELD)
    return any(each is not None and _FUNCTION.fullmatch(each.type) is not None for each in held)


def _wraps(node: Node, inner: Node) -> bool:
    """Whether this is just what is around a definition: its decorators, say."""
    return inner.parent is not None and inner.parent.id == node.id


def _name(node: Node, data: bytes) -> str:
    """What a definition is called; C has the name within the declarator."""
    for name_field in _NAMED:
        named = node.child_by_field_name(name_field)
        if named is not None:
            inner = "" if name_field == "name" or named.named_child_count == 0 else _name(named, data)
            return inner or data[named.start_byte : named.end_byte][:_LONGEST].decode(errors="replace")
    return ""


# Changes that belong together (section 6 of the 1999 paper): a tree of groups whose leaves are the changes.
#
# A criterion says for each change which groups it is in, the widest first; several criteria, one after the other, make
# the tree. A group of one is no group, and one that holds nothing but another is left out.


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
