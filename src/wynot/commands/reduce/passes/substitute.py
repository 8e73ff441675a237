"""The passes that put something else in the place of things: a name for a name, a plain thing for another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from wynot.commands.reduce.parsed_text import ParseCache, ParsedText
from wynot.commands.reduce.passes.basic_passes import NumberedTexts, PreparedPass, checked
from wynot.core.config import Config
from wynot.domains.syntax.edits.siblings import swaps
from wynot.domains.syntax.edits.substitutions import standins
from wynot.domains.text.atom_domain import Region
from wynot.engine.budget import TestCounts
from wynot.search.lists.bisection import greedy_descent

LARGEST = 16384
"""Texts larger than this (in bytes) can be made smaller in other ways; each change would be another text as large."""

LATEST = 4
"""Of so many texts it is known where to go on; what comes after others is found out once more."""

Change = tuple[bytes, ...]
"""What is done to a text, in short."""

Changes = Callable[[ParsedText], Iterator[tuple[Change, bytes]]]
"""All that may be done to a text, and what it is then."""


@dataclass(frozen=True, slots=True)
class SubstitutionPass:
    """One thing after the other is changed."""

    name: str
    forest: ParseCache
    changes: Changes
    strict: bool = True

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Number the texts, from this one on. In large ones, and where something is protected, nothing is done."""
        made = _Made(self, data, idle=free is not None or len(data) > LARGEST)
        grown = self.forest.grown(data, free)
        search = checked(partial(greedy_descent, made.below), made.texts, grown, counts, strict=self.strict)
        return PreparedPass(made.texts, 1, search, made.cut, proves=False)


class _Made:
    """The texts that are made of one, and of those; what came to nothing on the way to a text is not tried again.

    Each is made when it is asked for: after a success there is another text to make them of.
    """

    def __init__(self, by: SubstitutionPass, data: bytes, *, idle: bool) -> None:
        self.texts = NumberedTexts(data)
        self._by, self._idle = by, idle
        self._known: dict[int, list[int]] = {}
        """By a text, those that were made of it so far, in order..."""
        self._more: dict[int, Iterator[int]] = {}
        """...and the ones to come, of the latest texts."""
        self._from: dict[int, tuple[int, Change]] = {}
        """What each was made of, and how."""

    def below(self, number: int) -> Iterator[int]:
        """All texts with one change more."""
        if self._idle:
            return
        known = self._known.setdefault(number, [])
        place = 0
        while True:
            if place == len(known) and (made := next(self._coming(number), None)) is not None:
                known.append(made)
            if place == len(known):
                return
            yield known[place]
            place += 1

    def cut(self, _before: Config, after: Config) -> Sequence[bytes]:
        """What was done to come to a text."""
        number = after.bounds[0]
        return (b"", self._by.name.encode(), *self._from[number][1]) if number in self._from else ()  # as no cut begins

    def _coming(self, number: int) -> Iterator[int]:
        if number not in self._more:
            if len(self._more) >= LATEST:
                del self._more[next(iter(self._more))]
            self._more[number] = self._made(number)
        return self._more[number]

    def _made(self, number: int) -> Iterator[int]:
        tried, text, forest = self._tried(number), self.texts[number], self._by.forest
        tried.update(self._from[made][1] for made in self._known[number])
        grown = ParsedText(forest.language, text, None) if number else forest.grown(text, None)
        for change, left in self._by.changes(grown):
            if change not in tried:
                tried.add(change)
                made = self.texts.add(left)
                self._from[made] = number, change
                yield made

    def _tried(self, number: int) -> set[Change]:
        """What was tried on the way to a text."""
        tried: set[Change] = set()
        while number in self._from:
            before = self._from[number][0]
            tried.update(self._from[made][1] for made in self._known[before] if made <= number)
            number = before
        return tried


def by_standins(grown: ParsedText) -> Iterator[tuple[Change, bytes]]:
    """A name goes, and another one or what it stands for takes its place."""
    return (((each.name, each.other), each.text) for each in standins(grown.pruned))


def by_swaps(grown: ParsedText) -> Iterator[tuple[Change, bytes]]:
    """A thing becomes a single word or number."""
    return (((each.old, b"%d" % each.rank, each.new), each.text) for each in swaps(grown.places))
