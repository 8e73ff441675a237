"""A second look at results whose failure shows only sometimes; chance is played by counting the runs of a content."""

from __future__ import annotations

from pathlib import Path

import pytest

import wynot
from tests.commands.changes.test_investigation import sources
from tests.support.stage import Stage
from wynot.commands.changes.investigation import changes
from wynot.core.folder import Folder
from wynot.core.run_events import Caution, Event, Note
from wynot.engine.executors.sandbox import Limits
from wynot.engine.results import Isolated, Reduced
from wynot.errors import BudgetEnded, NoFailureError, UsageError
from wynot.oracles.command import Command

COUNTED = """
sum=$(cksum < "$1"); seen=COUNTS/${sum% *}_${sum#* }; echo >> $seen; n=$(wc -l < $seen)
echo >> COUNTS/all; all=$(wc -l < COUNTS/all)
every_other() { [ $((n % 2)) = 0 ] && exit 3; exit 0; }
test -s "$1" || exit 0
"""
LUCK = 'grep -q needed "$1" && every_other; [ $n -le 8 ] && exit 3; exit 0'
"""Whatever lacks the word fails at first, as if by chance, but not when looked at again."""
MISHAP = 'grep -q bug "$1" && every_other; [ $n -gt 11 ] && exit 3; exit 0'
"""Whatever lacks the word passes at first, but fails when looked at again."""
TEXT = b"one\ntwo\nneeded\nthree\nbug\nfour\n"


def flaky(stage: Stage, body: str) -> Command:
    counts = stage.folder / "counts"
    counts.mkdir()
    script = stage.script("flaky", COUNTED.replace("COUNTS", str(counts)) + body)
    return Command((str(script), "{}"))


def options(listener: list[Event], **more: object) -> wynot.Options:
    return wynot.Options(atoms="lines", limits=Limits(60.0), listener=listener.append, **more)  # type: ignore[arg-type]


def taken_back(heard: list[Event]) -> int:
    return sum(isinstance(event, Note) and event.message.endswith("discarded") for event in heard)


def test_a_reduction_takes_back_what_only_seemed_to_fail(stage: Stage) -> None:
    heard: list[Event] = []
    result = wynot.reduce(TEXT, flaky(stage, LUCK), options(heard))
    assert (result.data, result.minimal) == (b"needed\n", True)
    assert taken_back(heard) > 0


@pytest.mark.parametrize("tests", [1, 2, 3, 4])
def test_wherever_a_budget_ends_what_only_seemed_to_fail_is_taken_back(stage: Stage, tests: int) -> None:
    heard: list[Event] = []
    oracle, target = flaky(stage, LUCK), stage.work / "out"
    with pytest.raises(BudgetEnded) as ended:
        wynot.reduce(TEXT, oracle, options(heard, budget_tests=tests, output=target))
    best = ended.value.best
    assert isinstance(best, Reduced)
    assert b"needed" in best.data
    assert target.read_bytes() == best.data
    stage.assert_clean()


def test_a_budget_that_takes_nothing_back_keeps_all_there_is(stage: Stage) -> None:
    """Everything that lacks the word passes: what was found holds, and is not lost by the second look."""
    body = 'grep -q needed "$1" && every_other; exit 0'
    with pytest.raises(BudgetEnded) as ended:
        wynot.reduce(TEXT, flaky(stage, body), options([], budget_tests=2))
    assert isinstance(ended.value.best, Reduced)
    assert len(ended.value.best.data) < len(TEXT)


def test_an_isolation_takes_back_a_failing_side_that_only_seemed_to_fail(stage: Stage) -> None:
    heard: list[Event] = []
    result = wynot.isolate(TEXT, flaky(stage, LUCK), options(heard))
    assert b"needed" in result.failing
    assert taken_back(heard) > 0


@pytest.mark.parametrize("passing", [None, b"one\nfour\n"])
def test_an_isolation_takes_back_a_passing_side_that_only_seemed_to_pass(stage: Stage, passing: bytes | None) -> None:
    heard: list[Event] = []
    given = '[ "$(tr \'\\n\' _ < "$1")" = one_four_ ] && exit 0; '  # it does pass
    result = wynot.isolate(TEXT, flaky(stage, given + MISHAP), options(heard), passing=passing)
    assert b"bug" in result.failing
    assert result.passing == (passing or b"")
    assert taken_back(heard) > 0


@pytest.mark.parametrize("tests", [1, 2, 3])
@pytest.mark.parametrize(("body", "word"), [(LUCK, b"needed"), (MISHAP, b"bug")])
def test_an_isolation_that_a_budget_ends_takes_back_too(stage: Stage, body: str, word: bytes, tests: int) -> None:
    with pytest.raises(BudgetEnded) as ended:
        wynot.isolate(TEXT, flaky(stage, body), options([], budget_tests=tests))
    best = ended.value.best
    assert isinstance(best, Isolated)
    assert word in best.failing
    assert best.passing == b"" or word == b"needed"


def stopping(stage: Stage, *runs: int) -> Path:
    """Flaky by luck; and it interrupts wynot, in these of its runs."""
    stop = "; ".join(f"[ $all = {run} ] && kill -INT $PPID && sleep 5" for run in runs)
    flaky(stage, f"{stop}; {LUCK}")
    stage.file("in.txt", TEXT)
    return stage.work / "in.reduced.txt"


def test_an_interruption_takes_back_what_only_seemed_to_fail(stage: Stage) -> None:
    result = stopping(stage, 112)
    done = stage.wynot("reduce", "in.txt", "--atoms", "lines", "--", "./flaky", "{}")
    assert (done.code, done.crash) == (130, "")
    assert "discarded" in done.err
    assert b"needed" in result.read_bytes()
    assert result.read_bytes() != TEXT
    stage.assert_clean()


def test_a_second_interruption_leaves_it_as_it_is(stage: Stage) -> None:
    result = stopping(stage, 112, 115)
    done = stage.wynot("reduce", "in.txt", "--atoms", "lines", "--", "./flaky", "{}")
    assert (done.code, done.crash) == (130, "")
    assert "was not checked again" in done.err
    assert b"needed" not in result.read_bytes()
    stage.assert_clean()


def test_a_steady_failure_gets_no_second_look_when_it_ends(stage: Stage) -> None:
    heard: list[Event] = []
    with pytest.raises(BudgetEnded) as ended:
        wynot.reduce(TEXT, flaky(stage, 'grep -q needed "$1" && exit 3; exit 0'), options(heard, budget_tests=1))
    best = ended.value.best
    assert isinstance(best, Reduced)
    assert best.cost.runs == best.cost.counts.tests + best.cost.counts.baseline
    assert not [event for event in heard if isinstance(event, Caution)]


CHANCE = """
echo >> COUNTS/all; all=$(wc -l < COUNTS/all)
test -s "$1" || { echo >> COUNTS/empty; [ $(wc -l < COUNTS/empty) -le 12 ] && exit 0; }
[ $((all % 2)) = 0 ] && exit 3; exit 0
"""
"""A failure that has nothing to do with the input; but the empty one is lucky at first."""


@pytest.mark.parametrize("folder", [False, True])
def test_a_failure_that_ignores_its_input_is_not_called_minimal(stage: Stage, *, folder: bool) -> None:
    heard: list[Event] = []
    counts, body = stage.folder / "counts", CHANCE
    counts.mkdir()
    (stage.work / "in").mkdir()
    source = stage.work / "in" if folder else TEXT
    stage.file("in/a.txt", TEXT)
    if folder:
        body = body.replace('test -s "$1"', 'test -s "$1/a.txt"')
    script = stage.script("flaky", body.replace("COUNTS", str(counts)))
    result = wynot.reduce(source, Command((str(script), "{}")), options(heard))
    assert (result.weak, result.minimal, result.found[0]) == (True, False, Folder({}) if folder else b"")
    (warning,) = (event.message for event in heard if isinstance(event, Caution))
    assert "fails, as often as the input: the test is too weak" in warning


def test_one_that_needs_its_input_is_looked_at_once_more_only(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nothing at all does is remembered."""
    monkeypatch.setenv("WYNOT_HOME", str(stage.home))
    oracle = flaky(stage, 'grep -q needed "$1" && every_other; exit 0')
    empty = stage.folder / "counts" / "4294967295_0"
    runs = []
    for _ in range(2):
        result = wynot.reduce(TEXT, oracle, options([], resume=True))
        assert (result.data, result.weak, result.minimal) == (b"needed\n", False, True)
        runs.append(len(empty.read_text()))
    assert runs[0] == runs[1] == 11 + 14  # and a closer look


def test_a_failure_that_ignores_its_input_is_not_isolated(stage: Stage) -> None:
    counts, target = stage.folder / "counts", stage.work / "pair"
    counts.mkdir()
    script = stage.script("flaky", CHANCE.replace("COUNTS", str(counts)))
    with pytest.raises(UsageError, match="the empty input fails, as often as the failing one: there is no difference"):
        wynot.isolate(TEXT, Command((str(script), "{}")), options([], output=target))
    assert [(target / side).read_bytes() for side in ("passing", "failing")] == [b"", TEXT]


def test_a_failure_that_ignores_its_tree_has_no_culprits(stage: Stage) -> None:
    counts = stage.folder / "counts"
    counts.mkdir()
    body = CHANCE.replace("COUNTS", str(counts)).replace('test -s "$1"', "grep -q new a.txt")
    script = Command((str(stage.script("flaky", body)),), inside=True)
    with pytest.raises(NoFailureError, match="does not pass the test: it fails, as often as the new one"):
        changes(sources({"a.txt": b"a\nold\nb\n"}, {"a.txt": b"a\nnew\nb\n"}), script, options([]))
