"""`wynot.hdd`, `wynot.hdd_plus`, `wynot.hdd_star`: hierarchical delta debugging for Python callers' own trees.

A tree is any object whose `children` are an iterable of such objects (or whatever the `children` argument gives for a
node). A test takes the list of nodes kept, from the root down and from left to right; it gives an Outcome or a bool
(True = fails). A node is never kept without its parent, and the root always is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from operator import attrgetter
from typing import TypeVar

from wynot.core.config import Config
from wynot.core.outcome import Outcome
from wynot.core.shape import shape_of
from wynot.core.trial import Strategy
from wynot.domains.items import Items
from wynot.oracles.function import outcome_of
from wynot.run.bench import Bench, InlineBench, ThreadBench
from wynot.run.drive import drive
from wynot.run.lab import Lab
from wynot.search import hdd as search
from wynot.search.hdd import Levels

Node = TypeVar("Node")
Test = Callable[[list[Node]], Outcome | bool]
Children = Callable[[Node], Iterable[Node]]


def hdd(
    tree: Node, test: Test[Node], *, children: Children[Node] = attrgetter("children"), jobs: int = 1
) -> list[Node]:
    """Prune a failing tree level by level (2006, algorithm 1).

    >>> nested = ("f", ("g", ("h",)), ("i",))
    >>> kept = hdd(nested, lambda nodes: "h" in [node[0] for node in nodes], children=lambda node: node[1:])
    >>> [node[0] for node in kept]
    ['f', 'g', 'h']
    """
    return _prune(search.hdd, tree, test, children, jobs)


def hdd_plus(
    tree: Node, test: Test[Node], *, children: Children[Node] = attrgetter("children"), jobs: int = 1
) -> list[Node]:
    """HDD, then single nodes until none can go: the result is 1-tree-minimal."""
    return _prune(search.hdd_plus, tree, test, children, jobs)


def hdd_star(
    tree: Node, test: Test[Node], *, children: Children[Node] = attrgetter("children"), jobs: int = 1
) -> list[Node]:
    """HDD until it changes nothing: the result is 1-tree-minimal."""
    return _prune(search.hdd_star, tree, test, children, jobs)


def _prune(
    along: Callable[[Levels, Config], Strategy], tree: Node, test: Test[Node], children: Children[Node], jobs: int
) -> list[Node]:
    nodes, parents = _preorder(tree, children)
    levels = Levels(shape_of(parents, [1] * len(nodes)), bool)  # all but node 0, the root
    domain = Items(nodes)

    def ask(rendered: tuple[Config, list[Node]]) -> Outcome:
        return outcome_of(test(rendered[1]))

    bench: Bench[tuple[Config, list[Node]]] = InlineBench(ask) if jobs == 1 else ThreadBench(ask, jobs)
    lab = Lab(bench)
    with closing(bench):
        found = drive(partial(along, levels, Config.full(len(nodes))), domain, lab, lambda _config, _outcome: None)
    return domain.render(found.failing)[1]


def _preorder(tree: Node, children: Children[Node]) -> tuple[list[Node], list[int]]:
    nodes: list[Node] = []
    parents: list[int] = []
    waiting = [(tree, -1)]
    while waiting:
        node, parent = waiting.pop()
        nodes.append(node)
        parents.append(parent)
        here = len(nodes) - 1
        waiting.extend((child, here) for child in reversed(list(children(node))))
    return nodes, parents
