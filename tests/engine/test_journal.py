"""The journal: outcomes and facts on disk, one holder at a time, and no reason to end a run."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import wynot
from tests.support.stage import Stage
from wynot.core.artifact import digest
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.core.run_events import Caution, Event
from wynot.engine.journal import MANY, Journal, runs_folder
from wynot.errors import BusyError, PlaceError
from wynot.oracles.protocol import Report

A, B, C = (digest(text) for text in (b"a", b"b", b"c"))
HOLD = """
import sys, time
from wynot.engine.journal import Journal
journal = Journal("run")
print("held", flush=True)
time.sleep(1000)
"""


def opened(**more: Any) -> closing[Journal]:
    return closing(Journal("run", **more))


@contextmanager
def held_by_another(stage: Stage) -> Iterator[subprocess.Popen[bytes]]:
    """Another process has the journal."""
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(command, env=stage.env, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"held\n"
            yield process
        finally:
            process.kill()


def test_what_is_put_is_found_again(stage: Stage) -> None:
    with opened() as journal:
        assert journal.outcomes() == {}
        assert journal.report(A) is None
        for key, outcome in ((A, FAIL), (B, PASS), (C, UNRESOLVED)):
            journal.put(key, Report(outcome, f"why: {outcome.value}", 0.25), 7)
    with opened() as journal:
        assert journal.outcomes() == {A: FAIL, B: PASS, C: UNRESOLVED}
        assert journal.report(C) == Report(UNRESOLVED, "why: unresolved", 0.25)


def test_stages_are_written_with_the_answers(stage: Stage) -> None:
    """They cost no transaction of their own, and none is lost at the end."""
    with opened() as journal:
        journal.tell_stage(1, 0, "items", 5)
        journal.tell((1, 0, 0.5, "pass", 7, False, None, None))
        journal.tell_stage(1, 1, "tree", 3)
        path = journal.path
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT * FROM stages ORDER BY stage").fetchall() == [(1, 0, "items", 5), (1, 1, "tree", 3)]


def test_facts_are_found_again_and_the_last_one_counts(stage: Stage) -> None:
    with opened() as journal:
        assert journal.fact("failure") is None
        journal.state("failure", {"exit": 1, "signal": None})
        journal.state("failure", {"exit": None, "signal": 11})
        journal.state("other", ["ä", 1.5, None])
    with opened() as journal:
        assert journal.fact("failure") == {"exit": None, "signal": 11}
        assert journal.fact("other") == ["ä", 1.5, None]


class _CtrlC(str):
    """What a test printed; Ctrl-C comes while it is written down."""

    __slots__ = ()

    def encode(self, *_: str, **__: str) -> bytes:
        raise KeyboardInterrupt


def test_ctrl_c_while_something_is_written_loses_nothing_else(stage: Stage) -> None:
    with opened() as journal:
        for _ in range(MANY):
            journal.tell((1, 1, 0.5, "pass", 7, False, None, None))
        with pytest.raises(KeyboardInterrupt):
            journal.put(A, Report(UNRESOLVED, evidence=_CtrlC("x")), 7, heeding=True)
        journal.state("result", "the best so far")
        journal.flush()
        assert journal.broken is None
    with opened() as journal:
        assert journal.outcomes() == {}
        assert journal.attempts() == {1: MANY}
        assert journal.fact("result") == "the best so far"


def test_a_fresh_journal_is_empty(stage: Stage) -> None:
    with opened() as journal:
        journal.put(A, Report(FAIL), 1)
        journal.state("failure", 1)
    with opened(fresh=True) as journal:
        assert journal.outcomes() == {}
        assert journal.fact("failure") is None


def test_what_was_put_is_on_disk_at_once(stage: Stage) -> None:
    """Another process reads it while the journal is open: nothing waits for its end."""
    with opened() as journal:
        journal.put(A, Report(FAIL), 1)
        command = [
            sys.executable,
            "-c",
            "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT outcome FROM tests'))",
        ]
        assert subprocess.check_output([*command, str(journal.path)]) == b"('fail',)\n"


def test_journals_are_below_wynot_home(stage: Stage) -> None:
    assert runs_folder() == stage.home / "runs"
    with opened() as journal:
        assert journal.path == stage.home / "runs" / "run.db"


def test_a_second_process_is_refused_and_told_who_has_it(stage: Stage) -> None:
    with held_by_another(stage) as holder:
        with pytest.raises(BusyError, match=f"another process .*{holder.pid}") as refused:
            Journal("run")
        assert f"kill {holder.pid}" in refused.value.hint
        with pytest.raises(BusyError):
            Journal("run", fresh=True)
        with closing(Journal("another")) as journal:
            assert journal.outcomes() == {}


def test_a_second_opening_in_the_same_process_is_refused(stage: Stage) -> None:
    with opened(), pytest.raises(BusyError, match=str(os.getpid())):
        Journal("run")
    with opened():
        pass


def test_the_refused_one_does_no_harm(stage: Stage) -> None:
    with opened() as journal:
        journal.put(A, Report(FAIL), 1)
        with pytest.raises(BusyError):
            Journal("run", fresh=True)
        journal.put(B, Report(PASS), 1)
    with opened() as journal:
        assert journal.outcomes() == {A: FAIL, B: PASS}


def test_a_holder_that_was_killed_holds_no_more(stage: Stage) -> None:
    with held_by_another(stage) as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with opened() as journal:
            assert journal.outcomes() == {}


class _Full(sqlite3.Connection):
    """A connection to a disk that is full after some rows."""

    left = 0

    def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
        if sql.startswith("INSERT"):
            if not _Full.left:
                raise sqlite3.OperationalError("database or disk is full")
            _Full.left -= 1
        return super().execute(sql, *more)


class _Broken(sqlite3.Connection):
    """A connection to a disk that gives nothing back."""

    def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
        if sql.startswith(("INSERT", "SELECT")):
            raise sqlite3.DatabaseError("database disk image is malformed")
        return super().execute(sql, *more)


def connecting(monkeypatch: pytest.MonkeyPatch, kind: type[sqlite3.Connection]) -> None:
    """From now on journals have connections of this kind."""
    connect = sqlite3.connect

    def other(path: Path, **more: Any) -> sqlite3.Connection:
        return connect(path, **more, factory=kind)

    monkeypatch.setattr("wynot.engine.journal.sqlite3.connect", other)


@pytest.mark.parametrize("left", [0, 1, 2, 5])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_does_not_end_a_run(stage: Stage, monkeypatch: pytest.MonkeyPatch, left: int, jobs: int) -> None:
    monkeypatch.setattr(_Full, "left", left)
    connecting(monkeypatch, _Full)
    events: list[Event] = []
    oracle = wynot.Script(str(stage.script("check", 'grep -q bug "$1"')))
    options = wynot.Options(resume=True, jobs=jobs, listener=events.append)
    result = wynot.reduce(b"1\n2\n3\n4\nbug\n5\n", oracle, options)
    assert (result.data, result.minimal) == (b"bug", True)
    warnings = [event.message for event in events if isinstance(event, Caution)]
    assert warnings == ["the journal cannot be written (database or disk is full); this run cannot be resumed"]


def test_a_full_disk_does_not_end_a_run_of_a_command(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command's failure is a fact in the journal, too."""
    connecting(monkeypatch, _Full)
    oracle = wynot.Command(("sh", "-c", "grep -q bug && exit 3; exit 0"))
    result = wynot.reduce(b"1\n2\nbug\n5\n", oracle, wynot.Options(resume=True))
    assert (result.data, result.looked_for) == (b"bug", "exit code 3")


def test_a_journal_that_cannot_be_read_is_told_in_one_line(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    connecting(monkeypatch, _Broken)
    oracle = wynot.Script(str(stage.script("check", 'grep -q bug "$1"')))
    with pytest.raises(PlaceError, match="malformed"):
        wynot.reduce(b"1\nbug\n", oracle, wynot.Options(resume=True))
    stage.assert_clean()


def test_a_folder_that_cannot_be_made_is_told_in_one_line(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WYNOT_HOME", str(stage.file("file", "")))
    with pytest.raises(PlaceError, match="cannot keep a journal") as refused:
        Journal("run")
    assert "WYNOT_HOME" in refused.value.hint


def test_a_file_that_is_no_journal_is_told_and_fresh_replaces_it(stage: Stage) -> None:
    path = stage.home / "runs" / "run.db"
    path.parent.mkdir()
    path.write_bytes(b"this is no database, whatever its name says\n" * 100)
    with pytest.raises(PlaceError, match="not a database"):
        Journal("run")
    with opened(fresh=True) as journal:
        journal.put(A, Report(FAIL), 1)
        assert journal.outcomes() == {A: FAIL}
