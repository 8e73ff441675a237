"""Tests that something other than wynot kills: repeated, and unresolved if that does not help."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.fixtures import Benches
from tests.support.stage import Stage
from tests.support.watched import judged
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.engine.executors.local import REPEATS, LocalExecutor
from wynot.engine.executors.sandbox import OutOfMemory
from wynot.oracles.command import Command
from wynot.oracles.differs_from import DiffersFrom
from wynot.oracles.protocol import Report
from wynot.oracles.script import Conditions, Script

KILLED_TWICE = """
n=$(wc -c < {counts}/n); printf x >> {counts}/n
[ $n -lt {times} ] && {kill}
grep -q bug "$1"
"""
ITSELF = "kill -9 $$"
ITS_CHILD = "{ sh -c 'kill -9 $$'; exit $?; }"


def killing(stage: Stage, times: int, kill: str = ITSELF) -> Script:
    """A test script that is killed the first times it runs."""
    (stage.folder / "n").touch()
    body = KILLED_TWICE.replace("{counts}", str(stage.folder)).replace("{times}", str(times)).replace("{kill}", kill)
    return Script(str(stage.script("check", body)))


def report_of(executor: LocalExecutor, data: bytes) -> Report:
    executor.submit(b"key", data)
    ((_, report),) = executor.wait()
    return report


@pytest.mark.parametrize("kill", [ITSELF, ITS_CHILD], ids=["itself", "child"])
def test_a_script_that_was_killed_by_chance_is_repeated(stage: Stage, executors: Benches, kill: str) -> None:
    report = report_of(executors(killing(stage, REPEATS, kill)), b"bug")
    assert (report.outcome, report.kills, report.killed) == (FAIL, REPEATS, False)


@pytest.mark.parametrize("kill", [ITSELF, ITS_CHILD], ids=["itself", "child"])
def test_a_script_that_is_killed_each_time_is_unresolved(stage: Stage, executors: Benches, kill: str) -> None:
    report = report_of(executors(killing(stage, 99, kill)), b"bug")
    assert (report.outcome, report.kills, report.killed) == (UNRESOLVED, REPEATS + 1, True)
    assert "killed from outside" in report.why


def test_a_program_that_is_always_killed_is_not_repeated_for_ever(stage: Stage, executors: Benches) -> None:
    executor = executors(killing(stage, 10_000))
    for _ in range(30):
        assert report_of(executor, b"bug").killed
    assert executor.runs < 30 + 6 * REPEATS


def test_the_last_repeat_runs_alone(stage: Stage, executors: Benches) -> None:
    """As long as another test runs beside it, the script is killed."""
    alone = f"""
    mkdir {stage.folder}/$$; trap 'rmdir {stage.folder}/$$' EXIT
    grep -q slow "$1" && {{ sleep 0.3; exit 1; }}
    [ $(ls -d {stage.folder}/[0-9]* | wc -l) -gt 1 ] && exit 137
    exit 0"""
    executor = executors(Script(str(stage.script("check", alone))), 2)
    executor.submit(b"slow", b"slow")
    while not list(stage.folder.glob("[0-9]*")):
        pass
    executor.submit(b"bug", b"bug")
    reports: dict[bytes, Report] = {}
    while len(reports) < 2:
        reports.update(executor.wait())
    assert (reports[b"slow"].outcome, reports[b"bug"].outcome) == (PASS, FAIL)
    assert reports[b"bug"].kills == REPEATS


def test_a_test_that_waits_to_run_alone_can_be_stopped(stage: Stage, executors: Benches) -> None:
    script = stage.script("check", 'grep -q slow "$1" && exec sleep 60; kill -9 $$')
    executor = executors(Script(str(script)), 2)
    executor.submit(b"slow", b"slow")
    executor.submit(b"bug", b"bug")
    executor.wait(1.0)
    assert executor.free == 0
    executor.kill(b"bug")
    assert executor.free == 1
    executor.kill(b"slow")
    executor.wait(5.0)
    assert executor.free == 2


def test_outcomes_of_killed_tests_are_not_in_the_journal_and_asked_for_again(stage: Stage) -> None:
    """The script of the report: out of memory in the first run, enough of it in the second."""
    stage.file("in.txt", "one\nbug\ntwo\n")
    memory = stage.folder / "low-memory"
    stage.logging("check", f'[ -e {memory} ] && ! grep -q two "$1" && kill -9 $$\ngrep -q bug "$1"')
    memory.touch()
    done = stage.wynot("reduce", "in.txt", "--atoms", "lines", "--test", "./check", "--json")
    assert (done.code, done.json["size_after"]) == (0, 8)
    assert done.json["killed_outside"] > 0
    assert "killed from outside (SIGKILL; out of memory?)" in done.err
    (path,) = stage.home.glob("runs/*.db")
    with closing(sqlite3.connect(path)) as db:
        assert not db.execute("SELECT 1 FROM tests WHERE why LIKE '%SIGKILL%' OR why LIKE '%137%'").fetchall()
    memory.unlink()
    again = stage.wynot("reduce", "in.txt", "--atoms", "lines", "--test", "./check", "--json")
    assert (again.code, again.json["size_after"], again.json["killed_outside"]) == (0, 4, 0)
    assert "killed from outside" not in again.err


def test_a_command_that_is_killed_by_chance_is_repeated(stage: Stage, executors: Benches) -> None:
    executor = executors(Command((killing(stage, 1).path, "{}")))
    assert judged(executor, b"bug").outcome is PASS


@pytest.mark.parametrize("conditions", [Conditions(signal=9), Conditions(exit=137)], ids=str)
def test_a_kill_that_is_the_failure_is_not_repeated(stage: Stage, executors: Benches, conditions: Conditions) -> None:
    end = "kill -9 $$" if conditions.signal else "exit 137"
    executor = executors(Command((str(stage.script("prog", end)), "{}"), conditions))
    assert (judged(executor).outcome, executor.runs) == (FAIL, 1)


def test_a_program_that_always_ends_by_sigkill_can_be_reduced(stage: Stage) -> None:
    stage.file("in.txt", "one\nbug\ntwo\n")
    stage.script("prog", 'grep -q bug "$1" && kill -9 $$; exit 0')
    done = stage.wynot("reduce", "in.txt", "--", "./prog", "{}")
    assert (done.code, (stage.work / "in.reduced.txt").read_text()) == (0, "bug")
    assert "looking for: SIGKILL" in done.err
    assert "killed from outside" not in done.told


def test_two_commands_do_not_differ_because_one_was_killed(stage: Stage, executors: Benches) -> None:
    one, other = (Command((str(stage.script(name, body)), "{}")) for name, body in (("a", ITSELF), ("b", "exit 0")))
    assert judged(executors(DiffersFrom(one, other))).outcome is UNRESOLVED


@pytest.mark.parametrize(("rises", "outcome"), [(1, FAIL), (99, UNRESOLVED)])
def test_a_script_that_hides_what_the_kernel_killed(
    stage: Stage, executors: Benches, rises: int, outcome: Outcome
) -> None:
    """`compiler 2>&1 | grep 'internal error'` says no where the compiler was killed: the kernel's counter says so."""
    counter = stage.folder / "vmstat"
    counter.write_text("oom_kill 0\n")
    (stage.folder / "n").touch()
    body = f"""
    n=$(wc -c < {stage.folder}/n); printf x >> {stage.folder}/n; sleep 0.1
    [ $n -lt {rises} ] && echo "oom_kill $((n + 1))" > {counter} && exit 1
    grep -q bug "$1" """
    executor = executors(Script(str(stage.script("check", body))))
    executor._memory = OutOfMemory(str(counter))
    assert judged(executor, b"bug").outcome is outcome


def test_the_counter_of_this_system_can_be_read(tmp_path: Path) -> None:
    assert OutOfMemory(str(tmp_path / "none")).look() == 0
    (tmp_path / "vmstat").write_text("pgfault 3\noom_kill 12\nnuma 5\n")
    assert OutOfMemory(str(tmp_path / "vmstat")).look() == 12
