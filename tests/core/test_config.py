"""Configurations against Python's own sets."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.effort import few
from wynot.core.config import Config

sets = st.integers(0, 2**31 - 1).map(lambda bits: frozenset(index for index in range(31) if bits >> index & 1))
ranks = st.integers(-3, 35)


def assert_is(config: Config, model: frozenset[int]) -> None:
    """The same members, in normal form: bounds strictly ascending, a start and an end for each interval."""
    assert list(config) == sorted(model)
    assert len(config) == len(model)
    assert bool(config) == bool(model)
    assert len(config.bounds) % 2 == 0
    assert all(a < b for a, b in pairwise(config.bounds))
    assert [index for start, stop in config.intervals() for index in range(start, stop)] == sorted(model)


@few
@given(st.lists(st.integers(0, 30)))
def test_of_takes_indices_in_any_order(indices: list[int]) -> None:
    """Twice the same is once."""
    assert_is(Config.of(indices), frozenset(indices))


@pytest.mark.parametrize("count", [-1, 0, 1, 2, 1000])
def test_full(count: int) -> None:
    assert_is(Config.full(count), frozenset(range(count)))


def test_empty() -> None:
    assert_is(Config(), frozenset())
    assert Config() == Config.of([]) == Config.full(0)


@few
@given(sets, sets)
def test_set_operations(left: frozenset[int], right: frozenset[int]) -> None:
    a, b = Config.of(left), Config.of(right)
    assert_is(a | b, left | right)
    assert_is(a & b, left & right)
    assert_is(a - b, left - right)
    assert (a <= b) == (left <= right)
    assert a.isdisjoint(b) == left.isdisjoint(right)
    assert_is(a, left)  # operands stay as they are
    assert_is(b, right)


@few
@given(sets, ranks, ranks)
def test_cutting_by_rank(model: frozenset[int], start: int, stop: int) -> None:
    """`part` is a slice of the sorted members, `without` is all but it; ranks out of range are cut off."""
    config, members = Config.of(model), sorted(model)
    part = frozenset(members[max(start, 0) : max(stop, 0)])
    assert_is(config.part(start, stop), part)
    assert_is(config.without(start, stop), model - part)


@few
@given(sets)
def test_membership(model: frozenset[int]) -> None:
    config = Config.of(model)
    assert [index for index in range(-2, 35) if index in config] == config.among(range(-2, 35)) == sorted(model)
    assert "1" not in config
    assert None not in config


@few
@given(sets, sets)
def test_equality_and_hash(left: frozenset[int], right: frozenset[int]) -> None:
    """Equal sets are equal configurations, however they came about."""
    a, b = Config.of(left), Config.of(right)
    assert (a == b) == (left == right)
    there = (a | b) - (b - a)
    assert there == a
    assert hash(there) == hash(a)
    assert len({a, there}) == 1


def test_equal_to_nothing_else() -> None:
    assert Config.of([1]) != frozenset({1})
    assert Config.of([1]) != (1, 2)


@few
@given(sets)
def test_text_names_the_members(model: frozenset[int]) -> None:
    """`Config(0, 3-5)`: single members and spans, nothing lost."""
    text = repr(Config.of(model))
    assert text.startswith("Config(")
    spans = [span.split("-") for span in text[7:-1].split(", ") if span]
    assert [index for span in spans for index in range(int(span[0]), int(span[-1]) + 1)] == sorted(model)


def test_a_million_deltas_are_a_few_numbers() -> None:
    """What a cut of a million deltas holds is its intervals, not its members."""
    everything = Config.full(10**6)
    half = everything.part(250_000, 750_000)
    assert half.bounds == (250_000, 750_000)
    assert (everything - half).bounds == (0, 250_000, 750_000, 10**6)
    assert everything.without(10, 20).part(5, 15).bounds == (5, 10, 20, 25)
