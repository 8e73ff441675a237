"""At the end of a search the next one begins early, where that is known: no worker waits for the last test."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from tests.laws.benches import UnrulyBench
from wynot.core.config import Config
from wynot.core.outcome import FAIL, ONLY_FAIL, PASS, Outcome
from wynot.core.trial import Asked, Found, Strategy, Trial
from wynot.run.ahead import Branch
from wynot.run.drive import pool
from wynot.run.lab import Lab

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
    verdict = yield Asked(partial(_half, config), partial(one, config))
    return Found(config if verdict is None else verdict.config)


def _half(config: Config) -> Iterator[Trial]:
    yield Trial(config.part(0, len(config) // 2), ONLY_FAIL)


def _unkept(_config: Config, _outcome: Outcome) -> None:
    """Nobody keeps it."""


def second(found: Found) -> Branch[Text] | None:
    """The next search, from what the first has found."""
    branch = Branch.begin(partial(one, found.failing), Named("second"), len(found.failing))
    return branch if isinstance(branch, Branch) else None


def always(outcome: Outcome) -> UnrulyBench[Text]:
    """A bench whose tests all end like this."""

    def test(_text: Text) -> Outcome:
        return outcome

    return UnrulyBench(test, jobs=4, seed=1)


@pytest.mark.parametrize(("outcome", "left"), [(PASS, 8), (FAIL, 4)])
def test_the_next_search_begins_while_the_last_test_of_this_one_runs(outcome: Outcome, left: int) -> None:
    bench = always(outcome)
    lab = Lab(bench)
    lab.odds.size = 8
    found = pool(partial(one, Config.full(8)), Named("first"), lab, _unkept, beyond=second)
    assert found.failing == Config.full(left)
    expected = repr(("second", left // 2)).encode()
    assert bench.submitted[0] == repr(("first", 4)).encode()
    assert expected in bench.submitted
    assert lab.counts.needed == 1
    found = pool(partial(one, Config.full(left)), Named("second"), lab, _unkept)
    assert found.failing == Config.full(left if outcome is PASS else left // 2)
    assert bench.submitted.count(expected) == 1, "what was begun early is not begun again"
    assert not lab.running


def test_without_a_next_search_nothing_is_left_running() -> None:
    bench = always(PASS)
    lab = Lab(bench)
    pool(partial(one, Config.full(8)), Named("first"), lab, _unkept)
    assert [key for key in bench.submitted if b"second" in key] == []
    assert not lab.running
