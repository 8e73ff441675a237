"""The levels of groups, coarse to fine: what a search does not take apart yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.config import Config
from wynot.domains.changes.change import Change, Kind
from wynot.domains.changes.groups import Groups

FINER = {"commit": 0, "date": 0, "folder": 1, "file": 2, "function": 3, "words": 3, "hunk": 4}
_NAMES = {0: "commits", 1: "folders", 2: "files", 3: "functions", 4: "changes"}
LEAST = 2
"""A level has to have so many times as many groups as the one above."""


class GroupLevel(NamedTuple):
    """The groups of one level."""

    name: str
    units: Callable[[Config], Sequence[Config]]
    """Groups of these changes."""


def group_levels(groups: Groups, numbers: Sequence[int], kept: Config) -> list[GroupLevel]:
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


def singles(kept: Config) -> list[Config]:
    """Each change by itself."""
    return [Config.of([each]) for each in kept]


def edited_files(changes: Sequence[Change], guilty: Config, most: int) -> list[Config]:
    """All changes to each file that guilty hunks are in; where they are more than so many, or all, there is no point.

    >>> one, two = Change("a", "a", Kind.HUNK), Change("b", "b", Kind.HUNK)
    >>> edited_files([one, two, one], Config.of([0]), 9), edited_files([one, one], Config.of([0]), 9)
    ([Config(0, 2)], [])
    """
    paths = dict.fromkeys(changes[each].path for each in guilty if changes[each].kind is Kind.HUNK)
    inside: dict[str, list[int]] = {path: [] for path in paths}
    for number, change in enumerate(changes):
        if change.path in inside:
            inside[change.path].append(number)
    few = min(most, len(changes) - 1)
    return [Config.of(numbers) for numbers in inside.values() if 1 < len(numbers) <= few]


def _units(
    groups: Groups, ranks: Sequence[int], numbers: Sequence[int], least: tuple[int, int], kept: Config
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
