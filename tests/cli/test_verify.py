"""`wynot verify`: the tests that prove a result, run again by the real program."""

from __future__ import annotations

import contextlib
import sqlite3
import sys

from click.testing import CliRunner

from tests.cli.conftest import TEXT
from tests.support.stage import LOOKS, Done, Stage
from wynot.cli.main import main


def reduced(stage: Stage, *more: object) -> Done:
    return stage.wynot("reduce", "in.txt", "--json", *more, "--test", "./check")


def test_only_the_proof_is_run_and_nothing_is_written(problem: Stage) -> None:
    """Of three letters: the result, and each part of it that the search had tried."""
    reduced(problem)
    (problem.work / "in.reduced.txt").unlink()
    count = len(problem.log)
    done = problem.wynot("verify", "last")
    assert done.code == 0
    assert "the result fails, as it did\n" in done.out
    assert done.out.splitlines()[-1] == f"it holds: 1-minimal ({len(problem.log) - count} tests, none from memory)"
    assert 4 <= len(problem.log) - count < count - LOOKS
    assert not (problem.work / "in.reduced.txt").exists()


def test_a_test_that_is_too_weak_proves_nothing(problem: Stage) -> None:
    problem.logging("check", "exit 0")
    assert problem.wynot("reduce", "in.txt", "--test", "./check").code == 1
    ending = problem.wynot("verify", "last").out.splitlines()[-1]
    assert "the test is too weak" in ending
    assert "minimal" not in ending


def test_a_bug_that_is_mended(problem: Stage) -> None:
    reduced(problem)
    problem.logging("check", "exit 1")
    done = problem.wynot("verify", "last")
    assert done.code == 1
    assert "the program, the test or wynot has changed since" in done.out
    assert "the result passes; it failed" in done.out
    assert "it does not hold: the result is no longer what it was" in done.out


def test_something_smaller_that_fails_by_now(problem: Stage) -> None:
    reduced(problem)
    problem.logging("check", 'grep -q bu "$1"')
    done = problem.wynot("verify", "last")
    assert done.code == 1
    assert "something smaller fails: 2 bytes\n  bu\n" in done.out
    assert "it does not hold: it is not 1-minimal" in done.out


def test_what_is_known_is_not_changed_by_it(problem: Stage) -> None:
    """The journal stays as it was, even if outcomes are others by now."""
    reduced(problem)
    problem.logging("check", "exit 1")
    problem.wynot("verify", "last")
    problem.logging("check", 'grep -q bug "$1"')
    assert reduced(problem).json["tests"] == 0
    assert problem.wynot("verify", "last").code == 0


def test_a_run_that_a_budget_ended_claims_nothing(problem: Stage) -> None:
    assert reduced(problem, "--budget-tests", "3").code == 3
    done = problem.wynot("verify", "last")
    first, second = done.err.splitlines()
    assert done.code == 2
    assert first.endswith("does not claim to be minimal: a budget ended it")
    assert "wynot runs resume" in second


def test_an_algorithm_that_proves_nothing_claims_nothing(problem: Stage) -> None:
    assert reduced(problem, "--algorithm", "ddplus").code == 0
    done = problem.wynot("verify", "last")
    assert (done.code, "its algorithm proves nothing" in done.err) == (2, True)


def test_programs_are_started_anew_for_a_proof(stage: Stage) -> None:
    stage.file("in.txt", TEXT)
    stage.file("prog.py", "import sys\nassert 'bug' not in open(sys.argv[1]).read()\n")
    words = ("--server", "--", sys.executable, "prog.py", "{}")
    assert "forked for each test" in stage.wynot("reduce", "in.txt", *words).err
    done = stage.wynot("verify", "last")
    assert (done.code, "--server" in done.err) == (0, False)


def test_another_input_is_another_question(problem: Stage) -> None:
    reduced(problem)
    problem.file("in.txt", TEXT + "more\n")
    done = problem.wynot("verify", "last")
    assert (done.code, "has changed" in done.err, "search again: wynot reduce" in done.err) == (2, True, True)


def test_a_command_that_does_not_come_to_the_result_proves_nothing(problem: Stage) -> None:
    """The record says that the run was the fourth of its command; the command has only one."""
    reduced(problem)
    (journal,) = problem.home.rglob("*.db")
    with contextlib.closing(sqlite3.connect(journal)) as opened, opened:
        ((name, text),) = [row for row in opened.execute("SELECT name, value FROM facts") if '"part": 0' in row[1]]
        opened.execute("UPDATE facts SET value = ? WHERE name = ?", (text.replace('"part": 0', '"part": 3'), name))
    done = problem.wynot("verify", "last")
    assert done.code == 2
    assert "cannot be verified: its command ended without its result\n  search again: wynot reduce" in done.err


def test_unknown(stage: Stage) -> None:
    done = CliRunner().invoke(main, ["verify", "zzz"])
    assert (done.exit_code, done.stderr) == (2, "wynot: there is no run zzz\n  list all runs: wynot runs\n")
