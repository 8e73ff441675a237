"""What is known beforehand of which change needs which: outcomes that need no test (section 6 of the 1999 paper)."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wynot.core.config import Config
from wynot.core.folder import parents
from wynot.domains.changes.change import Change, ChangeKind

_AWAY = {ChangeKind.DELETED, ChangeKind.RENAMED}
_HERE = {ChangeKind.ADDED, ChangeKind.RENAMED}
_FOLDER = 0o4


@dataclass(frozen=True)
class StructuralDependencies:
    """Which changes cannot go without which.

    >>> order = StructuralDependencies({}, (1, 2, 2, 3))
    >>> order.closed(Config.of([1])), order.consistent(Config.of([0, 3]))
    (Config(0-2), False)
    """

    direct: Mapping[int, Config]
    """The changes that each change needs at once; those that need none are left out."""
    ages: Sequence[int] = ()
    """Where the order counts: when each change was made. It then implies all earlier ones, and those made with it."""
    _by_age: tuple[list[int], list[int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        order = sorted(range(len(self.ages)), key=self.ages.__getitem__)
        object.__setattr__(self, "_by_age", (order, [self.ages[each] for each in order]))

    def closed(self, config: Config) -> Config:
        """These changes and all that they need."""
        if self.ages and config:
            order, ages = self._by_age
            config |= Config.of(order[: bisect_right(ages, max(self.ages[each] for each in config))])
        waiting = config
        while waiting:
            found = Config.union(self.direct[each] for each in waiting if each in self.direct)
            waiting = found - config
            config |= waiting
        return config

    def consistent(self, config: Config) -> bool:
        """Whether nothing that these changes need is missing."""
        return self.closed(config) == config


def needs(changes: Sequence[Change], ages: Sequence[int] = ()) -> StructuralDependencies:
    """A line of a new file needs the file; what is in a new folder needs the file to go that was there."""
    found: dict[int, set[int]] = defaultdict(set)
    created = {change.path: number for number, change in enumerate(changes) if change.kind is ChangeKind.ADDED}
    turned = {change.path: number for number, change in enumerate(changes) if change.kind is ChangeKind.LINK}
    for number, change in enumerate(changes):
        if change.kind not in _HERE and change.path in created:
            found[number].add(created[change.path])
        if change.kind in _HERE:
            above = (each for part in change.parts for each in parents(part.path))
            found[number].update(turned[each] for each in above if each in turned)
        if change.kind in _AWAY:
            for each in (each for part in change.parts for each in parents(part.old_path)):
                if each in turned and changes[turned[each]].old_mode >> 12 == _FOLDER:
                    found[turned[each]].add(number)
    return StructuralDependencies({number: Config.of(needed) for number, needed in found.items() if needed}, ages)
