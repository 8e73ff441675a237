"""Users first: an item that is needed is made small at once, before the search goes on to what it uses.

The items of a file are swept from the end to the front, and what uses a thing stands after it. An item that has become
small needs less of what stands before it, so that goes many at a time; as it was, it would have held much of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial
from wynot.search.combinators import within
from wynot.search.lists.sweep import SweepState, begun
from wynot.search.trees.hdd import TreeLevels

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
