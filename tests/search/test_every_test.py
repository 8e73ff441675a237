"""Not random tests but all of them: for a handful of deltas, every way in which outcomes can fall out.

Strategies are pure, so an adversary can answer one way, see what is asked next, and come back to answer otherwise.
Each path through that tree stands for all tests that agree with it, so what holds at every leaf holds for every test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.search.problems import isolating, maximising, quadratic
from tests.search.recording import Notebook
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.trial import Found, Strategy
from wynot.search.lists.dd import dd1999, ddmin, ddplus
from wynot.search.lists.sweep import sweep

Known = dict[tuple[int, ...], Outcome]
Search = Callable[[Config], Strategy]


class Unknown(Exception):  # noqa: N818 - a turn in the road
    """The search asks for what the adversary has not decided yet."""


def _undecided(config: Config) -> Outcome:
    raise Unknown(config)


def leaves(search: Search, size: int, outcomes: tuple[Outcome, ...]) -> Iterator[tuple[Found, Known, int]]:
    """Every end a search can come to: what it found, what it knew by then, and after how many runs."""
    axioms: Known = {Config().bounds: PASS, Config.full(size).bounds: FAIL}
    waiting = [axioms]
    while waiting:
        known = waiting.pop()
        try:
            found = Notebook(_undecided, known).drive(search(Config.full(size)))
        except Unknown as turn:
            [config] = turn.args
            waiting += ({**known, config.bounds: outcome} for outcome in outcomes)
        else:
            yield found, known, len(known) - len(axioms)


def _ones(config: Config) -> Iterator[Config]:
    return (Config.of([index]) for index in config)


@pytest.mark.parametrize(
    ("search", "size", "most"),
    [(ddmin, size, most) for size, most in enumerate([0, 2, 6, 12, 19, 28], 1)]
    + [(sweep, size, most) for size, most in enumerate([0, 2, 5, 10, 15, 23], 1)],
)
def test_minimisers_prove_1_minimality(search: Search, size: int, most: int) -> None:
    """The result is known to fail, and every single removal is *known* not to; the worst case is this and no more."""
    worst = 0
    for found, known, runs in leaves(search, size, (FAIL, UNRESOLVED)):
        assert known[found.failing.bounds] is FAIL
        assert all(known[(found.failing - one).bounds] is not FAIL for one in _ones(found.failing))
        worst = max(worst, runs)
    assert worst <= most <= quadratic(size)


@pytest.mark.parametrize(("size", "most"), [*enumerate([0, 2, 6, 12, 19], 1)])
def test_dd_proves_1_minimality(size: int, most: int) -> None:
    """Nothing between the two sides is resolved, and that is known."""
    worst = 0
    for found, known, runs in leaves(isolating, size, (FAIL, PASS, UNRESOLVED)):
        assert known[found.passing.bounds] is PASS
        assert known[found.failing.bounds] is FAIL
        if len(found.difference) > 1:
            for one in _ones(found.difference):
                assert known[(found.passing | one).bounds] is UNRESOLVED
                assert known[(found.failing - one).bounds] is UNRESOLVED
        worst = max(worst, runs)
    assert worst <= most <= quadratic(size)


@pytest.mark.parametrize(("size", "most"), [*enumerate([0, 2, 6, 12, 19, 28], 1)])
def test_ddmax_proves_that_nothing_can_be_added(size: int, most: int) -> None:
    worst = 0
    for found, known, runs in leaves(maximising, size, (PASS, UNRESOLVED)):
        assert known[found.passing.bounds] is PASS
        assert all(known[(found.passing | one).bounds] is not PASS for one in _ones(found.difference))
        worst = max(worst, runs)
    assert worst <= most <= quadratic(size)


@pytest.mark.parametrize("size", range(1, 7))
def test_dd1999_takes_no_more_than_2n_minus_2(size: int) -> None:
    """Proposition 17; and the bound is reached."""
    assert max(runs for _, _, runs in leaves(dd1999, size, (FAIL, PASS))) == 2 * size - 2


@pytest.mark.parametrize("size", range(1, 5))
def test_ddplus_takes_no_more_than_its_bound(size: int) -> None:
    worst = max(runs for _, _, runs in leaves(ddplus, size, (FAIL, PASS, UNRESOLVED)))
    assert worst <= min(size * (size - 1), 2 * (size - 1) ** 2)
