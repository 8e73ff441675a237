"""Oracles that run several programs: two that should agree, a test of validity, a failure that comes and goes."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator

import pytest

from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, PASS_ERROR, UNRESOLVED, Outcome
from wynot.engine.baseline.baseline_runs import LARGEST_SAMPLE, SAMPLE
from wynot.oracles.command import Command
from wynot.oracles.differs_from import DiffersFrom
from wynot.oracles.extra_commands import ValidIf
from wynot.oracles.failure_rate import MAX_EXPECTED_FAILURES, RepeatedOracle, lower_limit
from wynot.oracles.protocol import Invocation, ProcessExit, Report
from wynot.oracles.script import Script

FILE = Artifact("in.txt", b"data")


def driven(
    generator: Generator[Invocation, ProcessExit, object], answers: Callable[[Invocation], ProcessExit]
) -> tuple[object, list[Invocation]]:
    """Run an examination with these answers."""
    asked: list[Invocation] = []
    try:
        invocation = next(generator)
        while True:
            asked.append(invocation)
            invocation = generator.send(answers(invocation))
    except StopIteration as done:
        return done.value, asked


def two(first: ProcessExit, second: ProcessExit) -> Callable[[Invocation], ProcessExit]:
    return lambda invocation: first if invocation.argv[0] == "one" else second


BOTH = DiffersFrom(Command(("one", "{}")), Command(("other", "{}")))


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        (ProcessExit(0, stdout=b"1"), ProcessExit(0, stdout=b"1"), PASS),
        (ProcessExit(0, stdout=b"1"), ProcessExit(0, stdout=b"2"), FAIL),
        (ProcessExit(0, stderr=b"1"), ProcessExit(0, stderr=b"2"), PASS),
        (ProcessExit(1), ProcessExit(0), FAIL),
        (ProcessExit(None, 11), ProcessExit(0), FAIL),
        (ProcessExit(1, stdout=b"a"), ProcessExit(1, stdout=b"b"), UNRESOLVED),
        (ProcessExit(0), ProcessExit(None, timed_out=True), UNRESOLVED),
    ],
)
def test_two_commands_disagree(first: ProcessExit, second: ProcessExit, outcome: Outcome) -> None:
    report, asked = driven(BOTH.examine(FILE, "/w"), two(first, second))
    assert isinstance(report, Report)
    assert report.outcome is outcome
    assert [i.argv for i in asked] == [("one", "/w/in.txt"), ("other", "/w/in.txt")]


def test_a_disagreement_of_another_kind_is_unresolved() -> None:
    """First they print other things; then one of them fails altogether, or prints nothing any more."""
    learnt, _ = driven(BOTH.observe(FILE, "/w"), two(ProcessExit(0, stdout=b"1"), ProcessExit(0, stdout=b"2")))
    assert isinstance(learnt, tuple)
    oracle = learnt[0]
    assert "print" in oracle.looked_for()
    assert oracle.recall(oracle.memory()) == oracle
    assert oracle.looked_for() == "the two commands differ in what they print: '1', the other '2'"
    for first, outcome in (
        (ProcessExit(0, stdout=b"7"), FAIL),
        (ProcessExit(1), UNRESOLVED),
        (ProcessExit(0), UNRESOLVED),
    ):
        report, _ = driven(oracle.examine(FILE, "/w"), two(first, ProcessExit(0, stdout=b"2")))
        assert isinstance(report, Report)
        assert report.outcome is outcome


def two_codes(validity: int) -> Callable[[Invocation], ProcessExit]:
    return lambda invocation: ProcessExit(validity if invocation.argv[0] == "valid" else 0)


def test_invalid_inputs_are_not_even_tested() -> None:
    oracle = ValidIf(Script("/check"), Command(("valid", "{}")))
    for code, outcome, runs in ((0, FAIL, 2), (1, UNRESOLVED, 1)):
        report, asked = driven(oracle.examine(FILE, "/w"), two_codes(code))
        assert isinstance(report, Report)
        assert (report.outcome, len(asked)) == (outcome, runs)


def flaky(rate: float, seed: int) -> Callable[[Invocation], ProcessExit]:
    """A script whose failure shows at this rate."""
    rng = random.Random(seed)
    return lambda _: ProcessExit(0 if rng.random() < rate else 1)


@pytest.mark.parametrize(("rate", "runs"), [(0.1, 300), (0.3, 100), (0.6, 50), (0.9, 33)])
def test_outcomes_of_a_flaky_test_are_seldom_wrong(rate: float, runs: int) -> None:
    """At a third of the original's rate it is PASS: wrong in about 5 % at most."""
    oracle = RepeatedOracle(Script("/check"), rate, runs)
    wrong = 0
    for seed in range(200):
        report, asked = driven(oracle.examine(FILE, "/w"), flaky(rate / 3, seed))
        assert isinstance(report, Report)
        wrong += report.outcome is FAIL
        assert len(asked) <= MAX_EXPECTED_FAILURES / lower_limit(rate, runs) + 1
    assert wrong <= 0.05 * 200


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_what_fails_as_often_as_the_original_passes_in_one_percent_at_most(rate: float) -> None:
    """The claim of 1-minimality: each time the original's rate is measured anew, as a search does."""
    trials, passed = 600, 0
    for seed in range(trials):
        rng = random.Random(seed)
        runs = fails = 0
        while runs < SAMPLE or (fails < SAMPLE and runs < LARGEST_SAMPLE):
            runs, fails = runs + 1, fails + (rng.random() < rate)
        oracle = RepeatedOracle(Script("/check"), fails / runs, runs)
        report, _ = driven(oracle.examine(FILE, "/w"), flaky(rate, seed + trials))
        assert isinstance(report, Report)
        passed += report.outcome is PASS
    assert passed <= trials * PASS_ERROR + 6  # two and a half standard deviations


def test_what_never_fails_is_given_up_soon() -> None:
    report, asked = driven(RepeatedOracle(Script("/check"), 0.3, 100).examine(FILE, "/w"), lambda _: ProcessExit(1))
    assert isinstance(report, Report)
    assert report.outcome is PASS
    assert len(asked) <= 21
    report, _ = driven(RepeatedOracle(Script("/check"), 0.3, 100).examine(FILE, "/w"), lambda _: ProcessExit(125))
    assert isinstance(report, Report)
    assert report.outcome is UNRESOLVED
