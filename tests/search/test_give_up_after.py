"""A search is given up after so many trials in vain, one after the other."""

from __future__ import annotations

from hypothesis import given

from tests.laws.effort import few
from tests.search.problems import Guilty, Noise, noises
from tests.search.recording import Notebook
from tests.search.test_purity import assert_pure
from wynot.core.config import Config
from wynot.search.combinators import give_up_after
from wynot.search.lists.sweep import singles


@few
@given(noises(largest=9))
def test_a_patient_search_is_pure(test: Noise) -> None:
    assert_pure(lambda: give_up_after(singles(test.full), 2), test)


def test_what_comes_after_so_many_in_vain_is_left() -> None:
    """From the end on: three that can go, three that cannot, and the rest is not looked at."""
    test = Guilty(20, {14, 15, 16})
    notebook = Notebook(test)
    assert notebook.drive(give_up_after(singles(test.full), 3)).failing == Config.full(17)
    assert len(notebook.runs) <= 3 + 3


def test_a_success_gives_new_patience() -> None:
    test = Guilty(20, {3, 5, 7, 9, 11, 13, 15})
    assert Notebook(test).drive(give_up_after(singles(test.full), 4)).failing == Config.of([3, 5, 7, 9, 11, 13, 15])
