"""Groups of changes, coarse to fine: what a search does not split yet."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.group_tree import GroupTree
from wynot.domains.changes.patched_folder import PatchedFolder


class GroupedChanges:
    """Deltas: groups of changes, on top of others that are always applied."""

    def __init__(self, domain: PatchedFolder, units: Sequence[Config], beside: Config = Config()) -> None:  # noqa: B008 - frozen
        self.domain, self.units, self.beside = domain, units, beside

    def __len__(self) -> int:
        return len(self.units)

    def changes(self, config: Config) -> Config:
        """The changes of these groups."""
        return Config.of(change for each in config for change in self.units[each])

    def render(self, config: Config) -> Folder:
        """The old folder with these groups."""
        return self.domain.render(self.changes(config) | self.beside)

    def digest(self, candidate: Folder) -> bytes:
        """The key of its outcome."""
        return self.domain.digest(candidate)

    def size(self, candidate: Folder) -> int:
        """How large it is."""
        return self.domain.size(candidate)


def by_age(numbers: Config, ages: Sequence[int]) -> list[Config]:
    """Changes that were made at the same time, the oldest first.

    >>> by_age(Config.of([0, 1, 3]), (7, 2, 9, 7))
    [Config(1), Config(0, 3)]
    """
    found: dict[int, list[int]] = {}
    for number in numbers:
        found.setdefault(ages[number], []).append(number)
    return [Config.of(found[age]) for age in sorted(found)]


# The levels of groups, coarse to fine: what a search does not take apart yet.


FINER = {"commit": 0, "date": 0, "folder": 1, "file": 2, "function": 3, "words": 3, "hunk": 4}
_NAMES = {0: "commits", 1: "folders", 2: "files", 3: "functions", 4: "changes"}
LEAST = 2
"""A level has to have so many times as many groups as the one above."""
MIN_CHANGES_BY_COMMIT = 16
"""Up to this number of changes, single changes take about as few tests as groups by commit."""
MAX_COMMITS_WITHOUT_DATES = 100
"""Up to this number of commits, groups by date save no tests."""


class GroupLevel(NamedTuple):
    """The groups of one level."""

    name: str
    units: Callable[[Config], Sequence[Config]]
    """Groups of these changes."""


def group_levels(groups: GroupTree, numbers: Sequence[int], kept: Config) -> list[GroupLevel]:
    """The levels that are worth a search of their own among these changes; single changes are always the last.

    `numbers`: of the changes that are grouped, what they are called in configurations.
    """
    shape, kinds = groups.shape, groups.kinds
    ranks = [FINER.get(kind, 0) for kind in kinds]
    deepest = max((depth for depth, rank in zip(shape.depths, ranks, strict=True) if rank == 1), default=0)
    ways = [(0, 0)] if 0 in ranks[1:] else []
    ways += [*((1, depth) for depth in range(1, deepest + 1)), (2, 0), (3, 0)]
    levels: list[GroupLevel] = []
    before = 1
    for rank, depth in ways:
        units = partial(_units, groups, ranks, numbers, (rank, depth))
        count = len(units(kept))
        if count >= LEAST * before and count < len(kept):
            levels.append(GroupLevel(_NAMES[rank], units))
            before = count
    return [*levels, GroupLevel(_NAMES[4], singles)]


def history_levels(
    ages: Sequence[int], days: Sequence[str], kept: Config, *, youngest_first: bool, youngest_needed: bool = False
) -> list[GroupLevel]:
    """Groups by date and by commit, in the order of the commits; nothing where few changes or one commit are left.

    A minimiser that cuts from the end then asks first about the trees that commits have left: they seldom are
    unresolved. `youngest_first`: for changes that are taken back, where the same holds for the opposite order.
    `youngest_needed`: the youngest commit comes first, so that no test is spent on leaving it out.

    >>> one = history_levels([n // 4 for n in range(20)], (), Config.full(20), youngest_first=True)
    >>> [level.name for level in one], one[0].units(Config.of([3, 4, 5]))
    (['commits'], [Config(4-5), Config(3)])
    """
    commits = partial(_by_age, ages, youngest_first, youngest_needed)
    count = len(commits(kept)) if ages else 0
    if len(kept) <= MIN_CHANGES_BY_COMMIT or count < 2:
        return []
    levels = [GroupLevel(_NAMES[0], commits)]
    if days and count > MAX_COMMITS_WITHOUT_DATES:
        last: dict[str, int] = {}
        for day, age in zip(days, ages, strict=True):
            last[day] = max(age, last.get(day, 0))
        dates = partial(_by_age, [last[day] for day in days], youngest_first, youngest_needed)
        if 1 < len(dates(kept)) * LEAST <= count:
            levels.insert(0, GroupLevel("dates", dates))
    return levels


def bundles(
    changes: Sequence[Change], ages: Sequence[int], needs: Mapping[int, Config], kept: Config
) -> list[GroupLevel]:
    """Files, connected components (by what needs what) and commits, to be left out as a whole.

    Where each change of a chain is held by the next one, none of them can be left out alone, but all of them can.
    Changes that share nothing with others are one more group.

    >>> level, = bundles([Change(path, path, ChangeKind.HUNK) for path in "aabbc"], (), {}, Config.full(5))
    >>> level.name, level.units(Config.full(5))
    ('files', [Config(0-1), Config(2-3), Config(4)])
    >>> found = [Change(path, path, ChangeKind.HUNK) for path in "abcd"]
    >>> level, = bundles(found, (), {3: Config.of([0])}, Config.full(4))
    >>> level.name, level.units(Config.full(4))
    ('components', [Config(0, 3), Config(1-2)])
    """
    families: list[tuple[str, Callable[[Config], list[Config]]]] = [
        ("files", partial(_by_key, [change.path for change in changes])),
        ("components", partial(_components, needs)),
    ]
    if ages:
        families.append(("commits", partial(_by_key, ages)))
    found = {name: partial(_bundled, units) for name, units in families}
    return [GroupLevel(name, units) for name, units in found.items() if len(units(kept)) > 1]


def _by_key(keys: Sequence[Hashable], kept: Config) -> list[Config]:
    groups: dict[Hashable, list[int]] = {}
    for number in kept:
        groups.setdefault(keys[number], []).append(number)
    return [Config.of(group) for group in groups.values()]


def _components(needs: Mapping[int, Config], kept: Config) -> list[Config]:
    linked: dict[int, set[int]] = {number: set() for number in kept}
    for number in kept:
        for other in needs.get(number, ()):
            if other in linked:
                linked[number].add(other)
                linked[other].add(number)
    found: list[Config] = []
    left = dict.fromkeys(kept)
    while left:
        waiting = [next(iter(left))]
        group: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number not in group:
                group.add(number)
                waiting += linked[number]
        found.append(Config.of(group))
        for number in group:
            del left[number]
    return found


def _bundled(units: Callable[[Config], list[Config]], kept: Config) -> list[Config]:
    """The groups of more than one, and all others together."""
    groups = [group for group in units(kept) if len(group) > 1]
    others = kept - Config.union(groups)
    return [*groups, others] if groups and others else groups


def _by_age(ages: Sequence[int], youngest_first: bool, youngest_needed: bool, kept: Config) -> list[Config]:
    units = by_age(kept, ages)
    if youngest_first:
        return units[::-1]
    return [units[-1], *units[:-1]] if youngest_needed and units else units


def singles(kept: Config) -> list[Config]:
    """Each change by itself."""
    return [Config.of([each]) for each in kept]


def edited_files(changes: Sequence[Change], guilty: Config, most: int) -> list[Config]:
    """All changes to each file that guilty hunks are in; where they are more than so many, or all, there is no point.

    >>> one, two = Change("a", "a", ChangeKind.HUNK), Change("b", "b", ChangeKind.HUNK)
    >>> edited_files([one, two, one], Config.of([0]), 9), edited_files([one, one], Config.of([0]), 9)
    ([Config(0, 2)], [])
    """
    paths = dict.fromkeys(changes[each].path for each in guilty if changes[each].kind is ChangeKind.HUNK)
    inside: dict[str, list[int]] = {path: [] for path in paths}
    for number, change in enumerate(changes):
        if change.path in inside:
            inside[change.path].append(number)
    few = min(most, len(changes) - 1)
    return [Config.of(numbers) for numbers in inside.values() if 1 < len(numbers) <= few]


def _units(
    groups: GroupTree, ranks: Sequence[int], numbers: Sequence[int], least: tuple[int, int], kept: Config
) -> list[Config]:
    """The largest groups that are no coarser than this."""
    found = []
    node = 1 if len(ranks) > 1 else 0
    members = set(kept)
    while node < len(ranks):
        if (ranks[node], groups.shape.depths[node] if ranks[node] == least[0] else 0) >= least:
            unit = Config.of(members.intersection(numbers[each] for each in groups.below(node)))
            if unit:
                found.append(unit)
            node = groups.shape.lasts[node]
        else:
            node += 1
    return found
