"""How to go on with what ended early: one line says it, and it is true."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sqlite3
import sys
from collections.abc import Iterator

import pytest

from tests.cli.conftest import TEXT
from tests.support.repos import Repo
from tests.support.stage import Done, Stage, eventually
from wynot.engine.journal import Journal
from wynot.engine.session import hint_how_to_resume
from wynot.errors import Interrupted, Stopped

LOOP = "total = 0\nfor k in range(9):\n    total += k\nnoise = 1\nassert total != 36\n"


def onward(done: Done) -> str:
    """The name of the run that is to be gone on with."""
    found = re.fullmatch(r"  go on with: wynot runs resume (\w{8})", done.err.splitlines()[-1])
    assert found, done.err
    return found[1]


@pytest.mark.parametrize("command", ["reduce", "isolate"])
def test_what_was_begun_anew_is_not_begun_anew_again(problem: Stage, command: str) -> None:
    """Ctrl-C, with --fresh: the line that is said repeats no test."""
    problem.logging("check", f'[ -e {problem.folder}/go ] || [ $(wc -l < {problem.folder}/log) -lt 8 ] || sleep 1000\n'
                    'grep -q bug "$1"')  # fmt: skip
    process = problem.start(command, "in.txt", "--fresh", "--timeout", "1000s", "--test", "./check")
    eventually(lambda: len(problem.log) >= 8, "a test hangs")
    process.send_signal(signal.SIGINT)
    done = problem.ended(process)
    assert done.code == 130
    assert done.err.splitlines()[-2] == "wynot: interrupted"
    (problem.folder / "go").touch()
    again = problem.wynot("runs", "resume", onward(done))
    assert again.code == 0, again.err
    assert problem.repeated(TEXT, starts=2) <= 1  # the one under way


def hanging(problem: Stage) -> None:
    """The eighth test hangs."""
    problem.logging("check", f'[ $(wc -l < {problem.folder}/log) -lt 8 ] || sleep 1000\ngrep -q bug "$1"')


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_is_gone_on_with_can_be_interrupted(problem: Stage, number: int) -> None:
    """It hears signals itself, and says how to go on."""
    hanging(problem)
    words = ("reduce", "in.txt", "--timeout", "1000s", "--test", "./check")
    run = onward(problem.wynot(*words, "--budget-tests", "2"))
    process = problem.start("runs", "resume", run, start_new_session=True)
    eventually(lambda: len(problem.log) >= 8, "a test hangs")
    os.killpg(process.pid, number)  # as a terminal does it
    done = problem.ended(process)
    assert done.code == 130
    assert onward(done) == run
    assert done.err.count("wynot: ") == 1
    problem.assert_clean()


@contextlib.contextmanager
def _once_more() -> Iterator[None]:
    try:
        yield
    finally:
        raise KeyboardInterrupt


def test_ctrl_c_twice(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was being done when it came once more, the end says what was found and how to go on."""
    monkeypatch.setenv("WYNOT_HOME", str(stage.home))
    with contextlib.closing(Journal("0123456789abcdef")) as journal:
        with pytest.raises(Interrupted) as early, hint_how_to_resume(journal, ("reduce",)), _once_more():
            raise Interrupted("interrupted", best=b"bug")
        assert (early.value.best, early.value.hint) == (b"bug", "go on with: wynot runs resume 01234567")
        with pytest.raises(Interrupted) as early, hint_how_to_resume(journal, ("reduce",)):
            raise KeyboardInterrupt
        assert (early.value.best, early.value.hint) == (None, "go on with: wynot runs resume 01234567")


def test_changes_go_on(stage: Stage) -> None:
    for name in ("old", "new"):
        (stage.work / name).mkdir()
        stage.file(f"{name}/a.txt", "".join(f"{n} {name if n % 6 == 0 else 'same'}\n" for n in range(60)))
    stage.script("check", f"echo run >> {stage.folder}/log; grep -q '^30 new' a.txt")
    words = ("changes", "old", "new", "--json", "--test", "./check")
    done = stage.wynot(*words, "--fresh", "--budget-tests", "2")
    assert done.code == 3
    run, count = onward(done), len(stage.log)
    again = stage.wynot("runs", "resume", run)
    assert again.json["run"][:8] == run
    assert again.json["cached"] > 0
    assert len(stage.log) - count <= 2 + 1  # as many again; and the one that no budget lets come to its end


def test_traces_go_on(stage: Stage) -> None:
    stage.file("prog.py", LOOP)
    done = stage.wynot("trace", "--json", "--fresh", "--budget-tests", "3", "--", sys.executable, "prog.py")
    assert done.code == 3
    again = stage.wynot("runs", "resume", onward(done))
    assert [column["run"][:8] for column in again.json["columns"]] == [onward(done)]
    assert again.json["columns"][0]["cached"] > 0


def test_nothing_is_promised_where_nothing_is_kept(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """No command, no journal, or one that cannot be written."""
    monkeypatch.setenv("WYNOT_HOME", str(stage.home))
    with contextlib.closing(Journal("0123456789abcdef")) as journal:
        for kept, typed, hint in (
            (journal, ("reduce",), "go on with: wynot runs resume 01234567"),
            (journal, (), ""),
            (None, ("reduce",), ""),
        ):
            with pytest.raises(Stopped) as stopped, hint_how_to_resume(kept, typed):
                raise Stopped("stopped")
            assert stopped.value.hint == hint
        journal.broken = "no room"
        with pytest.raises(Stopped) as stopped, hint_how_to_resume(journal, ("reduce",)):
            raise Stopped("stopped")
        assert stopped.value.hint == ""


def ended(stage: Stage, *more: str) -> str:
    """A run that a budget has ended; gives its name."""
    done = stage.wynot("reduce", "in.txt", *more, "--budget-tests", "2", "--test", "./check")
    assert done.code == 3
    return onward(done)


def journals(stage: Stage) -> list[str]:
    return sorted(path.name for path in (stage.home / "runs").glob("*.db"))


def test_another_input_is_refused(problem: Stage) -> None:
    """It would be another run: nothing is tested, nothing begun, and it is said what to type for that."""
    run = ended(problem, "--fresh")
    count, before = len(problem.log), journals(problem)
    problem.file("in.txt", TEXT + "more\n")
    done = problem.wynot("runs", "resume", run)
    command = "wynot reduce in.txt --fresh --budget-tests 2 --test ./check"
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"wynot: run {run} cannot go on: in.txt has changed since\n"
        f"  put it back as it was; or begin another run: {command}\n"
    )
    assert (len(problem.log), journals(problem)) == (count, before)
    work, problem.work = problem.work, problem.folder
    assert f"another run: cd {work} && {command}\n" in problem.wynot("runs", "resume", run).err


def test_another_test_is_refused(problem: Stage) -> None:
    run = ended(problem)
    problem.logging("check", 'grep -q "line 3" "$1"')
    done = problem.wynot("runs", "resume", run)
    assert done.code == 2
    assert "cannot go on: the test, the program that it runs, or wynot itself has changed since\n" in done.err


def test_a_trace_goes_on_the_day_after(stage: Stage) -> None:
    """A program sees the day of its record: so the replays of the next day are those of the same run."""
    stage.file("prog.py", LOOP)
    words = ("--json", "--budget-tests", "3", "--", sys.executable, "prog.py")
    run = onward(stage.wynot("trace", "--clock", "2020-01-31T12:00+00:00", *words))
    (path,) = (stage.home / "runs").glob(f"{run}*.db")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        ((text,),) = db.execute("SELECT value FROM facts WHERE name = 'record'")
        facts = json.loads(text) | {"argv": ["trace", *words], "begun": "2020-01-31T09:00:00+00:00"}
        db.execute("UPDATE facts SET value = ? WHERE name = 'record'", (json.dumps(facts),))
    again = stage.wynot("runs", "resume", run)
    assert again.json["columns"][0]["run"][:8] == run, again.err


def test_parts_of_a_command_go_on(stage: Stage) -> None:
    """A bisection makes two runs: the second one is found by its place."""
    repo = Repo(stage.work / "repo")
    repo.commit("start", {"check.sh": b"! (grep -q bad 2.txt && grep -q bad 4.txt) 2>/dev/null\n"})
    for number in range(1, 6):
        repo.commit(f"commit {number}", {f"{number}.txt": b"bad\n"})
    stage.work = repo.path
    assert stage.wynot("bisect", "HEAD~5", "HEAD", "--", "sh", "check.sh").code == 0
    runs = stage.wynot("runs", "--json").json["runs"]
    assert len(runs) == 2
    for each in runs:
        done = stage.wynot("runs", "resume", each["run"])
        assert done.code == 0, done.err
