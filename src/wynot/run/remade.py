"""The passes that put something else in the place of things: a name for a name, a plain thing for another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from wynot.core.config import Config
from wynot.domains.flat import Region
from wynot.domains.texts import Texts
from wynot.domains.tree.standins import standins
from wynot.domains.tree.swaps import swaps
from wynot.run.costs import Counts
from wynot.run.forest import Forest, Grown
from wynot.run.passes import Stage, checked
from wynot.search.descend import descend

LARGEST = 16384
"""Texts larger than this (in bytes) can be made smaller in other ways; each change would be another text as large."""

Change = tuple[bytes, ...]
"""What is done to a text, in short."""

Changes = Callable[[Grown], Iterator[tuple[Change, bytes]]]
"""All that may be done to a text, and what it is then."""


@dataclass(frozen=True, slots=True)
class RemadePass:
    """One thing after the other is changed."""

    name: str
    forest: Forest
    changes: Changes
    strict: bool = True

    def begin(self, data: bytes, free: list[Region] | None, counts: Counts) -> Stage:
        """Number the texts, from this one on. In large ones, and where something is protected, nothing is done."""
        made = _Made(self, data, idle=free is not None or len(data) > LARGEST)
        grown = self.forest.grown(data, free)
        search = checked(partial(descend, made.below), made.texts, grown, counts, strict=self.strict)
        return Stage(made.texts, 1, search, made.cut, proves=False)


class _Made:
    """The texts that are made of one, and of those; what came to nothing on the way to a text is not tried again."""

    def __init__(self, by: RemadePass, data: bytes, *, idle: bool) -> None:
        self.texts = Texts(data)
        self._by, self._idle = by, idle
        self._below: dict[int, list[int]] = {}
        self._tried: dict[int, frozenset[Change]] = {0: frozenset()}
        self._done: dict[int, Change] = {}

    def below(self, number: int) -> Iterator[int]:
        """All texts with one change more."""
        if self._idle:
            return
        if number not in self._below:
            self._below[number] = list(self._made(number))
        yield from self._below[number]

    def cut(self, _before: Config, after: Config) -> Sequence[bytes]:
        """What was done to come to a text."""
        change = self._done.get(after.bounds[0])
        return () if change is None else (b"", self._by.name.encode(), *change)  # as no cut begins

    def _made(self, number: int) -> Iterator[int]:
        tried, text, forest = self._tried[number], self.texts[number], self._by.forest
        grown = Grown(forest.language, text, None) if number else forest.grown(text, None)
        for change, left in self._by.changes(grown):
            if change not in tried:
                made = self.texts.add(left)
                self._done[made] = change
                self._tried[made] = tried = tried | {change}
                yield made


def by_standins(grown: Grown) -> Iterator[tuple[Change, bytes]]:
    """A name goes, and another one or what it stands for takes its place."""
    return (((each.name, each.other), each.text) for each in standins(grown.pruned))


def by_swaps(grown: Grown) -> Iterator[tuple[Change, bytes]]:
    """A thing becomes a single word or number."""
    return (((each.old, b"%d" % each.rank, each.new), each.text) for each in swaps(grown.places))
