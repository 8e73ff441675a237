"""Automated delta debugging (Zeller 1999, algorithm 11): divide and conquer, with interference.

Meant for configurations that are monotone, unambiguous and consistent; there it finds a minimal failure-inducing set
in at most 2|c| - 2 tests, 2 m log2 |c| for m guilty changes (propositions 16, 17, 19).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial
from wynot.search.lists.split import Order, Split, evenly, in_order

Task = tuple[Config, Config]
"""A call dd2(c, r): search c while r remains applied."""


def dd1999(config: Config, *, split: Split = evenly, order: Order = in_order) -> Strategy:
    """Find the failure-inducing changes in `config`."""
    return _search(((config, Config()),), Config(), split, order)


def _search(tasks: tuple[Task, ...], found: Config, split: Split, order: Order) -> Strategy:
    """The recursion of the paper with its calls kept in `tasks`, the next one first."""
    while tasks:
        (config, remain), later = tasks[0], tasks[1:]
        if len(config) <= 1:
            found, tasks = found | config, later
            continue
        halves = list(split(config, 2))
        verdict = yield RestartableQuestion(
            partial(_trials, order(halves), remain), partial(_search, tasks, found, split, order)
        )
        if verdict is not None:
            tasks = ((verdict.config - remain, remain), *later)
        else:
            one, two = halves  # interference: search both, the other half remaining applied
            tasks = ((one, two | remain), (two, one | remain), *later)
    return Found(found)


def _trials(halves: Sequence[Config], remain: Config) -> Iterator[Trial]:
    for half in halves:
        yield Trial(half | remain, ONLY_FAIL)
