"""Which cuts were in vain so far.

A cut that did not work will most likely not work after the next success either, at another place of the text, nor with
more cut besides. So the first tiers of passes do not try it again; what proves that nothing more can go comes later and
tries everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.trial import Strategy
from wynot.run.passes import Stage
from wynot.search.recall import recalling

LARGE = 1 << 16
"""Cuts of more bytes are not remembered: there are few of them, and what is left of them changes."""


class Vain:
    """A memory of cuts."""

    def __init__(self) -> None:
        self._cuts: set[bytes] = set()
        self._sets: dict[bytes, list[frozenset[bytes]]] = {}
        """Sets of parts, each by one of them."""

    def forget(self) -> None:
        """What was in vain need not be any more."""
        self._cuts.clear()
        self._sets.clear()

    def learn(self, stage: Stage, before: Config, after: Config) -> None:
        """This step was in vain."""
        key = _key(stage, before, after)
        if key is None:
            return
        self._cuts.add(key)
        if parts := _parts(stage, before, after):
            self._sets.setdefault(min(parts), []).append(parts)

    def sparing(self, stage: Stage) -> Stage:
        """A stage that does not try again what was in vain before it began."""
        if stage.cut is None or not self._cuts:
            return stage
        sets = {part: tuple(known) for part, known in self._sets.items()} if stage.parts else {}
        return stage._replace(search=partial(_sparing, stage, frozenset(self._cuts), sets))


def _sparing(stage: Stage, cuts: frozenset[bytes], sets: Mapping[bytes, Sequence[frozenset[bytes]]]) -> Strategy:
    def vain(before: Config, after: Config) -> bool:
        key = _key(stage, before, after)
        if key is None or key in cuts or not sets:
            return key in cuts
        parts = _parts(stage, before, after)
        return any(known <= parts for part in parts for known in sets.get(part, ()))

    return recalling(stage.search(), Config.full(stage.deltas), vain)


def _key(stage: Stage, before: Config, after: Config) -> bytes | None:
    """What goes, in short."""
    cut = b"" if stage.cut is None else stage.cut(before, after)
    return digest(cut) if 0 < len(cut) <= LARGE else None


def _parts(stage: Stage, before: Config, after: Config) -> frozenset[bytes]:
    return frozenset() if stage.parts is None else frozenset(map(digest, stage.parts(before, after)))
