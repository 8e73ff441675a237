"""At the end of a search the next one begins early, where that is known: no worker waits for the last test."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from tests.laws.executors import UnrulyBench
from wynot.core.config import Config
from wynot.core.outcome import FAIL, ONLY_FAIL, PASS, Outcome
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial
from wynot.engine.driver import pool
from wynot.engine.lookahead import SpeculativeNode
from wynot.engine.tester import Tester

Text = tuple[str, int]


class Named:
    """Deltas of a domain with a name: a candidate tells whose it is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def render(self, config: Config) -> Text:
        return self.name, len(config)

    def digest(self, candidate: Text) -> bytes:
        return repr(candidate).encode()

    def size(self, candidate: Text) -> int:
        return candidate[1]


def one(config: Config) -> Strategy:
    """A single trial: half of it."""
    verdict = yield RestartableQuestion(partial(_half, config), partial(one, config))
    return Found(config if verdict is None else verdict.config)


def _half(config: Config) -> Iterator[Trial]:
    yield Trial(config.part(0, len(config) // 2), ONLY_FAIL)


def _unkept(_config: Config, _outcome: Outcome) -> None:
    """Nobody keeps it."""


def second(found: Found) -> SpeculativeNode[Text] | None:
    """The next search, from what the first has found."""
    branch = SpeculativeNode.begin(partial(one, found.failing), Named("second"), len(found.failing))
    return branch if isinstance(branch, SpeculativeNode) else None


def always(outcome: Outcome) -> UnrulyBench[Text]:
    """A executor whose tests all end like this."""

    def test(_text: Text) -> Outcome:
        return outcome

    return UnrulyBench(test, jobs=4, seed=1)


@pytest.mark.parametrize(("outcome", "left"), [(PASS, 8), (FAIL, 4)])
def test_the_next_search_begins_while_the_last_test_of_this_one_runs(outcome: Outcome, left: int) -> None:
    executor = always(outcome)
    tester = Tester(executor)
    tester.odds.size = 8
    found = pool(partial(one, Config.full(8)), Named("first"), tester, _unkept, beyond=second)
    assert found.failing == Config.full(left)
    expected = repr(("second", left // 2)).encode()
    assert executor.submitted[0] == repr(("first", 4)).encode()
    assert expected in executor.submitted
    assert tester.counts.needed == 1
    found = pool(partial(one, Config.full(left)), Named("second"), tester, _unkept)
    assert found.failing == Config.full(left if outcome is PASS else left // 2)
    assert executor.submitted.count(expected) == 1, "what was begun early is not begun again"
    assert not tester.running


def test_without_a_next_search_nothing_is_left_running() -> None:
    executor = always(PASS)
    tester = Tester(executor)
    pool(partial(one, Config.full(8)), Named("first"), tester, _unkept)
    assert [key for key in executor.submitted if b"second" in key] == []
    assert not tester.running
