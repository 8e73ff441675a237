"""The sweep's own promises; its bounds on random tests are with the others' (test_bounds)."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wynot
from tests.laws.effort import few
from tests.search.problems import Guilty
from tests.search.recording import Calls, Notebook, drive
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.search.lists.dd import ddmin
from wynot.search.lists.sweep import nibble, settle, singles, skim, sweep


def cost(size: int, guilty: Iterable[int]) -> int:
    """The runs it takes to find just these."""
    test = Guilty(size, guilty)
    found, runs = drive(sweep(test.full), test)
    assert frozenset(found.failing) == test.guilty
    return runs


@few
@given(st.sets(st.integers(0, 999), min_size=3, max_size=3))
def test_three_of_a_thousand(guilty: set[int]) -> None:
    """Group testing needs m log2(n/m) + m = 28 runs on average; 53 is what this one never exceeds."""
    assert cost(1000, guilty) <= 53


@pytest.mark.parametrize("guilty", [(384, 740, 999), (291, 735, 999), (447, 727, 998), (0, 1, 2), (997, 998, 999)])
def test_hard_cases_of_three_of_a_thousand(guilty: tuple[int, int, int]) -> None:
    """Found by climbing towards many runs."""
    assert cost(1000, guilty) <= 53


@pytest.mark.parametrize("count", [1, 2, 5, 10, 30, 100])
def test_close_to_the_least_there_is(count: int) -> None:
    """On average within m log2(n/m) + m, what Hwang's method needs, plus m to prove minimality, and a quarter."""
    size, seeds = 1000, range(20)
    mean = sum(cost(size, Random(seed).sample(range(size), count)) for seed in seeds) / len(seeds)
    assert mean <= 1.25 * (count * log2(size / count) + 2 * count)


def test_fewer_runs_than_ddmin() -> None:
    """The reason it is there."""
    for seed in range(20):
        test = Guilty(300, Random(seed).sample(range(300), 8))
        assert drive(sweep(test.full), test)[1] < drive(ddmin(test.full), test)[1]


def test_users_behind_what_they_use() -> None:
    """Each line needs the one before: only from the end to the front can anything be taken away, and it is."""

    def outcome(kept: list[int]) -> Outcome:
        if kept != list(range(len(kept))):
            return UNRESOLVED
        return FAIL if len(kept) > 2 else PASS

    test = Calls(outcome)
    assert wynot.sweep(range(200), test) == [0, 1, 2]
    assert len(test) <= 30


@few
@given(st.integers(1, 40), st.integers(1, 40))
def test_never_asks_for_everything_or_nothing(size: int, least: int) -> None:
    """Both ends are known before the search begins."""
    least = min(size, least)
    notebook = Notebook(lambda config: FAIL if len(config) >= least else PASS)
    found = notebook.drive(sweep(Guilty(size, ()).full))
    assert len(found.failing) == least
    assert all(0 < len(config) < size for config in notebook.runs)


@few
@given(st.integers(2, 60), st.data())
def test_the_last_needed_ones_are_settled_and_no_more(size: int, data: st.DataObject) -> None:
    """Everything at once comes first; what stands before the last needed ones is left as it is."""
    guilty = data.draw(st.sets(st.integers(0, size - 1), min_size=2))
    most = data.draw(st.integers(1, len(guilty)))
    notebook = Notebook(lambda config: FAIL if all(each in config for each in guilty) else PASS)
    found = notebook.drive(settle(most, Config.full(size)))
    assert notebook.runs[0] == Config()
    last = sorted(guilty)[-most:]
    assert [each for each in found.failing if each >= last[0]] == last


@few
@given(st.sets(st.integers(0, 29), min_size=1))
def test_singles_are_tried_about_once_each(guilty: set[int]) -> None:
    test = Guilty(30, guilty)
    found, runs = drive(singles(test.full), test)
    assert frozenset(found.failing) == guilty
    assert runs <= 45, "after a success the next two are tried together"


def test_a_nibble_never_tries_to_do_without_all_that_is_left() -> None:
    """Where most is needed, that would be a test in vain after the first, second, fourth, eighth of them."""
    test = Guilty(40, set(range(40)) - {7, 30})
    bold, timid = Notebook(test), Notebook(test)
    assert bold.drive(skim(test.full)) == timid.drive(nibble(test.full))
    assert [run for run in bold.runs if len(run) < 20]
    assert not [run for run in timid.runs if len(run) < 20]
    assert (len(bold.runs), len(timid.runs)) == (54, 48)
