"""The last pass of a proof: what the promise of a result says cannot be done is tried, node by node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from wynot.commands.reduce.parsed_text import ParseCache, ParsedText
from wynot.commands.reduce.passes.basic_passes import NumberedTexts, PreparedPass
from wynot.core.artifact import simplicity
from wynot.domains.syntax.edits.single_edits import Edit, single_edits
from wynot.domains.syntax.syntax_tree import applied
from wynot.domains.text.atom_domain import Region
from wynot.domains.text.protected import free_regions
from wynot.engine.budget import TestCounts
from wynot.search.lists.bisection import greedy_descent

LARGEST = 4096
"""Larger texts (in bytes) are not edited: each edit is a parse of the whole text."""


@dataclass(frozen=True, slots=True)
class SingleEditsPass:
    """Every node of a small text is cut, or replaced by a smallest text, one at a time, from the end to the front."""

    forest: ParseCache
    strict: bool = True
    """Only valid texts are tested."""
    name: str = "single edits"

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Number the texts, from this one on."""
        edited = _Edited(self, data, free, counts)
        return PreparedPass(edited.texts, 1, partial(greedy_descent, edited.below))


class _Edited:
    """The texts that single edits make of a text; after a success the search goes on to the front of it.

    What comes before an edit stays where it is. What comes after it is tried again when the pass runs next: all passes
    follow a success.
    """

    def __init__(self, by: SingleEditsPass, data: bytes, free: list[Region] | None, counts: TestCounts) -> None:
        self.texts = NumberedTexts(data)
        self._by, self._free, self._counts = by, free, counts
        self._last: dict[int, int] = {0: len(data)}
        """Where edits of a text may begin at most."""
        self._known: dict[int, list[int]] = {}
        """By a text, those that were made of it so far, in order..."""
        self._more: dict[int, Iterator[int]] = {}
        """...and the ones to come."""

    def below(self, number: int) -> Iterator[int]:
        """All texts with one edit more."""
        known = self._known.setdefault(number, [])
        more = self._more.setdefault(number, self._made(number))
        place = 0
        while True:
            if place == len(known) and (made := next(more, None)) is not None:
                known.append(made)
            if place == len(known):
                return
            yield known[place]
            place += 1

    def _made(self, number: int) -> Iterator[int]:
        text, last = self.texts[number], self._last[number]
        if len(text) > LARGEST:
            return
        grown = self._grown(number, text)
        seen = {text}
        for edit in single_edits(grown.places, beside=self._by.strict):
            candidate = self._valid(grown, edit) if edit and edit[0].start <= last else None
            if candidate is not None and candidate not in seen and simplicity(candidate) < simplicity(text):
                seen.add(candidate)
                made = self.texts.add(candidate)
                self._last[made] = edit[-1].start
                yield made

    def _grown(self, number: int, text: bytes) -> ParsedText:
        if number == 0:
            return self._by.forest.grown(text, self._free)
        return ParsedText(self._by.forest.language, text, None if self._free is None else free_regions(text))

    def _valid(self, grown: ParsedText, edit: Edit) -> bytes | None:
        """The text after an edit, made in the first way that is valid."""
        for change in edit:
            candidate = applied(grown.data, [change])
            if (not change.text and not self._by.strict) or grown.valid(candidate, self._counts):
                return candidate
        return None
