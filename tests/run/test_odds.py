"""What is run early: what the outcomes so far make likely, by the place of a trial in its question."""

from __future__ import annotations

from wynot.core.outcome import FAIL, PASS
from wynot.run.ahead import Odds


def test_outcomes_are_expected_where_they_were_seen() -> None:
    odds = Odds()
    for _ in range(20):
        odds.learn(0, PASS)
        odds.learn(1, FAIL)
    assert odds.of(0, PASS) > 0.6 + odds.of(0, FAIL)
    assert odds.of(1, FAIL) > 0.6 + odds.of(1, PASS)


def test_nothing_is_certain_and_far_places_are_alike() -> None:
    odds = Odds()
    for place in range(100):
        odds.learn(place, PASS)
    assert odds.of(50, PASS) == odds.of(99, PASS) > 0.9
    assert odds.of(99, FAIL) >= 0.01
