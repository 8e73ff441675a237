"""Hoisting: a node is replaced by something below it (the thesis' future work, section 8).

A loop becomes its body, a sum one of its operands, a block the statements in it. Deltas are nodes, as for HDD: the
node is absent, and what stands in its place is present.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.tree_shape import TreeShape
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial

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
            partial(_trials, shape, config, heirs, turn), partial(_hoist, shape, config, heirs, order, at, once)
        )
        if verdict is None:
            return Found(config)
        gone = (config - verdict.config).bounds[0]
        config, at = verdict.config, order.index(gone)


def _trials(shape: TreeShape, config: Config, heirs: Heirs, turn: Sequence[int]) -> Iterator[Trial]:
    for node in turn:
        if node not in config:
            continue
        for first, last in heirs(node):
            heir = config & Config((first, shape.lasts[last]))
            if heir:
                yield Trial((config - shape.subtree(node)) | heir, ONLY_FAIL)
