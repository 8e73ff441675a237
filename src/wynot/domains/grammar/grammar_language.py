"""A user's grammar as a language, with the replacements that it allows for each node."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from wynot.core.config import Config
from wynot.domains.grammar.grammar_model import ConvertedGrammar, patterns_as_written
from wynot.domains.grammar.lists_and_optionals import ListsAndOptionals
from wynot.domains.grammar.minimal_strings import MinimalStrings
from wynot.domains.grammar.productions import compiled
from wynot.domains.grammar.tokenizer import ParsedTokens, TokenReader
from wynot.domains.grammar.tree_builder import GrammarTree, Reparser, grow
from wynot.domains.syntax.edits.edit_candidates import EditCandidates, Run, SmallestReplacement, whole
from wynot.domains.syntax.incremental_validity import Judge
from wynot.domains.syntax.syntax_tree import EditedRange, Language, SyntaxTree, TextEdit, woven
from wynot.domains.text.atoms import encoding_of

# What may become of a node, by its grammar: nothing is tried, everything follows.
#
# A configuration of a tree renders as a text that the grammar derives: what is gone is cut where an alternative does
# without it or a list goes on without it, else its minimal string stands for it (thesis, section 5.2). Where two things
# go by two alternatives, and none does without both, the judge refuses it.


Units = Callable[[str], frozenset[str]]
"""The symbols that may stand for one by themselves."""


class ReplacementCandidates(EditCandidates):
    """What may become of the nodes of a tree whose grammar is known."""

    def __init__(
        self, growth: GrammarTree, language: Language, units: Units, judge: Judge, free: Config | None
    ) -> None:
        super().__init__(growth.tree, language, free)
        self._growth, self._said, self._units, self._judge = growth, growth.said, units, judge

    def _gone(self, node: int) -> SmallestReplacement | None:
        return SmallestReplacement(b"", self._said.joined[node]) if self._said.texts[node] == b"" else None

    def _instead(self, node: int) -> SmallestReplacement | None:
        text = self._said.texts[node]
        return SmallestReplacement(text, self._said.joined[node]) if text else None

    def texts(self, node: int) -> Iterator[bytes]:
        """The shortest text that the grammar derives for a node."""
        text = self._said.texts[node]
        return iter((text,) if text else ())

    def cut(self, first: int, last: int) -> TextEdit:
        """What becomes of siblings that are all cut."""
        shape = self.tree.shape
        parent = shape.parents[first]
        if (
            first == parent + 1
            and shape.lasts[last] == shape.lasts[parent]
            and (all_ := self._said.hollows.get(parent))
        ):
            return TextEdit(self.tree.starts[first], self.tree.ends[last], all_)
        return super().cut(first, last)

    def settled(self, changes: list[TextEdit]) -> list[TextEdit]:
        """Of two neighbours in a list with a comment between them, both may have taken the separator between them.

        Then the left one takes the separator before it, if there is one.
        """
        settled = [*changes]
        for place in range(len(settled) - 2, -1, -1):
            change, other = settled[place], place + 1
            while other < len(settled) and settled[other].start < change.end:
                taken = settled[other].start, min(change.end, settled[other].end)
                if (start := self._same_before(change.start, *taken)) is not None:
                    settled[place] = change._replace(start=start)
                other += 1
        return settled

    def _same_before(self, stretch: int, low: int, high: int) -> int | None:
        """Where the token before a stretch begins, if it is the same as the first one that begins in a part of it."""
        starts, ends, data = self._growth.starts, self._growth.ends, self.tree.data
        before, other = bisect_right(ends, stretch) - 1, bisect_left(starts, low)
        if before < 0 or other >= len(starts) or starts[other] >= high:
            return None
        same = data[starts[before] : ends[before]] == data[starts[other] : ends[other]]
        return starts[before] if same else None

    def _span(self, first: int, last: int, *, listed: bool) -> tuple[int, int]:
        start, end = self.tree.starts[first], self.tree.ends[last]
        if listed:
            return self._with_separator(first, last)
        low, high = self._between(start, end)
        left, right = whole(self.tree.data, start, end)
        return max(left, low), min(right, high)

    def _between(self, start: int, end: int) -> tuple[int, int]:
        """Where the token before a stretch ends and the one after it begins; what lies there is skipped."""
        before, after = bisect_right(self._growth.ends, start) - 1, bisect_left(self._growth.starts, end)
        low = self._growth.ends[before] if before >= 0 else 0
        high = self._growth.starts[after] if after < len(self._growth.starts) else len(self.tree.data)
        return low, high

    def _with_separator(self, first: int, last: int) -> tuple[int, int]:
        """Elements of a list with the separator after them; with the one before them, if they are the last."""
        tree, starts, ends = self.tree, self._growth.starts, self._growth.ends
        start, end = tree.starts[first], tree.ends[last]
        after = self._neighbour(last, 1)
        if after >= 0:
            end = ends[bisect_left(starts, tree.starts[after]) - 1]
            return start, self._blank(end, tree.starts[after], end, tree.starts[after])
        before = self._neighbour(first, -1)
        if before >= 0:
            start = starts[bisect_left(ends, tree.ends[before]) + 1]
            return self._blank(tree.ends[before], start, start, tree.ends[before]), end
        return start, end

    def _blank(self, low: int, high: int, otherwise: int, then: int) -> int:
        return then if not self.tree.data[low:high].strip() else otherwise

    def _neighbour(self, node: int, step: int) -> int:
        """The next element of the same list, or the one before; -1 where there is none."""
        parent = self.tree.shape.parents[node]
        row = self._elements(parent)
        place = bisect_left(row, node) + step
        return row[place] if 0 <= place < len(row) else -1

    def _elements(self, parent: int) -> list[int]:
        if parent not in self._rows:
            children = self.tree.shape.children(parent)
            self._rows[parent] = [child for child in children if self._said.joined[child]]
        return self._rows[parent]

    @cached_property
    def _rows(self) -> dict[int, list[int]]:
        return {}

    def fits(self, node: int, below: int, run: Run) -> bool:
        """Whether what is below a node may stand for it: it is what the grammar wants there."""
        wanted = self._said.symbols[node]
        if not wanted:
            return False
        if run[0] == run[1]:
            return self._is(run[0], wanted[0])
        if not self._said.listed[node]:
            return False
        row = [child for child in self.tree.shape.children(below) if self._said.symbols[child]]
        alike = all(self._said.listed[each] and self._said.joined[each] == self._said.joined[node] for each in row)
        return bool(row) and alike and all(self._is(each, wanted[0]) for each in row)

    def _is(self, node: int, wanted: str) -> bool:
        return not self._units(wanted).isdisjoint(self._said.symbols[node])

    @property
    def judge(self) -> Judge:
        """Says of changes whether the file is as valid after them."""
        return self._judge


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
