"""C89: a function without a return type returns int. The papers' examples use it (2006, figure 1).

tree-sitter's grammar of C has no such functions; its grammar of C++ has, as constructors. A short text that is not
valid C is therefore parsed as C++, if it is valid C once each missing `int` is inserted. Only whole files are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import tree_sitter

from wynot.core.config import Config
from wynot.domains.syntax.adapters.tree_sitter_adapter import TreeSitterLanguage
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.incremental_parse import SMALL
from wynot.domains.syntax.syntax_tree import EditedRange, SyntaxTree, ValidityChecker

FUNCTION, TYPE = "function_definition", "type"
INT = b"int "
_HEAD = re.compile(
    rb"""
    (?: ^ | [;}] ) [ \t]*+                                             # after another item, or at the start of a line:
    (?: (?:static|extern|inline|const|register) \s++ )*+
    (?! (?:if|for|while|switch|else|do|return|sizeof) \b ) \w+ \s*+   # a name,
    \( [^;{}]{0,300} \) \s*+ \{                                       # parameters and the start of a body
    """,
    re.VERBOSE | re.MULTILINE,
)
"""How a function without a type may begin. A text without a match needs no second parse."""


class C89:
    """Parses a text by the grammar of C++ where only functions without a type keep it from being valid C."""

    def __init__(self, c: TreeSitterLanguage, load_cpp: Callable[[], TreeSitterLanguage | None]) -> None:
        """`load_cpp` gives None where the grammar of C++ is not installed."""
        self.name, self.c, self._load_cpp = c.name, c, load_cpp

    def parse(self, data: bytes, deepest: int | None = None) -> SyntaxTree:
        """The tree of a file."""
        as_cpp = len(data) <= SMALL and self.checker_by_c(data) is None and self.checker_by_cpp(data) is not None
        return ((self._load_cpp() if as_cpp else None) or self.c).parse(data, deepest)

    def checker(self, data: bytes) -> ValidityChecker:
        """Says which texts are as valid as this one, by either grammar."""
        own = self.c.checker(data)
        return C89Checker(self, own, None if own.clean else self.checker_by_cpp(data))

    def places(self, data: bytes, free: Config | None = None, deepest: int | None = None) -> EditCandidates:
        """What may become of the nodes of a file; of a long one by the grammar of C, since it is parsed as a whole."""
        return EditCandidates(self.parse(data, deepest), self if len(data) <= SMALL else self.c, free)

    def checker_by_c(self, data: bytes) -> ValidityChecker | None:
        """The checker of a text that is valid C."""
        own = self.c.checker(data)
        return own if own.clean else None

    def checker_by_cpp(self, data: bytes) -> ValidityChecker | None:
        """The checker of a text that is valid C++, and valid C with each missing `int` inserted."""
        cpp = self._load_cpp() if len(data) <= SMALL and _HEAD.search(data) else None
        if cpp is None:
            return None
        checker = cpp.checker(data)
        typed = _with_types(data, cpp.syntax(data)) if checker.clean else data
        return None if typed == data or self.checker_by_c(typed) is None else checker


def _with_types(data: bytes, tree: tree_sitter.Tree) -> bytes:
    items = tree.root_node.children
    untyped = [each for each in items if each.type == FUNCTION and each.child_by_field_name(TYPE) is None]
    bounds = [0, *(each.start_byte for each in untyped), len(data)]
    return INT.join(data[start:end] for start, end in pairwise(bounds))


class C89Checker:
    """Asks the grammar of C, then that of C++."""

    def __init__(self, language: C89, own: ValidityChecker, by_cpp: ValidityChecker | None) -> None:
        """`by_cpp`: the checker of the original, where that is not valid C."""
        self._language, self._own, self._by_cpp = language, own, by_cpp

    def __call__(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> bool:
        """Whether a text has no more errors than the original, or none at all as C89."""
        return self._reader(candidate, places) is not None

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        reader = self._reader(candidate)
        return frozenset() if reader is None else reader.kinds(candidate, start, end)

    def _reader(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> ValidityChecker | None:
        if self._by_cpp is not None:
            return self._language.checker_by_c(candidate) or self._language.checker_by_cpp(candidate)
        return self._own if self._own(candidate, places) else self._language.checker_by_cpp(candidate)

    @property
    def broken(self) -> float:
        """The share of the text that is in errors."""
        return (self._by_cpp or self._own).broken

    @property
    def clean(self) -> bool:
        """Whether there are no errors."""
        return self._by_cpp is not None or self._own.clean
