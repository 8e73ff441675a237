"""CDD and ProbDD: whatever tests do, the result is 1-minimal; and single needed deltas are found at a modest cost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given

from tests.laws.effort import few
from tests.search.problems import Guilty, Noise, noises
from tests.search.recording import Notebook
from wynot.core.config import Config
from wynot.core.outcome import FAIL
from wynot.core.trial import Strategy
from wynot.search.lists.published import ProbabilityState, cdd, lengths, probdd

BOTH = pytest.mark.parametrize("search", [cdd, probdd])


@BOTH
@few
@given(noises(largest=9))
def test_the_result_is_1_minimal(search: Callable[[Config], Strategy], test: Noise) -> None:
    found = Notebook(test).drive(search(test.full)).failing
    assert test(found) is FAIL
    assert all(test(found - Config.of([each])) is not FAIL for each in found)


@BOTH
def test_what_is_needed_is_found(search: Callable[[Config], Strategy]) -> None:
    test = Guilty(200, {7, 90, 91, 150})
    notebook = Notebook(test)
    assert notebook.drive(search(test.full)).failing == Config.of([7, 90, 91, 150])
    assert len(notebook.runs) <= 80


def test_the_rule_of_bayes() -> None:
    """Two deltas at one half: if not both can go, each is needed with a probability of two thirds."""
    state = ProbabilityState(Config.full(2), (0.5, 0.5))
    assert state.kept([0, 1]).chances == pytest.approx((2 / 3, 2 / 3))
    assert state.kept([1]).chances == (0.5, 1.0)
    assert ProbabilityState(Config.full(20), (0.1,) * 20).chosen() == list(range(19, 10, -1)), "nine promise most"


def test_chunks_become_shorter() -> None:
    assert list(lengths(0.01))[:3] == [99, 63, 40]
