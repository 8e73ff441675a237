"""The part of a file that decides whether a change is valid: what may become of a function is seen in the function.

A text that is not valid takes long to parse, if it is long. So a change is tried within the item of the file that it is
in, and that item's neighbours, where these are a file by themselves; else within the whole file.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from wynot.domains.tree.tree import Tree
from wynot.domains.tree.words import Checker, Language

ENOUGH = 8192
"""Files up to this size (in bytes) are their own context."""
KEPT = 64
"""Contexts to remember."""


class Context(NamedTuple):
    """A stretch of the file, where it starts, and what is valid in its place."""

    start: int
    data: bytes
    valid: Checker


class Contexts:
    """The contexts of one tree's nodes."""

    def __init__(self, tree: Tree, language: Language) -> None:
        self._tree, self._language = tree, language
        self._whole: Context | None = None
        self._known: OrderedDict[int, Context | None] = OrderedDict()

    def around(self, node: int) -> Context:
        """The context of a node."""
        if len(self._tree.data) <= ENOUGH:
            return self._file()
        top = self._tree.shape.top(node)
        if top not in self._known:
            self._known[top] = self._find(top)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return self._known[top] or self._file()

    def _file(self) -> Context:
        if self._whole is None:
            self._whole = Context(0, self._tree.data, self._language.checker(self._tree.data))
        return self._whole

    def _find(self, top: int) -> Context | None:
        """An item of the file with its neighbours, or alone, if it can be read without the rest.

        Best without errors; where neighbours are errors themselves, only new ones count.
        """
        tree, lasts = self._tree, self._tree.shape.lasts
        before = tree.shape.top(top - 1) if top > 1 else top
        after = lasts[top]
        beyond = lasts[after] if after < len(tree) else after
        around = tree.starts[before], tree.starts[beyond] if beyond < len(tree) else len(tree.data)
        found = [self._read(top, *stretch) for stretch in (around, (tree.starts[top], tree.ends[top]))]
        read = [context for context in found if context is not None]
        return next((context for context in read if context.valid.clean), read[0] if read else None)

    def _read(self, top: int, start: int, end: int) -> Context | None:
        """A stretch by itself, if an item of the file is in it what it is in the file."""
        tree = self._tree
        if end - start > len(tree.data) // 2:
            return None
        data = tree.data[start:end]
        valid = self._language.checker(data)
        kinds = valid.kinds(data, tree.starts[top] - start, tree.ends[top] - start)
        return Context(start, data, valid) if tree.kinds[top] in kinds else None
