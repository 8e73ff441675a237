"""What is known of which deltas need which others: supposed at first, learnt from tests on the way. A value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from wynot.core.config import Config


@dataclass(frozen=True)
class Dependencies:
    """For each delta those it needs.

    >>> lore = Dependencies({1: Config.of([0]), 2: Config.of([1])})
    >>> lore.closed(Config.of([2])), lore.dropping(Config.full(4), Config.of([1]))
    (Config(0-2), Config(0, 3))
    >>> lore.learnt(Config.of([3]), Config.of([2])).closed(Config.of([3]))
    Config(0-3)
    """

    needs: Mapping[int, Config] = field(default_factory=dict)

    def closed(self, config: Config) -> Config:
        """With all that is needed."""
        members = set(config)
        waiting = [each for each in members if each in self.needs]
        while waiting:
            for needed in self.needs[waiting.pop()]:
                if needed not in members:
                    members.add(needed)
                    if needed in self.needs:
                        waiting.append(needed)
        return Config.of(members)

    @cached_property
    def _needing(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for delta, needed in self.needs.items():
            for each in needed:
                found.setdefault(each, []).append(delta)
        return found

    def dropping(self, config: Config, gone: Config) -> Config:
        """Without these, and without those that need them."""
        members, waiting = set(config) - set(gone), list(gone)
        while waiting:
            for each in self._needing.get(waiting.pop(), ()):
                if each in members:
                    members.discard(each)
                    waiting.append(each)
        return Config.of(members)

    def learnt(self, these: Config, needed: Config) -> Dependencies:
        """These have turned out to need those."""
        more = {each: self.needs.get(each, Config()) | (needed - Config.of([each])) for each in these}
        return Dependencies({**self.needs, **more}) if more else self
