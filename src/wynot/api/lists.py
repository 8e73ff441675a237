"""The algorithms for Python callers: lists in, lists out, the test a function.

All of them take the same keyword arguments:

- `jobs`: tests run at once, in threads (the result does not depend on it),
- `split`, `order`: how a configuration is cut, and which subset comes first (wynot.search.lists.dd),
- `monotone`: the failure, once there, does not go away by adding items; outcomes that follow are not tested,
- `consistent`: says of a list of items whether it can be tested at all; if not it is unresolved, without a test,
- `budget_tests`, `budget_time` (seconds): what the search may use. Then it ends by `BudgetEnded`, whose `best` is the
  best result so far, of the type that the function returns: a list that fails (or passes, for `ddmax`), an `Isolation`,
  a list of causes. Where no smaller list has failed yet, it has all items.

If not even all items fail, they raise `NoFailureError`. This takes one more test only where no smaller list fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypedDict, TypeVar, Unpack

from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.core.text import counted
from wynot.core.trial import Found, Strategy
from wynot.domains.values.scalars import ItemList
from wynot.engine.budget import Budget
from wynot.engine.driver import drive
from wynot.engine.executors.executor import Executor, InlineExecutor, ThreadExecutor
from wynot.engine.session import carrying
from wynot.engine.tester import Tester
from wynot.errors import NoFailureError
from wynot.oracles.python_function import outcome_of
from wynot.search.lists import dd as general
from wynot.search.lists.dd import Order, Split, evenly, in_order
from wynot.search.lists.dd import dd1999 as search_1999
from wynot.search.lists.dd import ddplus as search_plus
from wynot.search.lists.sweep import sweep as search_sweep
from wynot.search.prediction import OutcomeKnowledge, predicting

Item = TypeVar("Item")
Test = Callable[[list[Item]], Outcome | bool]
Rendered = tuple[Config, list[Item]]


class Ways(TypedDict, Generic[Item], total=False):
    """How to search; see the module."""

    jobs: int
    split: Split
    order: Order
    monotone: bool
    consistent: Callable[[list[Item]], bool] | None
    budget_tests: int | None
    budget_time: float | None


@dataclass(frozen=True, slots=True)
class Isolation(Generic[Item]):
    """A passing and a failing list of items, and what is in the failing one only."""

    passing: list[Item]
    failing: list[Item]
    difference: list[Item]


def ddmin(items: Sequence[Item], test: Test[Item], **ways: Unpack[Ways[Item]]) -> list[Item]:
    """Simplify: a 1-minimal list of items that still fails (2002, figure 5). All items fail, none passes.

    >>> ddmin(range(1, 9), lambda kept: {1, 7, 8} <= set(kept))
    [1, 7, 8]
    >>> from wynot.errors import BudgetEnded
    >>> try:
    ...     ddmin(range(1, 9), lambda kept: {1, 7, 8} <= set(kept), budget_tests=9)
    ... except BudgetEnded as ended:
    ...     print(ended.best)
    [1, 2, 7, 8]
    """
    return _Search(items, test, ways).minimise(general.ddmin)


def dd(items: Sequence[Item], test: Test[Item], **ways: Unpack[Ways[Item]]) -> Isolation[Item]:
    """Isolate: a passing and a failing list with a 1-minimal difference (2002, figure 15).

    >>> found = dd(range(1, 9), lambda kept: {1, 7, 8} <= set(kept))
    >>> found.difference, found.failing
    ([8], [1, 2, 3, 4, 5, 6, 7, 8])
    """
    return _Search(items, test, ways).isolate(general.dd)


def ddmax(items: Sequence[Item], test: Test[Item], **ways: Unpack[Ways[Item]]) -> list[Item]:
    """Maximise: a list of items that passes, and to which none can be added (2002, footnote 15).

    >>> ddmax(range(1, 9), lambda kept: {1, 7, 8} <= set(kept))
    [2, 3, 4, 5, 6, 7, 8]
    """
    return _Search(items, test, ways).maximise(general.ddmax)


def dd1999(items: Sequence[Item], test: Test[Item], **ways: Unpack[Ways[Item]]) -> list[Item]:
    """Find failure-inducing changes that are monotone, unambiguous and consistent (1999, algorithm 11).

    >>> dd1999(range(1, 9), lambda kept: {3, 6} <= set(kept))
    [3, 6]
    """
    return _Search(items, test, ways).minimise(search_1999)


def ddplus(items: Sequence[Item], test: Test[Item], **ways: Unpack[Ways[Item]]) -> list[Item]:
    """Find failure-inducing changes although tests may be unresolved (1999, algorithm 12).

    >>> def test(kept):
    ...     if 0 < len({2, 3, 7} & set(kept)) < 3:
    ...         return Outcome.UNRESOLVED
    ...     return 8 in kept
    >>> ddplus(range(1, 9), test)
    [8]
    """
    return _Search(items, test, ways).minimise(search_plus)


def sweep(
    items: Sequence[Item],
    test: Test[Item],
    *,
    jobs: int = 1,
    consistent: Callable[[list[Item]], bool] | None = None,
    budget_tests: int | None = None,
    budget_time: float | None = None,
) -> list[Item]:
    """Simplify with close to the least number of tests; the result is 1-minimal, as ddmin's.

    >>> sweep(range(1000), lambda kept: {3, 500, 998} <= set(kept))
    [3, 500, 998]
    """
    ways = Ways[Item](jobs=jobs, consistent=consistent, budget_tests=budget_tests, budget_time=budget_time)
    return _Search(items, test, ways).minimise(lambda config, **_: search_sweep(config))


def causes(
    items: Sequence[Item], test: Test[Item], limit: int | None = None, **ways: Unpack[Ways[Item]]
) -> list[list[Item]]:
    """Find independent causes in turn: a found one is taken away and the rest searched, while it fails.

    >>> causes(range(31), lambda kept: 11 in kept or 4 in kept)
    [[4], [11]]
    """
    return _Search(items, test, ways).in_turn(general.ddmin, limit)


class _Search(Generic[Item]):
    """One call: the items, the test, and how to search."""

    def __init__(self, items: Sequence[Item], test: Test[Item], ways: Ways[Item]) -> None:
        if unknown := sorted(ways.keys() - Ways.__annotations__.keys()):
            known = ", ".join(sorted(Ways.__annotations__))
            raise TypeError(f"unexpected keyword argument {unknown[0]!r}: choose from {known}")
        self.domain = ItemList(items)
        self.ways = ways
        self.all = Config.full(len(items))
        jobs = ways.get("jobs", 1)

        def ask(rendered: Rendered[Item]) -> Outcome:
            return outcome_of(test(rendered[1]))

        executor: Executor[Rendered[Item]] = InlineExecutor(ask) if jobs == 1 else ThreadExecutor(ask, jobs)
        self.tester = Tester(executor, None, Budget(ways.get("budget_tests"), ways.get("budget_time")))
        self.passing, self.failing = Config(), self.all
        """The best ends so far."""

    def minimise(self, search: Callable[..., Strategy]) -> list[Item]:
        with closing(self.tester.executor), carrying(lambda _status: self._items(self.failing)):
            found = self._run(search, self.all).failing
            self._check_failing(found)
            return self._items(found)

    def isolate(self, search: Callable[..., Strategy]) -> Isolation[Item]:
        with closing(self.tester.executor), carrying(lambda _status: self._isolation()):
            found = self._run(search, Config(), self.all)
            self.passing, self.failing = found.passing, found.failing
            self._check_failing(found.failing)
        return self._isolation()

    def maximise(self, search: Callable[..., Strategy]) -> list[Item]:
        with carrying(lambda _status: self._items(self.passing)):
            return self.isolate(search).passing

    def in_turn(self, search: Callable[..., Strategy], limit: int | None) -> list[list[Item]]:
        rest, found = self.all, list[list[Item]]()
        under_way = True

        def so_far(_status: str) -> list[list[Item]]:
            return [*found, self._items(self.failing)] if under_way else found

        with closing(self.tester.executor), carrying(so_far):
            while rest and (limit is None or len(found) < limit):
                if found and self._outcome(rest) is not FAIL:
                    break
                self.failing, under_way = rest, True
                one = self._run(search, rest).failing
                self._check_failing(one)
                found.append(self._items(one))
                rest, under_way = rest - one, False
        return found

    def _isolation(self) -> Isolation[Item]:
        return Isolation(*map(self._items, (self.passing, self.failing, self.failing - self.passing)))

    def _check_failing(self, found: Config) -> None:
        """See that all items fail, where a search has seen nothing smaller fail: it takes that for granted."""
        if found == self.all and (outcome := self._outcome(found)) is not FAIL:
            raise NoFailureError(
                f"the test does not fail on all {counted(len(found), 'item')}: it says {outcome.value}",
                "see that test(items) is true for the whole list",
            )

    def _outcome(self, config: Config) -> Outcome:
        candidate = self.domain.render(config)
        return self.tester.test(self.domain.digest(candidate), candidate, len(config))

    def _run(self, search: Callable[..., Strategy], *ends: Config) -> Found:
        start = partial(self._strategy, search, *ends)
        return drive(start, self.domain, self.tester, self._keep)

    def _keep(self, config: Config, outcome: Outcome) -> None:
        """The search goes on with these items."""
        if outcome is FAIL and len(config) < len(self.failing):
            self.failing = config
        elif outcome is PASS and len(config) > len(self.passing):
            self.passing = config

    def _strategy(self, search: Callable[..., Strategy], *ends: Config) -> Strategy:
        ways = self.ways
        strategy = search(*ends, split=ways.get("split", evenly), order=ways.get("order", in_order))
        consistent, monotone = ways.get("consistent"), ways.get("monotone", False)
        if consistent is None and not monotone:
            return strategy
        judge = None if consistent is None else lambda config: consistent(self._items(config))
        return predicting(strategy, OutcomeKnowledge(monotone, judge))

    def _items(self, config: Config) -> list[Item]:
        return self.domain.render(config)[1]
