"""What the algorithms promise, on random tests: how good the result is, and how many runs it takes at most."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.laws.effort import few, law
from tests.search.problems import (
    Guilty,
    Noise,
    conjunctions,
    doublings,
    grouped,
    isolating,
    maximising,
    noises,
    quadratic,
)
from tests.search.recording import Notebook, drive
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.search.lists.dd import dd1999, ddmin, ddplus
from wynot.search.lists.sweep import sweep


def assert_one_minimal(failing: Config, test: Noise | Guilty) -> None:
    """Definition 10, by brute force: it fails, and without any single delta it does not."""
    assert test(failing) is FAIL
    for rank in range(len(failing)):
        assert test(failing.without(rank, rank + 1)) is not FAIL


@law
@given(noises())
def test_ddmin_is_1_minimal_in_quadratic_time(test: Noise) -> None:
    """Propositions 11 and 12."""
    found, runs = drive(ddmin(test.full), test)
    assert found.minimal
    assert not found.passing
    assert_one_minimal(found.failing, test)
    assert runs <= quadratic(test.size)


@law
@given(noises())
def test_sweep_is_1_minimal_in_quadratic_time(test: Noise) -> None:
    """After a success at most the rest of this round and one more are tested in vain, delta by delta."""
    found, runs = drive(sweep(test.full), test)
    assert found.minimal
    assert_one_minimal(found.failing, test)
    assert runs <= quadratic(test.size)


@law
@given(noises())
def test_dd_is_1_minimal_in_quadratic_time(test: Noise) -> None:
    """Propositions 16 and 17; definition 15 by brute force, as strong as the proof: nothing between is resolved."""
    found, runs = drive(isolating(test.full), test)
    assert found.minimal
    assert test(found.passing) is PASS
    assert test(found.failing) is FAIL
    assert found.passing <= found.failing
    if len(found.difference) > 1:
        for index in found.difference:
            one = Config.of([index])
            assert test(found.passing | one) is UNRESOLVED
            assert test(found.failing - one) is UNRESOLVED
    assert runs <= quadratic(test.size)


@law
@given(noises(resolved=True))
def test_dd_is_a_binary_search_where_all_is_resolved(test: Noise) -> None:
    """Proposition 18 and corollary 19."""
    found, runs = drive(isolating(test.full), test)
    assert len(found.difference) == 1
    assert test(found.passing) is PASS
    assert test(found.failing) is FAIL
    assert runs <= doublings(test.size)


@law
@given(noises())
def test_ddmax_leaves_nothing_to_add(test: Noise) -> None:
    """Footnote 15."""
    found, runs = drive(maximising(test.full), test)
    assert found.failing == test.full
    assert test(found.passing) is PASS
    for index in found.difference:
        assert test(found.passing | Config.of([index])) is not PASS
    assert runs <= quadratic(test.size)


def halvings(size: int, guilty: int) -> int:
    """What binary search by subsets costs: one run if the first half has it, two if it is the second."""
    if size == 1:
        return 0
    first = size // 2
    return 1 + halvings(first, guilty) if guilty < first else 2 + halvings(size - first, guilty - first)


@pytest.mark.parametrize("size", [*range(1, 70), 127, 128, 129])
def test_ddmin_finds_one_guilty_delta_by_halving(size: int) -> None:
    """Proposition 13, wherever the delta is.

    The paper says 2 log2 |c|. That holds for powers of two; in between, the larger half may need a step more, and 2
    log2 |c| with the logarithm rounded up is both true and reached (three deltas, the last one guilty: four runs).
    """
    costs = []
    for guilty in range(size):
        test = Guilty(size, frozenset({guilty}))
        found, runs = drive(ddmin(test.full), test)
        assert list(found.failing) == [guilty]
        assert runs == halvings(size, guilty)
        costs.append(runs)
    assert max(costs) == 2 * doublings(size)


@law
@given(conjunctions(largest=16))
def test_dd1999_finds_the_minimal_set(test: Guilty) -> None:
    """Propositions 13, 16, 19; the logarithm rounded up, as halves of an odd number are not equal.

    And dd+ is the same "apart its extensions for unresolved test cases" (section 5).
    """
    old, new = Notebook(test), Notebook(test)
    found = old.drive(dd1999(test.full))
    assert frozenset(found.failing) == test.guilty
    assert len(old.runs) <= 2 * len(test.guilty) * doublings(test.size)
    assert len(old.runs) <= 2 * test.size - 2
    assert new.drive(ddplus(test.full)) == found
    assert set(new.runs) == set(old.runs)


@law
@given(noises(largest=14))
def test_dd1999_and_ddplus_end_on_anything(test: Noise) -> None:
    """Proposition 17: 2|c| - 2 runs, "even if the configuration is non-monotone or ambiguous".

    For dd+ the paper says "twice as many tests"; that does not hold on any test whatever. What does: while c and r
    stay, only the subsets of one tree of halvings and their complements are asked, 4|c| - 6 of them at most; each
    change of c or r takes a delta out of c, or cuts c in two. Summed up, 2(|c| - 1)^2.
    """
    _, runs = drive(dd1999(test.full), test)
    assert runs <= 2 * test.size - 2
    found, runs = drive(ddplus(test.full), test)
    assert found.failing
    assert found.failing <= test.full
    assert runs <= 2 * (test.size - 1) ** 2


@law
@given(grouped(safe=True, largest=14))
def test_ddplus_finds_safe_guilty_changes(test: Guilty) -> None:
    """Section 5: the minimal set, if what is in it can be applied and removed without inconsistency.

    With one guilty change there is no interference: each granularity is tested at most once on the way down, twice as
    many tests as there are subsets. For a power of two that is 4|c| - 6 in all, in between at most 6|c| - 10.
    """
    found, runs = drive(ddplus(test.full), test)
    assert frozenset(found.failing) == test.guilty
    assert runs <= 2 * (test.size - 1) ** 2
    if len(test.guilty) == 1:
        assert runs <= 6 * test.size - 10


@law
@given(grouped(safe=False, largest=14))
def test_ddplus_excludes_safe_changes_from_an_unsafe_cause(test: Guilty) -> None:
    """Section 5: "at least, all changes that are safe and not failure-inducing are guaranteed to be excluded"."""
    found, runs = drive(ddplus(test.full), test)
    unsafe = frozenset[int]().union(*test.groups)
    assert test.guilty <= frozenset(found.failing) <= unsafe | test.guilty
    assert runs <= 2 * (test.size - 1) ** 2
    if len(test.guilty) == 1:
        assert runs <= 6 * test.size - 10


@few
@given(conjunctions())
def test_minimisers_find_just_the_guilty(test: Guilty) -> None:
    """Where the test is monotone and unambiguous there is only one 1-minimal configuration."""
    for search in (ddmin, sweep):
        assert frozenset(drive(search(test.full), test)[0].failing) == test.guilty
