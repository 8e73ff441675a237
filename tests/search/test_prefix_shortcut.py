"""A search with one delta more, which is tried to do without whenever half of the rest is gone."""

from __future__ import annotations

from hypothesis import given

from tests.laws.effort import few
from tests.search.problems import Guilty, Noise, noises
from tests.search.recording import Notebook
from tests.search.test_purity import assert_pure
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.search.combinators import with_prefix_shortcut
from wynot.search.lists.sweep import sweep


@few
@given(noises(largest=9))
def test_it_is_pure(test: Noise) -> None:
    deltas = len(test.full) - 1
    assert_pure(lambda: with_prefix_shortcut(sweep(Config.full(deltas)), deltas, len), test)


def test_without_the_one_it_ends_at_once() -> None:
    """64 and one; the one is needed as long as there are 20 others."""

    def test(config: Config) -> Outcome:
        return FAIL if 3 in config and (64 in config or len(config) < 20) else PASS

    notebook = Notebook(test)
    found = notebook.drive(with_prefix_shortcut(sweep(Config.full(64)), 64, len)).failing
    assert 3 in found
    assert 64 not in found
    assert len(found) == 16
    assert [64 in config for config in notebook.runs] == [True, False, True, False]


def test_else_it_goes_on_as_if_nobody_had_asked() -> None:
    test = Guilty(65, {3, 5, 40, 64})
    alone, aside = Notebook(Guilty(64, {3, 5, 40})), Notebook(test)
    assert aside.drive(with_prefix_shortcut(sweep(Config.full(64)), 64, len)).failing == Config.of([3, 5, 40, 64])
    alone.drive(sweep(Config.full(64)))
    assert [config - Config.of([64]) for config in aside.steps if 64 in config] == alone.steps
    tried = [config for config in aside.steps if 64 not in config]
    assert [len(config) for config in tried] == sorted({len(config) for config in tried}, reverse=True)
    assert len(tried) <= 6
