"""What is run early: what the outcomes so far make likely, by how much a step takes away."""

from __future__ import annotations

import pytest

from wynot.core.outcome import FAIL, PASS
from wynot.engine.likelihood import SLIGHTEST, Likelihood, magnitude


def test_outcomes_are_expected_where_they_were_seen() -> None:
    odds = Likelihood()
    for _ in range(20):
        odds.learn(1, PASS)
        odds.learn(6, FAIL)
    assert odds.of(1)[PASS] > 0.6 + odds.of(1)[FAIL]
    assert odds.of(6)[FAIL] > 0.6 + odds.of(6)[PASS]


def test_large_steps_are_not_expected_to_work_and_nothing_is_certain() -> None:
    odds = Likelihood()
    assert odds.of(0)[FAIL] < odds.of(4)[FAIL] < odds.of(SLIGHTEST)[FAIL]
    for _ in range(100):
        odds.learn(0, PASS)
    assert odds.of(0)[PASS] > 0.9
    assert odds.of(0)[FAIL] >= 0.01


def test_what_was_seen_last_counts_most() -> None:
    odds = Likelihood()
    for outcome in (PASS, FAIL):
        for _ in range(20):
            odds.learn(3, outcome)
    assert odds.of(3)[FAIL] > odds.of(3)[PASS]


def test_however_many_outcomes_there_were() -> None:
    odds, others = Likelihood(), Likelihood()
    for number in range(1000):
        odds.learn(3, FAIL if number % 3 else PASS)
    for number in range(100, 1000):
        others.learn(3, FAIL if number % 3 else PASS)
    assert odds.of(3) == pytest.approx(others.of(3))
    assert odds.of(3)[FAIL] + odds.of(3)[PASS] > 0.9


def test_what_never_worked_is_not_expected_to_work_after_a_while() -> None:
    odds = Likelihood()
    for step in (6, 2):
        for _ in range(100):
            odds.learn(step, PASS)
    assert odds.of(6)[FAIL] < 0.02


def test_where_nothing_worked_steps_of_half_the_size_are_not_expected_to_either() -> None:
    odds = Likelihood()
    for _ in range(64):
        odds.learn(5, PASS)
    assert odds.of(6)[FAIL] < 0.06


def test_magnitudes() -> None:
    assert [magnitude(1024, left) for left in (0, 512, 768, 1023, 1024)] == [0, 1, 2, 10, 10]
    assert magnitude(10**6, 10**6 - 1) == SLIGHTEST
    assert magnitude(100, 400) == 0  # what is larger is no small step either
    assert magnitude(0, 7) == 1  # nothing is known of what was before
