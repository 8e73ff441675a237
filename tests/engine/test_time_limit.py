"""The time limit grows with what failing tests take, and what a smaller one ended is run again."""

from __future__ import annotations

from contextlib import closing

import pytest

import wynot
from tests.support.fixtures import Benches
from tests.support.stage import Stage
from wynot.core.artifact import digest
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.core.run_events import Event, Note
from wynot.engine.executors.sandbox import GROWTH, MOST_SECONDS, Limits
from wynot.engine.journal import Journal
from wynot.engine.tester import Tester
from wynot.oracles.command import Command
from wynot.oracles.extra_commands import ValidIf
from wynot.oracles.protocol import Report

A, B, C = (digest(text) for text in (b"a", b"b", b"c"))
SLOW = """
echo $(cat "$1") >> LOG
grep -q bug "$1" || exit 0
grep -q first "$1" && { grep -q second "$1" && exit 3; exit 0; }
grep -q second "$1" && { sleep 0.8; exit 3; }
sleep 3; exit 3
"""
"""Without the first word the failure takes long to show, without the second longer than the limit is at that time."""
TEXT = b"first\nsecond\nbug\n"


def test_the_limit_grows_with_the_slowest_failing_test() -> None:
    limits = Limits().settled(1.0, 1)
    assert limits.seconds == 10
    assert limits.grown(2.0) is limits
    assert limits.grown(2.1).seconds == 20, "little by little would mean to run what was cut short again and again"
    assert limits.grown(9.0).seconds == GROWTH * 9.0
    assert limits.grown(100.0).seconds == MOST_SECONDS
    assert limits.grown(100.0).grown(280.0).seconds == MOST_SECONDS


def test_a_limit_that_was_given_does_not_grow() -> None:
    assert Limits(3.0).settled(1.0, 1).grown(2.9).seconds == 3.0


def slow(stage: Stage) -> Command:
    program = stage.script("slow", SLOW.replace("LOG", str(stage.folder / "log")))
    return Command((str(program), "{}"))


@pytest.mark.parametrize("jobs", [1, 3])
def test_what_was_ended_by_a_smaller_limit_is_asked_for_again(stage: Stage, jobs: int) -> None:
    said: list[Event] = []
    options = wynot.Options(atoms="lines", jobs=jobs, limits=Limits(2.0, adaptive=True), listener=said.append)
    result = wynot.reduce(TEXT, slow(stage), options)
    assert (result.data, result.minimal) == (b"bug\n", True)
    assert stage.log.count("bug") >= 2, "once under each limit"
    assert [event for event in said if isinstance(event, Note) and "the time limit is 4 s now" in event.message]


def test_isolate_asks_again_too(stage: Stage) -> None:
    """Half of it takes long to fail, a quarter longer than it may to pass: only then there is one line between."""
    body = """
        has() { grep -q $1 input; }
        cp "$1" input; test -s input || exit 0
        has a && has b && { has c || sleep 0.8; exit 3; }
        sleep 3; exit 0"""
    options = wynot.Options(atoms="lines", limits=Limits(2.0, adaptive=True))
    result = wynot.isolate(b"a\nb\nc\nd\n", Command((str(stage.script("slow", body)), "{}")), options)
    assert (result.passing, result.failing, result.deltas) == (b"a\n", b"a\nb\n", 1)


def test_with_a_limit_that_was_given_it_stays_unresolved(stage: Stage) -> None:
    result = wynot.reduce(TEXT, slow(stage), wynot.Options(atoms="lines", limits=Limits(2.0)))
    assert result.data == b"second\nbug\n"


def test_stored_time_outs_are_trusted_unless_the_limit_has_grown(stage: Stage, executors: Benches) -> None:
    with closing(Journal("run")) as journal:
        journal.put(A, Report(UNRESOLVED, "time-out after 5.0 s", 5.0, cut=True), 1)
        journal.put(B, Report(UNRESOLVED, "says time-out itself", 1.0), 1)
        journal.put(C, Report(UNRESOLVED, "failed in 1 of 9 runs", 5.0, cut=True), 1)
        journal.put(C, Report(PASS, "run again", 7.0), 1)
    with closing(Journal("run")) as journal:
        tester = Tester(executors(Command(("true",))), journal)
        assert tester.outcomes.forget_time_outs(5.0) == 0
        assert tester.outcomes.forget_time_outs(9.0) == 1
        assert [tester.outcomes.known(key) for key in (A, B, C)] == [None, UNRESOLVED, PASS]
        assert tester.probe(A, b"a", 1).outcome is PASS, "run again, not read in the journal"


def test_a_failure_that_is_a_time_out_stays_one(stage: Stage, executors: Benches) -> None:
    """Slower than ten seconds is slower than ten seconds, whatever the limit."""
    tester = Tester(executors(Command(("true",))))
    tester.outcomes.overrule(A, Report(FAIL, "time-out after 20.0 s, as was asked for", 20.0, cut=True), 1)
    assert tester.outcomes.forget_time_outs(100.0) == 0
    tester.answered(A, FAIL, 1)
    assert tester.slowest == 0, "and the limit does not grow by what the limit ended"


def test_a_time_out_of_any_program_of_a_test_counts(stage: Stage, executors: Benches) -> None:
    """Whatever an oracle says about it: here the validity test hangs."""
    hangs = ValidIf(Command(("true",)), Command(("sleep", "1000")))
    tester = Tester(executors(hangs, limits=Limits(0.3)))
    assert tester.test(A, b"a", 1) is UNRESOLVED
    assert tester.outcomes.forget_time_outs(5.0) == 1


def test_only_what_was_asked_for_makes_the_limit_grow(stage: Stage, executors: Benches) -> None:
    """A test that only ran ahead says nothing: else the limit would depend on the number of jobs."""
    tester = Tester(executors(Command(("true",))))
    for key, seconds in ((A, 2.0), (B, 9.0)):
        tester.outcomes.overrule(key, Report(FAIL, "", seconds), 1)
    assert tester.slowest == 0
    tester.answered(A, FAIL, 1)
    assert tester.slowest == 2.0


def test_a_journal_from_before_is_read_and_gone_on_with(stage: Stage) -> None:
    with closing(Journal("run")) as journal:
        journal.put(A, Report(FAIL), 1)
        journal._db.execute("ALTER TABLE tests DROP COLUMN cut")
    with closing(Journal("run")) as journal:
        journal.put(B, Report(UNRESOLVED, cut=True), 1)
        assert journal.outcomes() == {A: FAIL, B: UNRESOLVED}
        assert not journal.broken
