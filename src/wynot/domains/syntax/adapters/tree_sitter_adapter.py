"""Syntax trees from tree-sitter: one adapter for all its grammars, and its variant for old C."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

import tree_sitter

from wynot.domains.syntax.edits.edit_candidates import ProbedLanguage
from wynot.domains.syntax.incremental_parse import (
    SMALL,
    ParsedVersion,
    ParseLimitError,
    edited,
    parse,
    regrown,
    reparsed,
)
from wynot.domains.syntax.incremental_validity import SyntaxErrors, differing
from wynot.domains.syntax.language_table import LanguageEntry
from wynot.domains.syntax.syntax_tree import NO_FIELD, EditedRange, SyntaxTree, TreeBuilder, ValidityChecker

if TYPE_CHECKING:
    from tree_sitter import TreeCursor

    from wynot.domains.syntax.adapters.outline import Outline
import re
from itertools import pairwise

from wynot.core.config import Config
from wynot.domains.syntax.edits.edit_candidates import EditCandidates

SMALL_KEPT = 64
"""How many trees of small texts are remembered."""


class TreeSitterLanguage(ProbedLanguage):
    """A language with a tree-sitter grammar."""

    def __init__(self, grammar: LanguageEntry) -> None:
        """ImportError where the grammar is not installed."""
        self.name = grammar.name
        self._errors = SyntaxErrors(grammar.spare, grammar.unclosed, grammar.items, grammar.reserved)
        self._whole: ParsedVersion | None = None
        """The latest large text that became a tree..."""
        self._part: ParsedVersion | None = None
        """...the latest of those since that are much smaller: parts of it, most likely..."""
        self._checked: ParsedVersion | None = None
        """...the latest one that others were to be compared with..."""
        self._piece: ParsedVersion | None = None
        """...and the latest large one of these: pieces of a text that are looked at in a row have most in common."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # older wheels give a number, not a capsule
            self._language = tree_sitter.Language(getattr(import_module(grammar.module), grammar.entry)())
        self._parser = tree_sitter.Parser(self._language)
        self._small = lru_cache(SMALL_KEPT)(partial(parse, self._parser))
        """Reads small texts: many are looked at again, for another reason or as a part of another search."""

    def parse(self, data: bytes, deepest: int | None = None) -> SyntaxTree:
        """The named nodes of the syntax tree; the outline of a text that takes the parser too long."""
        try:
            cursor = self._kept(self._read(data)).tree.walk()
        except ParseLimitError:
            return _outline().parse(data, deepest)
        grown = TreeBuilder(data)
        grown.add(-1, cursor.node.type if cursor.node else "file", 0, len(data))
        _grow(grown, cursor, sys.maxsize if deepest is None else deepest)
        return grown.tree()

    def checker(self, data: bytes) -> ValidityChecker:
        """Says which texts have no more syntax errors than this one; for one that takes too long, by its outline."""
        try:
            self._checked = read = self._read(data)
        except ParseLimitError:
            return _outline().checker(data)
        if len(data) > SMALL:
            self._piece = read
        return TreeSitterChecker(self._parser, self._small, read, self._errors)

    def syntax(self, data: bytes) -> tree_sitter.Tree:
        """tree-sitter's own tree of a text, for who wants to look at a few places of it; or ParseLimitError."""
        return self._small(data) if len(data) <= SMALL else parse(self._parser, data)

    def _kept(self, read: ParsedVersion) -> ParsedVersion:
        """Remember what was read: it may be asked for again, or something like it."""
        if len(read.data) > SMALL:
            if self._whole is None or len(read.data) * 2 >= len(self._whole.data):
                self._whole, self._part = read, None
            else:
                self._part = read
        return read

    def _read(self, data: bytes) -> ParsedVersion:
        """The syntax tree of a text: known, or made from that of another one where most of it is the same."""
        if len(data) <= SMALL:
            return ParsedVersion(data, self._small(data))
        for known in (self._checked, self._piece, self._part, self._whole):
            if known is not None and known.data == data:
                return known
        for known in (self._piece, self._part, self._whole):
            if known is not None and (tree := regrown(self._parser, known, data)) is not None:
                return ParsedVersion(data, tree)
        return ParsedVersion(data, parse(self._parser, data))


def _outline() -> Outline:
    from wynot.domains.syntax.adapters.outline import Outline  # noqa: PLC0415 - for texts that cannot be parsed

    return Outline()


def _grow(grown: TreeBuilder, cursor: TreeCursor, deepest: int) -> None:
    """Walk through a syntax tree without recursion; some are very deep, and large: little is called for a node.

    A node that fills its only named parent's place adds nothing and is left out.
    """
    kinds, fields, parents, starts, ends = grown.kinds, grown.fields, grown.parents, grown.starts, grown.ends
    path = [0]
    more = cursor.goto_first_child()
    while more and (node := cursor.node) is not None:
        if node.is_named and (end := node.end_byte) > (start := node.start_byte):
            this = path[-1]
            if not this or start != starts[this] or end != ends[this]:
                parents.append(this)
                this = len(kinds)
                kinds.append(node.type)
                fields.append(cursor.field_name or NO_FIELD)
                starts.append(start)
                ends.append(end)
            if len(path) < deepest and cursor.goto_first_child():
                path.append(this)
                continue
        while not (more := cursor.goto_next_sibling()) and len(path) > 1 and cursor.goto_parent():
            path.pop()


class TreeSitterChecker:
    """Counts syntax errors; a large text is parsed anew only where it differs from the one to begin with.

    Always from that one: what tree-sitter makes of a text with errors can depend on where it comes from.
    """

    def __init__(
        self,
        parser: tree_sitter.Parser,
        small: Callable[[bytes], tree_sitter.Tree],
        read: ParsedVersion,
        errors: SyntaxErrors,
    ) -> None:
        self._parser, self._small, self._known, self._errors = parser, small, read, errors
        self._allowed = errors.count(*read)
        self._judged: tuple[tree_sitter.Tree, bool] | None = None
        """The latest tree that was looked at, and whether it will do: it is often looked at again."""
        self._latest: ParsedVersion | None = None
        """The latest large text without errors: the next one often differs from it at one place only."""
        self._seen = read
        """The latest large text of all: it is often asked for again."""

    def __call__(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> bool:
        """Whether a text has no more errors than the one to begin with; one that takes too long is not valid."""
        try:
            return self._valid(candidate, places)
        except ParseLimitError:
            return False

    def _valid(self, candidate: bytes, places: Sequence[EditedRange]) -> bool:
        if not places or not self.clean or len(candidate) <= SMALL:
            return self._fine(candidate, self._parsed(candidate))
        with suppress(ParseLimitError):  # what decides is the parse that does not depend on earlier calls
            tree = None if self._latest is None else regrown(self._parser, self._latest, candidate)
            if tree is None or not self._fine(candidate, tree):
                tree = edited(self._parser, self._known, candidate, places)
            if self._fine(candidate, tree):
                self._latest = ParsedVersion(candidate, tree)
                return True
        return self._fine(candidate, self._parsed(candidate))

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        try:
            tree = self._parsed(candidate)
        except ParseLimitError:
            return frozenset()
        if not self._fine(candidate, tree):
            return frozenset()
        found = set()
        node = tree.root_node.named_descendant_for_byte_range(start, end)
        while node is not None and (node.start_byte, node.end_byte) == (start, end):
            found.add(node.type)
            node = node.parent
        return frozenset(found)

    def _fine(self, candidate: bytes, tree: tree_sitter.Tree) -> bool:
        if self._judged is None or self._judged[0] is not tree:
            self._judged = tree, self._judge(candidate, tree)
        return self._judged[1]

    def _judge(self, candidate: bytes, tree: tree_sitter.Tree) -> bool:
        if self.clean:
            return not self._errors.any(candidate, tree)
        count, covered = self._errors.count(candidate, tree)
        return count <= self._allowed[0] and covered <= self._allowed[1]

    def _parsed(self, candidate: bytes) -> tree_sitter.Tree:
        if len(candidate) <= SMALL:
            return self._small(candidate)
        for known in (self._seen, self._known):
            if candidate == known.data:
                return known.tree
        tree = reparsed(self._parser, self._known, candidate, differing(self._known.data, candidate))
        self._seen = ParsedVersion(candidate, tree)
        return tree

    @property
    def clean(self) -> bool:
        """Whether there are no errors."""
        return self._allowed == (0, 0)

    @property
    def broken(self) -> float:
        """The share of the text that is in errors, without what is read well inside them."""
        return self._errors.astray(self._known.tree) / max(len(self._known.data), 1)


# C89: a function without a return type returns int. The papers' examples use it (2006, figure 1).
#
# tree-sitter's grammar of C has no such functions; its grammar of C++ has, as constructors. A short text that is not
# valid C is therefore parsed as C++, if it is valid C once each missing `int` is inserted. Only whole files are.


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
