"""The pass that lets one name stand in for another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from wynot.core.config import Config
from wynot.domains.flat import Region
from wynot.domains.texts import Texts
from wynot.domains.tree.standins import standins
from wynot.run.cleanup import checked
from wynot.run.costs import Counts
from wynot.run.forest import Forest, Grown
from wynot.run.passes import Stage
from wynot.search.descend import descend

LARGEST = 16384
"""Texts larger than this (in bytes) can be made smaller in other ways; each name would be another text as large."""

Pair = tuple[bytes, bytes]
"""A name, and what stands in for it."""


@dataclass(frozen=True, slots=True)
class StandinPass:
    """One name after the other goes, with what declares it."""

    forest: Forest
    strict: bool = True
    name: str = "stand-ins"

    def begin(self, data: bytes, free: list[Region] | None, counts: Counts) -> Stage:
        """Number the texts, from this one on. In large ones, and where something is protected, nothing is done."""
        made = _Made(self.forest, data, idle=free is not None or len(data) > LARGEST)
        grown = self.forest.grown(data, free)
        search = checked(partial(descend, made.below), made.texts, grown, counts, strict=self.strict)
        return Stage(made.texts, 1, search, made.cut, proves=False)


class _Made:
    """The texts that are made of one, and of those; what came to nothing on the way to a text is not tried again."""

    def __init__(self, forest: Forest, data: bytes, *, idle: bool) -> None:
        self.texts = Texts(data)
        self._forest, self._idle = forest, idle
        self._below: dict[int, list[int]] = {}
        self._tried: dict[int, frozenset[Pair]] = {0: frozenset()}
        self._pairs: dict[int, Pair] = {}

    def below(self, number: int) -> Iterator[int]:
        """All texts with one name less."""
        if self._idle:
            return
        if number not in self._below:
            self._below[number] = list(self._made(number))
        yield from self._below[number]

    def cut(self, _before: Config, after: Config) -> bytes:
        """What was done to come to a text."""
        return b"\0".join((b"", *self._pairs.get(after.bounds[0], ())))  # as no text that is cut begins

    def _made(self, number: int) -> Iterator[int]:
        tried, text = self._tried[number], self.texts[number]
        grown = Grown(self._forest.language, text, None) if number else self._forest.grown(text, None)
        for name, other, left in standins(grown.pruned):
            if (name, other) not in tried:
                made = self.texts.add(left)
                self._pairs[made] = name, other
                self._tried[made] = tried = tried | {(name, other)}
                yield made
