"""The first looks at the input: what they teach about time."""

from __future__ import annotations

import pytest

import wynot
from tests.support.fixtures import Benches
from tests.support.stage import Stage
from wynot.commands.failure_check import check
from wynot.core.outcome import FAIL, UNRESOLVED
from wynot.engine.baseline.baseline_runs import _longest, baseline
from wynot.engine.executors.sandbox import FIRST_SECONDS, LEAST_SECONDS, PATIENCE, Limits
from wynot.engine.tester import Tester
from wynot.errors import NoFailureError
from wynot.oracles.command import Command
from wynot.oracles.protocol import Report

TEXT = b"one\nbad\ntwo\n"


def impatient(seconds: float = 0.2) -> wynot.Options:
    """Nobody has given a time limit, and a first look does not take minutes."""
    return wynot.Options(limits=Limits(first=seconds))


def test_a_first_look_has_a_limit_although_none_was_given(stage: Stage) -> None:
    assert Limits().looking().seconds == FIRST_SECONDS
    assert Limits(7.0).looking().seconds == 7.0
    hangs = Command(("sh", "-c", "sleep 1000"))
    for call in (wynot.reduce, wynot.isolate, check):
        with pytest.raises(NoFailureError, match=r"does not end within 0\.2 s") as told:
            call(TEXT, hangs, impatient())
        assert "--fail-if-hang" in told.value.hint
    stage.assert_clean()


def test_the_limit_of_the_first_look_is_not_the_limit_of_tests(stage: Stage) -> None:
    found = check(TEXT, Command(("sh", "-c", "exit 3")), impatient(60))
    assert found.limit == LEAST_SECONDS


def test_looks_that_hang_do_not_make_the_limit_long(stage: Stage, executors: Benches) -> None:
    """Every other look fails at once, the others hang: what a hang takes is not what a test takes."""
    count = stage.folder / "count"
    program = f"n=$(cat {count} 2>/dev/null); echo $((n + 1)) > {count}; [ $((n % 2)) = 0 ] && exit 3; sleep 1000"
    executor = executors(Command(("sh", "-c", program)), limits=Limits(first=LEAST_SECONDS / PATIENCE))
    assert 0 < baseline(Tester(executor), TEXT, "in.txt").rate < 1
    assert executor.limits.seconds == LEAST_SECONDS


def test_what_is_slow_without_end_leaves_tests_the_time_of_the_first_look() -> None:
    """`--fail-if-slower-than 10s` on a program that never ends."""
    never = Report(FAIL, seconds=FIRST_SECONDS, cut=True)
    assert Limits().settled(_longest([never]), 1).seconds == FIRST_SECONDS
    soon = Report(FAIL, seconds=2.0)
    assert _longest([soon, Report(UNRESOLVED, seconds=FIRST_SECONDS, cut=True)]) == 2.0
