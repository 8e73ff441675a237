"""What a caller can tell a search: how to cut, what to try first, what can be predicted, when to go on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wynot
from tests.laws.effort import few
from tests.search.recording import Calls
from wynot.core.config import Config
from wynot.core.outcome import UNRESOLVED, Outcome
from wynot.search.lists.dd import by_group, evenly, halves, smallest_first

EIGHT = range(1, 9)


def configs(largest: int) -> st.SearchStrategy[Config]:
    """Any but the empty one."""
    return st.integers(1, 2**largest - 1).map(lambda bits: Config.of(at for at in range(largest) if bits >> at & 1))


def assert_partition(config: Config, parts: Sequence[Config], most: int) -> None:
    assert 1 <= len(parts) <= most
    assert all(parts)
    assert [index for part in parts for index in part] == list(config)


@few
@given(configs(30), st.integers(1, 40))
def test_evenly_cuts_into_similar_sizes(config: Config, count: int) -> None:
    parts = evenly(config, count)
    assert_partition(config, parts, count)
    assert len(parts) == min(count, len(config))
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1


@few
@given(configs(30), st.integers(1, 8))
def test_halves_nest(config: Config, count: int) -> None:
    """Every finer subset lies in one coarser one, and only single deltas are not cut."""
    coarse = evenly(config, count)
    finer = halves(coarse)
    assert_partition(config, finer, 2 * len(coarse))
    assert all(sum(part <= chunk for chunk in coarse) == 1 for part in finer)
    assert len(finer) == sum(min(len(chunk), 2) for chunk in coarse)


def _labels(seed: int) -> list[tuple[int, int]]:
    """Two kinds of groups, coarse and fine, of all sizes."""
    chance = Random(seed)
    labels: list[tuple[int, int]] = []
    for coarse in range(chance.randint(1, 4)):
        for fine in range(chance.randint(1, 4)):
            labels += [(coarse, fine)] * chance.randint(1, 4)
    return labels


@few
@given(st.integers(0, 2**32), st.integers(2, 6), st.data())
def test_groups_stay_together(seed: int, count: int, data: st.DataObject) -> None:
    """Cuts are made between coarse groups; within one, between fine ones; only then through one."""
    labels = _labels(seed)
    config = data.draw(configs(len(labels)))
    parts = by_group(labels)(config, count)
    assert_partition(config, parts, count)
    borders = [(max(a), min(b)) for a, b in pairwise(parts)]
    members = [labels[index] for index in config]
    if len({coarse for coarse, _ in members}) > 1:
        assert borders
        assert all(labels[a][0] != labels[b][0] for a, b in borders)
    elif len(set(members)) > 1:
        assert borders
        assert all(labels[a] != labels[b] for a, b in borders)
    else:
        assert parts == evenly(config, count)


def test_groups_are_tried_as_a_whole() -> None:
    """Files with 1, 4 and 3 changes: no file is cut before it is the only one left."""
    files = [("a",)] + [("b",)] * 4 + [("c",)] * 3
    test = Calls[int](lambda kept: 7 in kept)
    assert wynot.ddmin(EIGHT, test, split=wynot.by_group(files)) == [7]
    assert test.table == "12345 678 6 78 7"


def test_groups_save_runs() -> None:
    """Changes that only apply as a whole: kept in one subset, nothing is unresolved (1999, section 6)."""

    def outcome(kept: list[int]) -> Outcome | bool:
        if any(0 < len(set(range(at, at + 5)) & set(kept)) < 5 for at in range(0, 30, 5)):
            return UNRESOLVED
        return 31 in kept

    plain, together = Calls(outcome), Calls(outcome)
    labels = [(min(index // 5, 6),) for index in range(37)]
    assert wynot.ddplus(range(37), plain) == [31]
    assert wynot.ddplus(range(37), together, split=wynot.by_group(labels)) == [31]
    assert len(together) < len(plain)
    assert all(outcome(kept) is not UNRESOLVED for kept in together.lists)


def test_first_subset_first() -> None:
    """Of two causes the one that is met first is found: by default the first."""
    test = Calls[int](lambda kept: 2 in kept or 7 in kept)
    assert wynot.ddmin(EIGHT, test) == [2]
    assert wynot.ddmin(EIGHT, test, order=wynot.in_order) == [2]


def test_last_subset_first() -> None:
    test = Calls[int](lambda kept: 2 in kept or 7 in kept)
    assert wynot.ddmin(EIGHT, test, order=wynot.last_first) == [7]
    assert test.table == "5678 78 8 7"


def test_smallest_subset_first() -> None:
    """Groups of five and of three; the second is smaller and has a cause, so that one is found."""
    labels = [("a",)] * 5 + [("b",)] * 3
    test = Calls[int](lambda kept: 2 in kept or 7 in kept)
    split = wynot.by_group(labels)
    assert wynot.ddmin(EIGHT, test, split=split, order=wynot.smallest_first) == [7]
    assert test.lists[0] == [6, 7, 8]
    chunks = [Config.of([0, 1, 2]), Config.of([3]), Config.of([4, 5])]
    assert smallest_first(chunks) == [chunks[1], chunks[2], chunks[0]]


@pytest.mark.parametrize("search", [wynot.dd1999, wynot.ddplus])
def test_order_in_the_older_algorithms(search: object) -> None:
    """`dd1999` and `ddplus` take the same hint."""
    assert callable(search)
    test = Calls[int](lambda kept: 2 in kept or 7 in kept)
    assert search(EIGHT, test, order=wynot.last_first) == [7]
    assert test.table == "5678 78 8 7"


def _monotone(seed: int) -> tuple[int, list[set[int]]]:
    """Several sets of items, each of which fails, with whatever is added."""
    chance = Random(seed)
    size = chance.randint(1, 20)
    causes = [set(chance.sample(range(size), chance.randint(1, min(size, 5)))) for _ in range(chance.randint(1, 3))]
    return size, causes


@pytest.mark.parametrize("name", ["ddmin", "dd", "ddmax", "dd1999", "ddplus"])
@few
@given(st.integers(0, 2**32))
def test_monotony_gives_the_same_result_in_no_more_runs(name: str, seed: int) -> None:
    size, causes = _monotone(seed)

    def fails(kept: list[int]) -> bool:
        return any(cause <= set(kept) for cause in causes)

    search = getattr(wynot, name)
    plain, told = Calls(fails), Calls(fails)
    assert search(range(size), plain) == search(range(size), told, monotone=True)
    assert len(told) <= len(plain)


def test_monotony_saves_runs() -> None:
    """Subsets of what passes are not tested: about half of the runs of ddmin."""
    plain = told = 0
    for seed in range(50):
        guilty = set(Random(seed).sample(range(64), 3))
        one, two = Calls[int](guilty.issubset), Calls[int](guilty.issubset)
        wynot.ddmin(range(64), one)
        wynot.ddmin(range(64), two, monotone=True)
        plain, told = plain + len(one), told + len(two)
    assert told < 0.6 * plain


@pytest.mark.parametrize("jobs", [1, 3, 8])
@pytest.mark.parametrize("name", ["ddmin", "dd", "ddplus"])
def test_predictions_at_any_number_of_jobs(name: str, jobs: int) -> None:
    """Monotony and several jobs at once give what each alone gives."""
    search = getattr(wynot, name)
    for seed in range(20):
        guilty = set(Random(seed).sample(range(8), 2))
        assert search(range(8), guilty.issubset, monotone=True, jobs=jobs) == search(range(8), guilty.issubset)


@pytest.mark.parametrize("name", ["ddmin", "dd", "ddmax", "ddplus", "sweep"])
@few
@given(st.integers(0, 2**32))
def test_what_is_inconsistent_is_not_tested(name: str, seed: int) -> None:
    """Saying beforehand what cannot be tested finds the same as a test that finds it out."""
    chance = Random(seed)
    size = chance.randint(3, 20)
    guilty, group = set(chance.sample(range(size), 2)), set(chance.sample(range(size), 3))

    def consistent(kept: list[int]) -> bool:
        return len(group.intersection(kept)) in {0, 3}

    def slow(kept: list[int]) -> Outcome | bool:
        return guilty.issubset(kept) if consistent(kept) else UNRESOLVED

    search = getattr(wynot, name)
    test = Calls[int](guilty.issubset)
    assert search(range(size), slow) == search(range(size), test, consistent=consistent)
    assert all(map(consistent, test.lists))


@few
@given(st.integers(0, 2**32))
def test_causes_are_independent_and_complete(seed: int) -> None:
    """No two share an item, each fails alone and is 1-minimal; what is left over does not fail."""
    size, hidden = _monotone(seed)

    def fails(kept: list[int]) -> bool:
        return any(cause <= set(kept) for cause in hidden)

    found = wynot.causes(range(size), fails)
    flat = [item for cause in found for item in cause]
    assert len(flat) == len(set(flat))
    assert all(set(cause) in hidden for cause in found)
    assert not fails([item for item in range(size) if item not in flat])
    assert wynot.causes(range(size), fails, limit=1) == found[:1]


def test_causes_takes_the_same_hints() -> None:
    test = Calls[int](lambda kept: 2 in kept or 7 in kept)
    assert wynot.causes(EIGHT, test, order=wynot.last_first) == [[7], [2]]
    assert wynot.causes(EIGHT, lambda kept: 2 in kept or 7 in kept, monotone=True) == [[2], [7]]
    assert wynot.causes(EIGHT, lambda kept: 2 in kept or 7 in kept, jobs=3) == [[2], [7]]


def test_group_labels_of_any_kind() -> None:
    """Whatever can be compared for equality names a group; deeper labels may be missing."""
    labels = [("dir", None), ("dir", 1), ("dir", 1), ("other",), ("other",)]
    parts = by_group(labels)(Config.full(5), 2)
    assert [[label for label, _ in groupby(labels[index] for index in part)] for part in parts] == [
        [("dir", None), ("dir", 1)],
        [("other",)],
    ]
