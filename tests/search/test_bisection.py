"""Binary search along an order: what it finds, and what that costs."""

from __future__ import annotations

from math import ceil, log2

from hypothesis import given
from hypothesis import strategies as st

from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.trial import Found, Verdict
from wynot.search.lists.bisection import bisection


def searched(size: int, first: int, broken: frozenset[int] = frozenset()) -> tuple[Found, list[int]]:
    """What is found if it fails from the `first` on; the states that were tested, in order."""
    tested: dict[int, Outcome] = {}
    strategy = bisection(size)
    try:
        question = next(strategy)
        while True:
            answer = None
            for trial in question:
                place = len(trial.config)
                assert trial.config == Config.full(place)
                outcome = UNRESOLVED if place in broken else FAIL if place >= first else PASS
                tested.setdefault(place, outcome)
                if outcome in trial.wanted:
                    answer = Verdict(trial, outcome)
                    break
            question = strategy.send(answer)
    except StopIteration as done:
        return done.value, list(tested)


@given(st.integers(1, 600), st.data())
def test_log2_tests_give_the_first_that_fails(size: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, size))
    found, tested = searched(size, first)
    assert (len(found.failing), len(found.passing), found.minimal) == (first, first - 1, True)
    assert len(tested) <= ceil(log2(size))


@given(st.integers(1, 80), st.data())
def test_what_cannot_be_tested_is_skipped(size: int, data: st.DataObject) -> None:
    """The guilty one is always among those that are left, and all others of these are unresolved."""
    first = data.draw(st.integers(1, size))
    broken = data.draw(st.frozensets(st.integers(1, size - 1) if size > 1 else st.nothing()))
    found, _ = searched(size, first, broken)
    low, high = len(found.passing), len(found.failing)
    assert low < first <= high
    assert broken.issuperset(range(low + 1, high))
    assert found.minimal == (high - low == 1)


def test_a_row_of_broken_states_is_jumped_over() -> None:
    """100 of 500 are broken, right in the middle: their edges are not found one by one."""
    found, tested = searched(500, 420, frozenset(range(200, 300)))
    assert len(found.failing) == 420
    assert len(tested) <= 12
