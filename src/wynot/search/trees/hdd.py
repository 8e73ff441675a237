"""Hierarchical delta debugging: HDD, HDD+ and HDD* (Misherghi & Su 2006, section 3; thesis, chapter 3).

Deltas are the nodes of a tree; a node that is taken away takes all below it. The nodes of one level are minimised
together, from the top level down (algorithm 1). What is gone at one level has no nodes at the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.tree_shape import TreeShape
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial
from wynot.search.combinators import embed, within
from wynot.search.lists.dd import ddmin

Minimise = Callable[[Config], Strategy]
"""A search for a small failing part of a list."""

Wanted = Callable[[int], bool]
"""Says whether a node may be taken away."""


Tidy = Callable[[Config, Config], Config]
"""From a configuration and a part of it to what should be left of the part."""


PATIENCE = 8
"""Levels of a single node before some are left out."""


class TreeLevels:
    """A tree and how its levels are minimised: what does not change during a search."""

    def __init__(
        self,
        shape: TreeShape,
        wanted: Wanted,
        minimise: Minimise = ddmin,
        order: Callable[[list[int]], list[int]] = list,
        tidy: Tidy | None = None,
        nodes: list[list[int]] | None = None,
    ) -> None:
        self.shape, self.wanted, self.minimise, self.order, self.tidy = shape, wanted, minimise, order, tidy
        self._nodes = _by_depth(shape, range(len(shape))) if nodes is None else nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def below(self, node: int, deepest: int | None = None) -> TreeLevels:
        """The same for what is below a node only, down to the `deepest` level."""
        nodes = _by_depth(self.shape, range(node + 1, self.shape.lasts[node]))
        chosen = nodes if deepest is None else nodes[: deepest + 1]
        return TreeLevels(self.shape, self.wanted, self.minimise, self.order, self.tidy, chosen)

    def of(self, nodes: list[list[int]]) -> TreeLevels:
        """The same for these nodes only, level by level."""
        return TreeLevels(self.shape, self.wanted, self.minimise, self.order, self.tidy, nodes)

    def ordered(self, order: Callable[[list[int]], list[int]]) -> TreeLevels:
        """The same in another order."""
        return TreeLevels(self.shape, self.wanted, self.minimise, order, self.tidy, self._nodes)

    def at(self, config: Config, depth: int) -> list[int]:
        """The nodes of one level that are present and may be taken away."""
        return self.order([node for node in config.among(self._nodes[depth]) if self.wanted(node)])

    def children(self, config: Config, parent: int) -> list[int]:
        """The children of a node that are present and may be taken away."""
        return self.order([node for node in config.among(self.shape.children(parent)) if self.wanted(node)])

    def without(self, config: Config, nodes: Sequence[int], kept: Config) -> Config:
        """A configuration less those of these nodes whose ranks are not kept, and less what goes with them."""
        gone: list[int] = []
        for start, end in (Config.full(len(nodes)) - kept).intervals():
            gone += nodes[start:end]
        lasts = self.shape.lasts
        bounds: list[int] = []
        for node in sorted(gone):
            if bounds and bounds[-1] == node:
                bounds[-1] = lasts[node]
            else:
                bounds += (node, lasts[node])
        left = config - Config(tuple(bounds))
        return left if self.tidy is None else self.tidy(config, left)

    def places(self, config: Config) -> Iterator[tuple[int, int]]:
        """Depth and number of each node that may be taken away, breadth first."""
        return ((depth, node) for depth in range(len(self)) for node in self.at(config, depth))


def _by_depth(shape: TreeShape, nodes: range) -> list[list[int]]:
    """Nodes, level by level."""
    depths = shape.depths[nodes.start : nodes.stop]
    found: list[list[int]] = [[] for _ in range(max(depths, default=-1) + 1)]
    for node, depth in zip(nodes, depths, strict=True):
        found[depth].append(node)
    return found


def hdd(levels: TreeLevels, config: Config, *, hasty: bool = False) -> Strategy:
    """Minimise level by level, once from top to bottom (algorithm 1).

    A hasty one leaves out levels of a single node where those above them were single nodes, too, and needed: two
    levels, then four, eight, ... A tree that is nothing but deep takes few tests then.
    """
    return _hdd(levels, config, 0, 0 if hasty else None, None)


def hdd_star(levels: TreeLevels, config: Config) -> Strategy:
    """Repeat HDD until it takes nothing away; the result is 1-tree-minimal (proposition 3.4.7)."""
    return _star(levels, config, None)


def hdd_plus(levels: TreeLevels, config: Config) -> Strategy:
    """HDD, then single nodes, breadth first, until none can be taken away; 1-tree-minimal (ibid.)."""
    return _plus(levels, config, None)


def _hdd(levels: TreeLevels, config: Config, depth: int, single: int | None, inner: Strategy | None) -> Strategy:
    """HDD from one level on; `inner` is a search at that level that has begun already.

    `single` is the number of levels just above that were single nodes; None: it does not matter.
    """
    while depth < len(levels):
        nodes = levels.at(config, depth)
        if nodes:
            inner = inner or emptied(levels.minimise(Config.full(len(nodes))))
            lift = partial(levels.without, config, nodes)
            found = yield from embed(inner, lift, partial(_hdd, levels, config, depth, single))
            config = lift(found.failing)
        if single is not None:
            single = single + 1 if len(nodes) == 1 else 0
        depth, inner = depth + (1 if not single or single < PATIENCE else 2 ** (single - PATIENCE + 1)), None
    return Found(config)


def hdd_parents(levels: TreeLevels, config: Config) -> Strategy:
    """The children of one parent at a time, the largest parent first (the thesis' future work, section 8)."""
    order = sorted(range(len(levels.shape)), key=lambda node: (-levels.shape.weights[node], node))
    return _parents(levels, config, order, 0, None)


def _parents(levels: TreeLevels, config: Config, order: Sequence[int], at: int, inner: Strategy | None) -> Strategy:
    while at < len(order):
        nodes = levels.children(config, order[at]) if order[at] in config else []
        if nodes:
            inner = inner or emptied(levels.minimise(Config.full(len(nodes))))
            lift = partial(levels.without, config, nodes)
            found = yield from embed(inner, lift, partial(_parents, levels, config, order, at))
            config = lift(found.failing)
        at, inner = at + 1, None
    return Found(config)


def emptied(strategy: Strategy) -> Strategy:
    """Where one element is left, try it without that one, too.

    Searches in lists take it for known that nothing at all does not fail. For one level of a tree it is not known.
    """
    found = yield from within(strategy, emptied)
    return (yield from _last(found)) if len(found.failing) == 1 else found


def _last(found: Found) -> Strategy:
    verdict = yield RestartableQuestion(_nothing, partial(_last, found))
    return found if verdict is None else Found(Config())


def _nothing() -> Iterator[Trial]:
    yield Trial(Config(), ONLY_FAIL)


def _star(levels: TreeLevels, config: Config, inner: Strategy | None) -> Strategy:
    while True:
        found = yield from within(inner or hdd(levels, config), partial(_star, levels, config))
        if found.failing == config:
            return found
        config, inner = found.failing, None


def _plus(levels: TreeLevels, config: Config, inner: Strategy | None) -> Strategy:
    found = yield from within(inner or hdd(levels, config), partial(_plus, levels, config))
    return (yield from singly(levels, found.failing))


def singly(levels: TreeLevels, config: Config, after: tuple[int, int] = (-1, -1)) -> Strategy:
    """Take single nodes away, breadth first, round and round, until none can be."""
    while True:
        verdict = yield RestartableQuestion(
            partial(_single, levels, config, after), partial(singly, levels, config, after)
        )
        if verdict is None:
            return Found(config)
        gone = (config - verdict.config).bounds[0]
        config, after = verdict.config, (levels.shape.depths[gone], gone)


def _single(levels: TreeLevels, config: Config, after: tuple[int, int]) -> Iterator[Trial]:
    places = list(levels.places(config))
    ahead = [node for depth, node in places if (depth, node) > after]
    behind = [node for depth, node in places if (depth, node) <= after]
    for node in (*ahead, *behind):
        yield Trial(config - levels.shape.subtree(node), ONLY_FAIL)
