"""Test scripts as oracles."""

from __future__ import annotations

import subprocess

import pytest

from tests.run.conftest import Benches
from tests.run.stage import Stage
from tests.run.watched import judged
from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.errors import UsageError
from wynot.oracles.script import Script
from wynot.oracles.words import Ended, Oracle


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        (Ended(0), FAIL),
        (Ended(1), PASS),
        (Ended(2), PASS),
        (Ended(124), PASS),
        (Ended(125), UNRESOLVED),
        (Ended(127), PASS),
        (Ended(255), PASS),
        (Ended(None, signal=15), UNRESOLVED),
        (Ended(None, timed_out=True), UNRESOLVED),
        (Ended(None, flooded=True), UNRESOLVED),
    ],
)
def test_an_end_is_judged(ended: Ended, outcome: Outcome) -> None:
    report = Script("/check").judge(ended)
    assert (report.outcome, report.why) == (outcome, str(ended))


@pytest.mark.parametrize("ended", [Ended(None, signal=9), Ended(137), Ended(0, out_of_memory=True)], ids=str)
def test_a_script_that_was_killed_says_nothing(ended: Ended) -> None:
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


def test_a_script_is_an_oracle(stage: Stage, benches: Benches) -> None:
    oracle: Oracle = Script(str(stage.script("check", 'exit "$(cat "$1")"')))
    bench = benches(oracle)
    assert [judged(bench, data).outcome for data in (b"0", b"1", b"125")] == [FAIL, PASS, UNRESOLVED]


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
    stage: Stage, benches: Benches, content: str, mode: int, told: str
) -> None:
    path = stage.file("check", content)
    path.chmod(mode)
    bench = benches(Script(str(path)))
    with pytest.raises(UsageError, match=told) as refused:
        judged(bench)
    assert refused.value.hint
    bench.close()
    stage.assert_clean()


def test_a_script_that_is_removed_while_it_is_used_is_told(stage: Stage, benches: Benches) -> None:
    path = stage.script("check", "exit 0")
    bench = benches(Script(str(path)))
    judged(bench, b"1")
    path.unlink()
    with pytest.raises(UsageError, match="cannot run"):
        judged(bench, b"2")
    bench.close()
    stage.assert_clean()
