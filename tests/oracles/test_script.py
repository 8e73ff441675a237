"""Test scripts as oracles."""

from __future__ import annotations

import subprocess

import pytest

import wynot
from tests.support.fixtures import Benches
from tests.support.stage import Stage
from tests.support.watched import judged
from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.errors import UsageError
from wynot.oracles.protocol import Oracle, ProcessExit
from wynot.oracles.script import Script


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        (ProcessExit(0), FAIL),
        (ProcessExit(1), PASS),
        (ProcessExit(2), PASS),
        (ProcessExit(124), PASS),
        (ProcessExit(125), UNRESOLVED),
        (ProcessExit(127), PASS),
        (ProcessExit(255), PASS),
        (ProcessExit(None, signal=15), UNRESOLVED),
        (ProcessExit(None, timed_out=True), UNRESOLVED),
        (ProcessExit(None, flooded=True), UNRESOLVED),
    ],
)
def test_an_end_is_judged(ended: ProcessExit, outcome: Outcome) -> None:
    report = Script("/check").judge(ended)
    assert (report.outcome, report.why) == (outcome, str(ended))


@pytest.mark.parametrize(
    "ended", [ProcessExit(None, signal=9), ProcessExit(137), ProcessExit(0, out_of_memory=True)], ids=str
)
def test_a_script_that_was_killed_says_nothing(ended: ProcessExit) -> None:
    report = Script("/check").judge(ended)
    assert (report.outcome, report.why) == (UNRESOLVED, f"{ended}: killed from outside")


def test_a_script_gets_a_path_below_its_folder() -> None:
    examination = Script("/check").examine(Artifact("bug.c", b"x"), "/work")
    invocation = next(examination)
    assert invocation.argv == ("/check", "/work/bug.c")
    assert invocation.files == (("bug.c", b"x"),)
    assert invocation.stdin is None


def test_what_a_script_says_is_its_identity(stage: Stage) -> None:
    path = stage.script("check", "exit 0")
    script = Script(str(path))
    before = script.identity()
    assert script.identity() == before
    path.touch()
    assert script.identity() == before
    stage.script("check", "exit  0")
    assert script.identity() != before
    other = stage.script("other", "exit  0")
    assert Script(str(other)).identity() != script.identity()


def test_words_for_people(stage: Stage) -> None:
    path = stage.script("my check", 'cat "$1"')
    script = Script(str(path))
    assert script.looked_for() == "my check exits 0"
    name = stage.file("it's", "content")
    assert subprocess.check_output(["sh", "-c", script.by_hand(str(name))]) == b"content"


def test_a_script_is_an_oracle(stage: Stage, executors: Benches) -> None:
    oracle: Oracle = Script(str(stage.script("check", 'exit "$(cat "$1")"')))
    executor = executors(oracle)
    assert [judged(executor, data).outcome for data in (b"0", b"1", b"125")] == [FAIL, PASS, UNRESOLVED]


@pytest.mark.parametrize(
    ("content", "mode", "told"),
    [
        ("#!/no/such/interpreter\n", 0o755, "interpreter"),
        ("exit 0\n", 0o755, "no #! line"),
        ("", 0o755, "no #! line"),
        ("#!/bin/sh\n", 0o644, "Permission denied"),
    ],
)
def test_a_script_that_cannot_be_run_is_told(
    stage: Stage, executors: Benches, content: str, mode: int, told: str
) -> None:
    path = stage.file("check", content)
    path.chmod(mode)
    executor = executors(Script(str(path)))
    with pytest.raises(UsageError, match=told) as refused:
        judged(executor)
    assert refused.value.hint
    executor.close()
    stage.assert_clean()


def test_a_script_that_is_removed_while_it_is_used_is_told(stage: Stage, executors: Benches) -> None:
    path = stage.script("check", "exit 0")
    executor = executors(Script(str(path)))
    judged(executor, b"1")
    path.unlink()
    with pytest.raises(UsageError, match="cannot run"):
        judged(executor, b"2")
    executor.close()
    stage.assert_clean()


def test_a_relative_path_is_relative_to_the_current_folder(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests run in other folders."""
    stage.script("check", 'grep -q bug "$1"')
    monkeypatch.chdir(stage.work)
    assert wynot.reduce(b"a\nbug\n", wynot.Script("./check")).data == b"bug"
    assert Script("check") == Script(str(stage.work / "check"))
