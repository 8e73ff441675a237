"""Searches of trees beyond HDD: hoisting, groups, heavy nodes first, users first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.tree_shape import TreeShape
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial
from wynot.search.combinators import embed, in_sequence, within
from wynot.search.lists.sweep import SweepState, begun
from wynot.search.trees.hdd import TreeLevels, emptied, hdd

# Hoisting: a node is replaced by something below it (the thesis' future work, section 8).
#
# A loop becomes its body, a sum one of its operands, a block the statements in it. Deltas are nodes, as for HDD: the
# node is absent, and what stands in its place is present.


Run = tuple[int, int]
"""The first and the last of some siblings."""

Heirs = Callable[[int], Sequence[Run]]
"""What may stand in a node's place, all of it below the node; what is tried first comes first."""


def hoist(shape: TreeShape, config: Config, heirs: Heirs, *, once: bool = False) -> Strategy:
    """Let heirs take the places of their ancestors, the largest ancestors first, until none can; or just `once`."""
    order = sorted(range(len(shape)), key=lambda node: (-shape.weights[node], node))
    return _hoist(shape, config, heirs, order, 0, once)


def _hoist(shape: TreeShape, config: Config, heirs: Heirs, order: Sequence[int], at: int, once: bool) -> Strategy:
    while True:
        turn = order[at:] if once else (*order[at:], *order[:at])
        verdict = yield RestartableQuestion(
            partial(_hoist_trials, shape, config, heirs, turn), partial(_hoist, shape, config, heirs, order, at, once)
        )
        if verdict is None:
            return Found(config)
        gone = (config - verdict.config).bounds[0]
        config, at = verdict.config, order.index(gone)


def _hoist_trials(shape: TreeShape, config: Config, heirs: Heirs, turn: Sequence[int]) -> Iterator[Trial]:
    for node in turn:
        if node not in config:
            continue
        for first, last in heirs(node):
            heir = config & Config((first, shape.lasts[last]))
            if heir:
                yield Trial((config - shape.subtree(node)) | heir, ONLY_FAIL)


# Deltas that belong together, as one: what a group of them needs none of them can go without (1999, section 6).


def minimise_groups(config: Config, bundles: Sequence[Config], minimise: Callable[[Config], Strategy]) -> Strategy:
    """Take away as many bundles as possible; they may overlap."""
    return _together(config, bundles, None, minimise)


def _together(
    config: Config, bundles: Sequence[Config], inner: Strategy | None, minimise: Callable[[Config], Strategy]
) -> Strategy:
    if not bundles:
        return Found(config)
    inner = inner or emptied(minimise(Config.full(len(bundles))))
    lift = partial(_without, config, bundles)
    found = yield from embed(inner, lift, lambda part: _together(config, bundles, part, minimise))
    return Found(lift(found.failing))


def _without(config: Config, bundles: Sequence[Config], kept: Config) -> Config:
    for rank in Config.full(len(bundles)) - kept:
        config -= bundles[rank]
    return config


# The larger things first: crowds of small ones wait.
#
# Level by level, each parameter of all functions comes before what is in their bodies. Most small things go with
# something larger below; so where there are many of them on one level, they are left until all levels have been looked
# at. By then less is left, and what is small is smaller.


SMALL = 1000
"""What is less than one in so many parts of a tree is small..."""
LEAST = 8
"""...if that is not just a few bytes."""
CROWD = 32
"""More small things than this on one level wait."""


def heavy_first(levels: TreeLevels, config: Config, *, hasty: bool = False) -> Strategy:
    """HDD, in such an order; no node is looked at twice for it."""
    return _from(levels, levels.shape.weights[0] // SMALL, hasty, config)


def _from(levels: TreeLevels, least: int, hasty: bool, config: Config) -> Strategy:
    """What has at least so many bytes first."""
    if least < LEAST:
        return hdd(levels, config, hasty=hasty)
    weights, order = levels.shape.weights, levels.order

    def waiting(nodes: list[int]) -> list[int]:
        small = [node for node in nodes if weights[node] < least]
        return small if len(small) > CROWD else []

    def large(nodes: list[int]) -> list[int]:
        return order([node for node in nodes if weights[node] >= least] if waiting(nodes) else nodes)

    def rest(config: Config) -> Strategy:
        nodes = [sorted(waiting(levels.at(config, depth))) for depth in range(len(levels))]
        return _from(levels.of(nodes), min(_left(levels.shape, config) // SMALL, least // 2), hasty, config)

    return in_sequence(hdd(levels.ordered(large), config, hasty=hasty), rest)


def _left(shape: TreeShape, config: Config) -> int:
    """How much a part of a tree holds."""
    left = shape.weights[0]
    for node, end in (Config.full(len(shape)) - config).intervals():
        while node < end:
            left -= shape.weights[node]
            node = shape.lasts[node]  # noqa: PLW2901 - the next one beside it
    return left


# Users first: an item that is needed is made small at once, before the search goes on to what it uses.
#
# The items of a file are swept from the end to the front, and what uses a thing stands after it. An item that has
# become small needs less of what stands before it, so that goes many at a time; as it was, it would have held much of
# it.


Inside = Callable[[Config, int, int], Strategy]
"""A search below a node, given how many items there may be before it."""


class _Items(NamedTuple):
    """What does not change during a search."""

    levels: TreeLevels
    nodes: list[int]
    inside: Inside

    def trial(self, config: Config, state: SweepState) -> Config:
        """What is to be tried."""
        return self.levels.without(config, self.nodes, state.without_chunk())

    def latest(self, state: SweepState) -> int:
        """The node that was found to be needed last."""
        end = state.end % len(state.config)  # a round that is over begins anew
        return self.nodes[next(iter(state.config.part(end, end + 1)))]


def sweep_users_first(
    levels: TreeLevels, config: Config, inside: Inside, members: Sequence[int] | None = None
) -> Strategy:
    """One sweep over the items of a file, or the `members` of one; each that is needed is searched `inside`."""
    items = levels.at(config, 1) if members is None and len(levels) > 1 else []
    nodes = items if members is None else list(members)
    return _inward(_Items(levels, nodes, inside), config, begun(len(nodes), rounds=1), None)


def _inward(items: _Items, config: Config, state: SweepState, inner: Strategy | None) -> Strategy:
    while True:
        if inner is not None:
            found = yield from within(inner, partial(_inward, items, config, state))
            config, inner = found.failing, None
        if not items.nodes or state.over():
            return Found(config)
        verdict = yield RestartableQuestion(
            partial(_trials, items, config, state), partial(_inward, items, config, state, None)
        )
        before = state.found
        if verdict is None:
            *_, last = _until_needed(state)
            state = last.kept()
        else:
            wanted = verdict.config
            state = next(s for s in _until_needed(state) if items.trial(config, s) == wanted).cut()
            config = wanted
        if state.found > before:
            inner = items.inside(config, items.latest(state), state.end % len(state.config))


def _until_needed(state: SweepState) -> Iterator[SweepState]:
    """The states to come as long as nothing can be taken away, until one more item is known to be needed."""
    before = state.found
    while not state.over() and state.found == before:
        yield state
        state = state.kept()


def _trials(items: _Items, config: Config, state: SweepState) -> Iterator[Trial]:
    return (Trial(items.trial(config, ahead), ONLY_FAIL) for ahead in _until_needed(state))
