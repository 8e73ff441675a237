"""What was in vain before is not asked about; nothing else changes."""

from __future__ import annotations

from hypothesis import given

from tests.laws.effort import few
from tests.search.problems import Guilty, Noise, noises
from tests.search.recording import Notebook
from tests.search.test_purity import assert_pure
from wynot.core.config import Config
from wynot.core.trial import Strategy
from wynot.search.combinators import skip_known_failures
from wynot.search.lists.sweep import sweep


def never(_before: Config, _after: Config) -> bool:
    return False


def odd(before: Config, after: Config) -> bool:
    return sum(before - after) % 3 == 1


@few
@given(noises(largest=9))
def test_a_search_with_a_memory_is_pure(test: Noise) -> None:
    assert_pure(lambda: skip_known_failures(sweep(test.full), test.full, odd), test)


@few
@given(noises(largest=9))
def test_without_memories_it_is_the_same_search(test: Noise) -> None:
    plain, recalled = Notebook(test), Notebook(test)
    assert plain.drive(sweep(test.full)) == recalled.drive(skip_known_failures(sweep(test.full), test.full, never))
    assert plain.steps == recalled.steps


def test_the_step_counts_not_where_it_starts_from() -> None:
    """What is known to be needed costs no test, whatever has gone before."""
    test = Guilty(40, {3, 20, 21})
    asked: list[tuple[Config, Config]] = []

    def vain(before: Config, after: Config) -> bool:
        asked.append((before, after))
        return bool((before - after) & Config.of([3, 20, 21]))

    def search() -> Strategy:
        return skip_known_failures(sweep(test.full), test.full, vain)

    notebook = Notebook(test)
    assert notebook.drive(search()).failing == Config.of([3, 20, 21])
    assert all(notebook.known[run.bounds].name == "FAIL" for run in notebook.runs), "no test is in vain"
    assert {before for before, _ in asked} <= {test.full, *notebook.runs}
