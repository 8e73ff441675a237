"""The record of a run: complete when it ends, valid when it is killed, silent when it cannot be kept."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
from contextlib import closing

import pytest

import wynot
from tests.support.stage import Stage, eventually
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL
from wynot.engine.journal import Journal
from wynot.engine.record.read import all_runs, delete_run, find_run, read_run
from wynot.engine.record.write import MOST, recording
from wynot.errors import BudgetEnded, Ended, Interrupted, NoFailureError, Stopped, UsageError

TEXT = "".join(f"line {number}\n" for number in range(8)) + "bug\n"


def reduced(stage: Stage, body: str = 'grep -q bug "$1"', **more: object) -> wynot.Reduced:
    stage.file("in.txt", TEXT)
    script = stage.script("check", body)
    options = wynot.Options(resume=True, **more)  # type: ignore[arg-type]
    return wynot.reduce(stage.work / "in.txt", wynot.Script(str(script)), options)


def test_a_run_leaves_a_record(stage: Stage) -> None:
    result = reduced(stage)
    run = find_run("last")
    assert (run.id, run.kind, run.status, run.facts["minimality"]) == (result.run, "reduce", "done", "1-minimal")
    assert (run.facts["before"], run.facts["after"], run.facts["unit"]) == (len(TEXT), 3, "bytes")
    assert run.facts["looked_for"] == "check exits 0"
    assert run.content("original") == TEXT.encode()
    assert run.content("result") == b"bug"
    assert set(run.facts["versions"]) == {"wynot", "python", "system", "program"}


def test_every_answer_is_there_in_order(stage: Stage) -> None:
    counts = reduced(stage).cost.counts
    steps = find_run("last").steps()
    assert len(steps) == counts.needed + counts.cached
    assert sum(step.cached for step in steps) == counts.cached
    assert [step.at for step in steps] == sorted(step.at for step in steps)
    assert steps[0].stage == "lines"
    assert all(step.config is not None and len(step.config) <= step.deltas for step in steps)
    assert any(step.outcome is FAIL for step in steps)


def test_a_second_run_does_not_blur_the_first(stage: Stage) -> None:
    """All its answers come from memory; what is shown is the attempt that found them out."""
    reduced(stage)
    before = find_run("last").steps()
    reduced(stage)
    assert find_run("last").steps() == before
    assert find_run("last").facts["attempt"] == 2


def test_a_run_that_goes_on_tells_all_of_it(stage: Stage) -> None:
    with pytest.raises(BudgetEnded):
        reduced(stage, budget_tests=4)
    run = find_run("last")
    assert (run.status, run.facts["minimality"]) == ("budget", None)
    short = len(run.steps())
    reduced(stage)
    assert find_run("last").status == "done"
    assert len(find_run("last").steps()) > short


def test_a_killed_run_is_a_run(stage: Stage) -> None:
    stage.file("in.txt", TEXT)
    stage.logging("check", 'grep -q bug "$1" && sleep 0.1')
    process = stage.start("reduce", "in.txt", "--test", "./check", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    eventually(lambda: len(stage.log) > 6, "some tests")
    running = find_run("last")
    assert running.status == "running"
    with pytest.raises(UsageError, match="in progress"):
        delete_run(running)
    process.send_signal(signal.SIGKILL)
    process.wait()
    eventually(lambda: find_run("last").status == "interrupted", "what was left of the run has ended, too")
    run = find_run("last")
    assert run.argv == ("reduce", "in.txt", "--test", "./check")
    assert run.content("original") == TEXT.encode()
    assert len(run.steps()) > 0


def test_a_failure_that_does_not_show_is_told(stage: Stage) -> None:
    with pytest.raises(NoFailureError):
        reduced(stage, "exit 1")
    assert find_run("last").status == "no failure"


def test_a_large_input_is_named_and_not_kept(stage: Stage) -> None:
    stage.file("in.txt", "x" * (MOST + 1) + "\nbug\n")
    script = stage.script("check", 'grep -q bug "$1"')
    wynot.reduce(stage.work / "in.txt", wynot.Script(str(script)), wynot.Options(resume=True))
    run = find_run("last")
    assert run.path.stat().st_size < MOST // 4
    assert run.content("original") == (stage.work / "in.txt").read_bytes()
    stage.file("in.txt", "another")
    assert run.content("original") is None


def test_a_large_result_is_shown_only_as_it_was(stage: Stage) -> None:
    text = "x" * (MOST + 1)
    stage.file("in.txt", f"{text}\nmore\n")
    script = stage.script("check", f'test $(wc -c <"$1") -gt {MOST}')
    options = wynot.Options(resume=True, atoms="lines", output=stage.work / "out.txt")
    wynot.reduce(stage.work / "in.txt", wynot.Script(str(script)), options)
    run = find_run("last")
    assert run.content("result") == f"{text}\n".encode()
    stage.file("out.txt", "the result of another run")
    assert run.content("result") is None


def test_a_run_that_is_about_to_begin_is_not_deleted(stage: Stage) -> None:
    """The journal is held before there is a record that says so: a cluster may keep it waiting."""
    run = reduced(stage).run
    assert run is not None
    with closing(Journal(run)), pytest.raises(UsageError, match="is in progress"):
        delete_run(find_run(run))
    delete_run(find_run(run))
    assert all_runs() == []


@pytest.mark.parametrize(
    ("end", "status"), [(BudgetEnded, "budget"), (Stopped, "stopped"), (Interrupted, "interrupted")]
)
def test_an_end_before_there_is_a_result_is_told_as_what_it_was(end: type[Ended], status: str) -> None:
    told: list[str] = []
    with pytest.raises(end), recording(lambda status, _result, _why: told.append(status)):
        raise end("so it ends")
    assert told == [status]


def test_what_is_kept_is_nobody_elses_business(stage: Stage) -> None:
    run = reduced(stage).run
    assert run is not None
    with closing(Journal(run)) as journal:
        journal.keep("more", b"f")
        files = [each for each in journal.path.parent.iterdir() if each.suffix != ".lock"]
        assert len(files) > 1
        assert not any(each.stat().st_mode & 0o077 for each in files)


def test_a_folder_is_kept(stage: Stage) -> None:
    (stage.work / "src").mkdir()
    stage.file("src/a.txt", "bug\n")
    stage.file("src/b.txt", "nothing\n")
    script = stage.script("check", 'grep -rq bug "$1"')
    wynot.reduce(stage.work / "src", wynot.Script(str(script)), wynot.Options(resume=True))
    run = find_run("last")
    assert run.content("original") == Folder.of({"a.txt": b"bug\n", "b.txt": b"nothing\n"})
    assert isinstance(run.content("result"), Folder)


def test_an_old_journal_tells_what_it_knows(stage: Stage) -> None:
    path = stage.home / "runs" / "0123456789abcdef.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE tests (number INTEGER PRIMARY KEY, digest, outcome, why, size, seconds)")
        db.execute("INSERT INTO tests VALUES (1, 'd', 'fail', '', 7, 0.5)")
        db.commit()
    run = read_run(path)
    assert (run.kind, run.status, run.tests, len(run.steps())) == ("unknown", "unknown", 1, 1)
    assert run.content("original") is None


def test_what_is_no_journal_does_no_harm(stage: Stage) -> None:
    path = stage.home / "runs" / "broken.db"
    path.parent.mkdir()
    path.write_bytes(b"this is no database")
    assert [(run.id, run.kind, run.tests) for run in all_runs()] == [("broken", "unknown", 0)]


def test_runs_are_found_by_their_beginnings(stage: Stage) -> None:
    for name in ("aa11", "aa22"):
        Journal(name).close()
    assert find_run("aa1").id == "aa11"
    assert find_run(str(stage.home / "runs" / "aa22.db")).id == "aa22"
    with pytest.raises(UsageError, match="beginning of 2 runs"):
        find_run("aa")
    with pytest.raises(UsageError, match="no run zz") as refused:
        find_run("zz")
    assert "wynot runs" in refused.value.hint


def test_configurations_of_many_deltas_are_not_kept(stage: Stage) -> None:
    stage.file("in.txt", "".join(f"line {number}\n" for number in range(300)) + "bug\n")
    script = stage.script("check", 'grep -q bug "$1"')
    options = wynot.Options(resume=True, atoms="lines")
    wynot.reduce(stage.work / "in.txt", wynot.Script(str(script)), options)
    steps = find_run("last").steps()
    assert {step.config is None for step in steps if step.deltas > 256} == {True}
