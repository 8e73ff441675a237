"""A language by a grammar that a user brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from wynot.core.config import Config
from wynot.domains.grammar.derive.lists_and_optionals import ListsAndOptionals
from wynot.domains.grammar.derive.minimal_strings import MinimalStrings
from wynot.domains.grammar.derive.replacement_candidates import ReplacementCandidates
from wynot.domains.grammar.grammar_model import ConvertedGrammar, patterns_as_written
from wynot.domains.grammar.parsing.parsed_tokens import ParsedTokens, TokenReader
from wynot.domains.grammar.parsing.reparse import Reparser
from wynot.domains.grammar.parsing.tree_builder import GrammarTree, grow
from wynot.domains.grammar.productions import compiled
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.domains.syntax.text_edits import EditedRange, TextEdit, woven
from wynot.domains.text.atoms import encoding_of

KEPT = 4
"""Texts whose trees are remembered."""


class GrammarLanguage:
    """Reads files by a grammar."""

    def __init__(self, converted: ConvertedGrammar, name: str = "grammar") -> None:
        self.name, self.converted = name, converted
        with patterns_as_written():
            self.rules = compiled(converted)
            self.reader = TokenReader(self.rules)
        self._latest: dict[bytes, _Text] = {}

    @cached_property
    def minimal(self) -> MinimalStrings:
        """The minimal strings of all symbols."""
        with patterns_as_written():
            return MinimalStrings(self.rules)

    @cached_property
    def structure(self) -> ListsAndOptionals:
        """What may be left out of what."""
        return ListsAndOptionals(self.rules, self.minimal)

    def parse(self, data: bytes, deepest: int | None = None) -> SyntaxTree:  # noqa: ARG002 - all at once is no dearer
        """The tree of a file; one that cannot be read has no nodes."""
        return self._text(data).growth.tree

    def checker(self, data: bytes) -> GrammarChecker:
        """Says which texts can be read, if this one can."""
        return GrammarChecker(self._text(data), self._text)

    def places(self, data: bytes, free: Config | None = None, deepest: int | None = None) -> ReplacementCandidates:  # noqa: ARG002
        """The tree of a file, and what the grammar says may become of its nodes."""
        text = self._text(data)
        return ReplacementCandidates(text.growth, self, self.structure.units, text.judge, free)

    def read(self, data: bytes) -> ParsedTokens:
        """A file's tokens, and how far it can be read."""
        return self._text(data).reading

    def shown(self, terminal: str) -> str:
        """A terminal as the user wrote it: its text, if it has but one, else its name."""
        found = self.rules.terminals.get(terminal)
        return repr(found.literal) if found is not None and found.literal is not None else self.rules.name(terminal)

    def _text(self, data: bytes) -> _Text:
        """What is known of a text; for the latest few it is remembered."""
        known = self._latest.pop(data, None) or _Text(self, data)
        self._latest[data] = known
        if len(self._latest) > KEPT:
            del self._latest[next(iter(self._latest))]
        return known


def decoded(data: bytes) -> str:
    """A file as characters; where it is no UTF-8, each byte is one."""
    return data.decode("utf-8" if encoding_of(data) == "utf-8" else "latin-1")


class _Text:
    """One text, as far as somebody has asked for it."""

    def __init__(self, language: GrammarLanguage, data: bytes) -> None:
        self._language, self.data = language, data

    @cached_property
    def reading(self) -> ParsedTokens:
        return self._language.reader.read(decoded(self.data))

    @cached_property
    def growth(self) -> GrammarTree:
        return grow(self._language.structure, self.reading, self.data)

    @cached_property
    def again(self) -> Reparser:
        return Reparser(self._language.reader, self.reading)

    def judge(self, changes: Sequence[TextEdit]) -> bool:
        """Whether the text can still be read after some changes."""
        candidate, places = woven(self.data, changes)
        if not candidate.isascii():
            return self.again(decoded(candidate))
        return self.again.at(decoded(candidate), places)


class GrammarChecker:
    """Reads texts again where they differ from the one to begin with."""

    def __init__(self, text: _Text, texts: Callable[[bytes], _Text]) -> None:
        self._text, self._texts = text, texts

    def __call__(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> bool:  # noqa: ARG002 - of no use here
        """Whether a text can be read; where the one to begin with cannot, any may be tested."""
        return not self.clean or self._text.again(decoded(candidate))

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        if not self(candidate):
            return frozenset()
        tree = self._texts(candidate).growth.tree
        nodes = range(len(tree))
        return frozenset(tree.kinds[n] for n in nodes if (tree.starts[n], tree.ends[n]) == (start, end))

    @property
    def broken(self) -> float:
        """All of a text, or nothing."""
        return 0.0 if self.clean else 1.0

    @property
    def clean(self) -> bool:
        """Whether the text can be read."""
        return self._text.reading.root is not None
