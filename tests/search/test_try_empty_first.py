"""Searches for clean-ups: everything at once first; and from one text to a simpler one."""

from __future__ import annotations

from collections.abc import Iterator

from tests.search.recording import Notebook, drive
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.search.combinators import try_empty_first
from wynot.search.lists.bisection import greedy_descent
from wynot.search.lists.sweep import sweep


def test_one_test_settles_all() -> None:
    found, runs = drive(try_empty_first(sweep, Config.full(1000)), lambda _: FAIL)
    assert (found.failing, runs) == (Config(), 1)


def test_else_it_is_searched() -> None:
    needed = Config.of([3, 700])
    found, runs = drive(try_empty_first(sweep, Config.full(1000)), lambda config: FAIL if needed <= config else PASS)
    assert found.failing == needed
    assert runs < 60


def test_it_can_be_asked_again() -> None:
    strategy = try_empty_first(sweep, Config.full(4))
    question = next(strategy)
    again = getattr(question, "again")()  # noqa: B009 - a question need not have it
    assert [trial.config for trial in next(again)] == [trial.config for trial in question] == [Config()]


def _divisors(number: int) -> Iterator[int]:
    return (divisor for divisor in range(1, number) if number % divisor == 0)


def test_descending_takes_the_first_that_fails_until_none_does() -> None:
    def test(config: Config) -> Outcome:
        return FAIL if config.bounds[0] % 6 == 0 else PASS

    notebook = Notebook(test)
    found = notebook.drive(greedy_descent(_divisors, 360))
    assert found.failing == Config.of([6])
    assert [config.bounds[0] for config in notebook.steps] == [1, 2, 3, 4, 5, 6, 1, 2, 3]


def test_where_nothing_is_below_it_ends_at_once() -> None:
    found, runs = drive(greedy_descent(lambda _: iter(())), lambda _: FAIL)
    assert (found.failing, runs) == (Config.of([0]), 0)
