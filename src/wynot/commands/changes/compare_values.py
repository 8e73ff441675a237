"""Searches among versions of a program: the input is constant, so the values in its messages are compared, too.

Where that gives no answer, as every version prints a value of its own, the search is made once more without them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from wynot.core.run_events import Caution
from wynot.engine.executors.choose import Test
from wynot.engine.results import Cost
from wynot.engine.run_options import Options
from wynot.engine.session import Session
from wynot.oracles.failure.message_values import compares_values, without_values
from wynot.oracles.protocol import COMPARISON, Oracle

WITHOUT_VALUES = "values in the message were not compared: with them there is no answer"
Result = TypeVar("Result")


def with_values_or_without(
    search: Callable[[Oracle | Test, Options], tuple[Result, Session]],
    oracle: Oracle | Test,
    options: Options,
    unanswered: Callable[[Result], int],
) -> tuple[Result, tuple[str, ...]]:
    """Search with the whole message; if that gives no answer, without the values in it, which a note then says.

    `unanswered`: how many suspects a result leaves; 0: it is an answer.
    """
    found, session = search(oracle, options)
    left = unanswered(found)
    if callable(oracle) or not left or not (compares_values(oracle) and session.tester.met(COMPARISON)):
        return found, ()
    options.listener(Caution("no answer if the whole message is compared: searching once more without its values"))
    other, _ = search(without_values(oracle), rest_of(options, session.cost()))
    return (other, (WITHOUT_VALUES,)) if unanswered(other) < left else (found, ())


Amount = TypeVar("Amount", int, float)


def rest_of(options: Options, cost: Cost) -> Options:
    """The options for a second search: what the first has used of the budgets is gone."""
    tests = _rest(options.budget_tests, cost.counts.needed)
    if options.begun is not None:  # the time is counted from then on in any case
        return replace(options, budget_tests=tests)
    return replace(options, budget_tests=tests, budget_time=_rest(options.budget_time, cost.wall))


def _rest(budget: Amount | None, used: Amount) -> Amount | None:
    """What is left of a budget: a little at least, so that whoever gets it can say that it has ended."""
    return None if budget is None else max(budget - used, type(budget)(1))
