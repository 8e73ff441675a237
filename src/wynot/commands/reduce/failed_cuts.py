"""Which cuts were in vain so far.

A cut that did not work will most likely not work after the next success either, at another place of the text, nor with
more cut besides. So the first tiers of passes do not try it again; what proves that nothing more can go comes later and
tries everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from wynot.commands.reduce.passes.basic_passes import PreparedPass
from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.search.combinators import skip_known_failures

SHORT = 32
"""Parts of fewer bytes than a digest has stand for themselves."""


class FailedCuts:
    """A memory of cuts."""

    def __init__(self) -> None:
        self._cuts: set[bytes] = set()
        self._sets: dict[bytes, list[frozenset[bytes]]] = {}
        """Sets of parts, each by one of them."""

    def forget(self) -> None:
        """What was in vain need not be any more."""
        self._cuts.clear()
        self._sets.clear()

    def learn(self, stage: PreparedPass, before: Config, after: Config) -> None:
        """This step was in vain."""
        parts = () if stage.cut is None else stage.cut(before, after)
        if not parts:
            return
        self._cuts.add(_whole(parts))
        if stage.alone:
            alone = _each(parts)
            self._sets.setdefault(min(alone), []).append(alone)

    def sparing(self, stage: PreparedPass) -> PreparedPass:
        """A stage that does not try again what was in vain before it began."""
        if stage.cut is None or not self._cuts:
            return stage
        sets = {part: tuple(known) for part, known in self._sets.items()} if stage.alone else {}
        cut, cuts = stage.cut, frozenset(self._cuts)

        def vain(before: Config, after: Config) -> bool:
            parts = cut(before, after)
            if _whole(parts) in cuts:
                return True
            alone = _each(parts) if sets else frozenset()
            return any(known <= alone for part in alone for known in sets.get(part, ()))

        return stage._replace(search=lambda: skip_known_failures(stage.search(), Config.full(stage.deltas), vain))


def _whole(parts: Sequence[bytes]) -> bytes:
    """What goes, in short."""
    return digest(b"\0".join(parts))


def _each(parts: Sequence[bytes]) -> frozenset[bytes]:
    """Each part that goes, in short."""
    return frozenset(part if len(part) < SHORT else digest(part) for part in parts)
