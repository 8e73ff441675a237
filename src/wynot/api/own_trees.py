"""`wynot.hdd`, `wynot.hdd_plus`, `wynot.hdd_star`: hierarchical delta debugging for Python callers' own trees.

The thesis (chapter 7) asks for a tree and a test object; so does this, by protocols that any class may fit:

- `Branching`: a node has `children`, an iterable of nodes; or the `children` argument gives them.
- `Unparsing`: a tree that can write itself has `unparse(present)`, where `present(node)` says whether a node is kept.
  What it gives is what is tested. It writes a smallest text in the place of a node that may not just be left out, as
  the thesis' trees do.
- `HasTest`: the test is an object with a method `test`, or a callable. It takes what `unparse` gives, or, if the tree
  has no `unparse`, the list of nodes kept, from the root down and from left to right. It gives an Outcome or a bool
  (True = fails).

A node is never kept without its parent, and the root always is. Levels, tags and marks of removal, which the thesis'
trees had to keep, are not the tree's business here: nothing of it is ever changed.

`budget_tests` and `budget_time` (seconds) limit the search: it ends by `BudgetEnded`, whose `best` has the nodes kept
so far. If not even the whole tree fails, `NoFailureError` is raised; that takes one more test only where nothing is
pruned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from operator import attrgetter
from typing import Any, Protocol, TypeVar, runtime_checkable

from wynot.core.config import Config
from wynot.core.outcome import FAIL, Outcome
from wynot.core.tree_shape import shape_of
from wynot.core.trial import Strategy
from wynot.domains.values.scalars import ItemList
from wynot.engine.budget import Budget
from wynot.engine.driver import drive
from wynot.engine.executors.executor import Executor, InlineExecutor, ThreadExecutor
from wynot.engine.session import carrying
from wynot.engine.tester import Tester
from wynot.errors import NoFailureError
from wynot.oracles.python_function import outcome_of
from wynot.search.trees import hdd as search
from wynot.search.trees.hdd import TreeLevels

Node = TypeVar("Node")
Children = Callable[[Node], Iterable[Node]]


class Branching(Protocol):
    """A node that knows what is below it."""

    @property
    def children(self) -> Iterable[Branching]:
        """The nodes just below."""
        ...


@runtime_checkable
class Unparsing(Protocol):
    """A tree that can write itself, with only some of its nodes."""

    def unparse(self, present: Callable[[Any], bool], /) -> Any:
        """What is to be tested: the tree without the nodes that are not present."""
        ...


@runtime_checkable
class HasTest(Protocol):
    """A test object, as the thesis has it."""

    def test(self, case: Any, /) -> Outcome | bool:
        """Whether a test case fails."""
        ...


Test = Callable[[Any], Outcome | bool] | HasTest
"""Says whether a test case fails: a callable, or an object with a method `test`."""


def hdd(
    tree: Node,
    test: Test,
    *,
    children: Children[Node] = attrgetter("children"),
    jobs: int = 1,
    budget_tests: int | None = None,
    budget_time: float | None = None,
) -> list[Node]:
    """Prune a failing tree level by level (2006, algorithm 1).

    >>> nested = ("f", ("g", ("h",)), ("i",))
    >>> kept = hdd(nested, lambda nodes: "h" in [node[0] for node in nodes], children=lambda node: node[1:])
    >>> [node[0] for node in kept]
    ['f', 'g', 'h']
    """
    return _prune(search.hdd, tree, test, children, jobs, Budget(budget_tests, budget_time))


def hdd_plus(
    tree: Node,
    test: Test,
    *,
    children: Children[Node] = attrgetter("children"),
    jobs: int = 1,
    budget_tests: int | None = None,
    budget_time: float | None = None,
) -> list[Node]:
    """HDD, then single nodes until none can go: the result is 1-tree-minimal."""
    return _prune(search.hdd_plus, tree, test, children, jobs, Budget(budget_tests, budget_time))


def hdd_star(
    tree: Node,
    test: Test,
    *,
    children: Children[Node] = attrgetter("children"),
    jobs: int = 1,
    budget_tests: int | None = None,
    budget_time: float | None = None,
) -> list[Node]:
    """HDD until it changes nothing: the result is 1-tree-minimal."""
    return _prune(search.hdd_star, tree, test, children, jobs, Budget(budget_tests, budget_time))


def _prune(
    along: Callable[[TreeLevels, Config], Strategy],
    tree: Node,
    test: Test,
    children: Children[Node],
    jobs: int,
    budget: Budget,
) -> list[Node]:
    nodes, parents = _preorder(tree, children)
    levels = TreeLevels(shape_of(parents, [1] * len(nodes)), bool)  # all but node 0, the root
    domain = ItemList(nodes)

    says = test.test if isinstance(test, HasTest) else test

    def ask(rendered: tuple[Config, list[Node]]) -> Outcome:
        return outcome_of(says(_case(tree, rendered[1])))

    executor: Executor[tuple[Config, list[Node]]] = InlineExecutor(ask) if jobs == 1 else ThreadExecutor(ask, jobs)
    tester = Tester(executor, None, budget)
    best = full = Config.full(len(nodes))

    def keep(config: Config, outcome: Outcome) -> None:
        nonlocal best
        if outcome is FAIL:
            best = config

    with closing(executor), carrying(lambda _status: domain.render(best)[1]):
        found = drive(partial(along, levels, full), domain, tester, keep).failing
        candidate = domain.render(found)
        if found == full and (outcome := tester.test(domain.digest(candidate), candidate, len(full))) is not FAIL:
            raise NoFailureError(
                f"the test does not fail on the whole tree: it says {outcome.value}",
                "see that the test is true for all nodes",
            )
    return candidate[1]


def _case(tree: Node, kept: list[Node]) -> Any:
    """What is tested: what the tree writes, or the nodes that are kept."""
    if not isinstance(tree, Unparsing):
        return kept
    held = set(map(id, kept))
    return tree.unparse(lambda node: id(node) in held)


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
