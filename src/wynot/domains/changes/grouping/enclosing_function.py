"""Which function or class a stretch of a text is in: syntactic criteria, by tree-sitter."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wynot.core.folder import Folder
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.file_lines import FileLines
from wynot.domains.syntax.adapters.tree_sitter_adapter import TreeSitterLanguage
from wynot.domains.syntax.bounded_parse import ParseLimitError
from wynot.domains.syntax.language_loading import MissingWheelError, guessed, load

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

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
    held = (node.child_by_field_name(field) for field in _HELD)
    return any(each is not None and _FUNCTION.fullmatch(each.type) is not None for each in held)


def _wraps(node: Node, inner: Node) -> bool:
    """Whether this is just what is around a definition: its decorators, say."""
    return inner.parent is not None and inner.parent.id == node.id


def _name(node: Node, data: bytes) -> str:
    """What a definition is called; C has the name within the declarator."""
    for field in _NAMED:
        named = node.child_by_field_name(field)
        if named is not None:
            inner = "" if field == "name" or named.named_child_count == 0 else _name(named, data)
            return inner or data[named.start_byte : named.end_byte][:_LONGEST].decode(errors="replace")
    return ""
