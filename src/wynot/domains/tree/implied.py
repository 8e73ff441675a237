"""C with functions that have no type: it is an int. For decades that was C, and most compilers still take it.

tree-sitter's grammar of C does not; that of C++ does, where such functions are constructors. So a short text that is
no C is read as C++, if it is C with each `int` that is missing. Only as a whole: what the whole file is not taken for,
no part of it may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import tree_sitter

from wynot.core.config import Config
from wynot.domains.tree.changes import Place
from wynot.domains.tree.places import Places
from wynot.domains.tree.reading import SMALL
from wynot.domains.tree.tree import Tree
from wynot.domains.tree.treesitter import TreeSitter
from wynot.domains.tree.words import Checker

FUNCTION, TYPE = "function_definition", "type"
INT = b"int "
_HEAD = re.compile(
    rb"""
    (?: ^ | [;}] ) [ \t]*+                                             # after something else, or on a line of its own:
    (?: (?:static|extern|inline|const|register) \s++ )*+
    (?! (?:if|for|while|switch|else|do|return|sizeof) \b ) \w+ \s*+   # a name,
    \( [^;{}]{0,300} \) \s*+ \{                                       # its parameters, and what it does
    """,
    re.VERBOSE | re.MULTILINE,
)
"""How a function may begin that has no type: without any, no second look is needed."""


class Implied:
    """Reads a text by a second grammar where only that takes it."""

    def __init__(self, plain: TreeSitter, second: Callable[[], TreeSitter | None]) -> None:
        """`plain`: the language by its own grammar; `second` loads the other one, if it is needed and installed."""
        self.name, self.plain, self._load = plain.name, plain, second

    def parse(self, data: bytes, deepest: int | None = None) -> Tree:
        """The tree of a file."""
        implied = len(data) <= SMALL and self.first(data) is None and self.second(data) is not None
        return ((self._load() if implied else None) or self.plain).parse(data, deepest)

    def checker(self, data: bytes) -> Checker:
        """Says which texts are as valid as this one, by either grammar."""
        own = self.plain.checker(data)
        return ImpliedChecker(self, own, None if own.clean else self.second(data))

    def places(self, data: bytes, free: Config | None = None, deepest: int | None = None) -> Places:
        """What may become of the nodes of a file; of a long one by the first grammar, as it is read as a whole."""
        return Places(self.parse(data, deepest), self if len(data) <= SMALL else self.plain, free)

    def first(self, data: bytes) -> Checker | None:
        """The checker of a text that has no errors by the first grammar."""
        own = self.plain.checker(data)
        return own if own.clean else None

    def second(self, data: bytes) -> Checker | None:
        """That of a text that has none by the second, and none by the first with all that is implied."""
        other = self._load() if len(data) <= SMALL and _HEAD.search(data) else None
        if other is None:
            return None
        checker = other.checker(data)
        said = _spelled_out(data, other.syntax(data)) if checker.clean else data
        return None if said == data or self.first(said) is None else checker


def _spelled_out(data: bytes, tree: tree_sitter.Tree) -> bytes:
    items = tree.root_node.children
    untyped = [each for each in items if each.type == FUNCTION and each.child_by_field_name(TYPE) is None]
    bounds = [0, *(each.start_byte for each in untyped), len(data)]
    return INT.join(data[start:end] for start, end in pairwise(bounds))


class ImpliedChecker:
    """Asks the first grammar, then the second."""

    def __init__(self, language: Implied, own: Checker, other: Checker | None) -> None:
        """`other`: the second grammar's checker, where only that takes the text to begin with."""
        self._language, self._own, self._other = language, own, other

    def __call__(self, candidate: bytes, places: Sequence[Place] = ()) -> bool:
        """Whether a text has no more errors than the one to begin with, or none at all by the second grammar."""
        return self._reader(candidate, places) is not None

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        reader = self._reader(candidate)
        return frozenset() if reader is None else reader.kinds(candidate, start, end)

    def _reader(self, candidate: bytes, places: Sequence[Place] = ()) -> Checker | None:
        if self._other is not None:
            return self._language.first(candidate) or self._language.second(candidate)
        return self._own if self._own(candidate, places) else self._language.second(candidate)

    @property
    def broken(self) -> float:
        """The share of the text that is in errors."""
        return (self._other or self._own).broken

    @property
    def clean(self) -> bool:
        """Whether there are no errors."""
        return self._other is not None or self._own.clean
