"""Journals of an earlier version are read: a run is listed, reported, verified and resumed.

The version is part of the question. After a release, a run is not resumed: one line says that it starts afresh.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from tests.golden.journals import RESULT, WORDS, name_here, outcomes, restored
from tests.support.stage import AFTER, Stage

OTHER = "0123456789abcdef"
"""The name of a run of another version of wynot."""
BOTH = pytest.mark.parametrize("name", ["finished", "interrupted"])


@BOTH
def test_runs_lists_it(stage: Stage, name: str) -> None:
    restored(stage, name, OTHER)
    (listed,) = stage.here("runs", "--json").json["runs"]
    status, tests = {"finished": ("done", 28), "interrupted": ("interrupted", 7)}[name]
    known = {"run": OTHER, "status": status, "kind": "reduce", "argv": [*WORDS], "tests": tests, "shown": "in.txt"}
    assert known.items() <= listed.items()
    assert OTHER[:8] in stage.here("runs").out


@BOTH
def test_report_tells_each_step(stage: Stage, name: str) -> None:
    path = restored(stage, name, OTHER)
    with closing(sqlite3.connect(path)) as db:
        (answers,) = db.execute("SELECT count(*) FROM answers").fetchone()
    for form in ("html", "md", "svg", "json"):
        done = stage.here("report", OTHER, "--format", form, "-o", "-")
        assert (done.code, done.err) == (0, ""), form
    assert len(json.loads(done.out)["steps"]) == answers


def test_a_finished_run_is_verified(stage: Stage) -> None:
    """Only the proof is run again. It is reported that the run is of another version."""
    path = restored(stage, "finished", OTHER)
    told = stage.here("verify", OTHER, "--json").json
    assert (told["holds"], told["changed"], told["minimality"]) == (True, True, "1-minimal")
    assert 0 < told["tests"] < outcomes(path)


def test_a_finished_run_is_remembered(stage: Stage) -> None:
    run = name_here(stage)
    restored(stage, "finished", run)
    told = stage.here(*WORDS, "--json").json
    assert (told["run"], told["tests"], told["from_run"]) == (run, 0, run)
    assert (stage.work / "in.reduced.txt").read_bytes() == RESULT


def test_an_interrupted_run_goes_on(stage: Stage) -> None:
    """No test is run twice, but for looks at the input and the result."""
    run = name_here(stage)
    known = outcomes(restored(stage, "interrupted", run))
    done = stage.wynot("runs", "resume", run)
    assert done.code == 0, done.err
    assert (stage.work / "in.reduced.txt").read_bytes() == RESULT
    log = stage.log[:-AFTER]
    assert len(log) == len(set(log)), "each candidate once"
    whole = stage.here(*WORDS, "--json", "--fresh").json
    assert len(log) - 1 == whole["tests"] - (known - whole["baseline_tests"] - 1)


def test_an_interrupted_run_is_not_verified(stage: Stage) -> None:
    restored(stage, "interrupted", OTHER)
    done = stage.here("verify", OTHER)
    assert (done.code, done.out) == (2, "")
    assert f"wynot runs resume {OTHER[:8]}" in done.err


def test_a_run_of_another_version_does_not_go_on(stage: Stage) -> None:
    """One line says why, another one what to type; that search starts afresh, and the journal stays."""
    path = restored(stage, "interrupted", OTHER)
    done = stage.wynot("runs", "resume", OTHER)
    said, hint = done.err.splitlines()
    assert done.code == 2
    assert said.startswith(f"wynot: run {OTHER[:8]} cannot go on: ")
    assert "wynot itself has changed" in said
    assert hint.endswith(f"begin another run: wynot {' '.join(WORDS)}")
    told = stage.here(*WORDS, "--json").json
    assert (told["run"] == OTHER, told["from_run"], told["minimality"]) == (False, None, "1-minimal")
    assert path.exists()
