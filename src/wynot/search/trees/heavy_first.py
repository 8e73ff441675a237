"""The larger things first: crowds of small ones wait.

Level by level, each parameter of all functions comes before what is in their bodies. Most small things go with
something larger below; so where there are many of them on one level, they are left until all levels have been looked
at. By then less is left, and what is small is smaller.
"""

from __future__ import annotations

from wynot.core.config import Config
from wynot.core.tree_shape import TreeShape
from wynot.core.trial import Strategy
from wynot.search.combinators import in_sequence
from wynot.search.trees.hdd import TreeLevels, hdd

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
