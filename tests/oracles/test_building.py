"""Builds before tests, tests inside of the folder, and what is kept of runs that came to nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.oracles.test_combined import driven
from wynot.core.artifact import Artifact
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.oracles.command import Command
from wynot.oracles.differs_from import DiffersFrom
from wynot.oracles.extra_commands import BuildFirst, ValidIf
from wynot.oracles.failure_rate import RepeatedOracle
from wynot.oracles.protocol import CONSTRUCTION, EVIDENCE, EXECUTION, Invocation, Oracle, ProcessExit, Report, printed
from wynot.oracles.script import Script

TREE = Artifact("tree", Folder.of({"Makefile": b"all:", "a.c": b""}))
FILES = TREE.files


def answering(**ends: ProcessExit) -> Callable[[Invocation], ProcessExit]:
    """The end of each run, by whether it is the build."""
    return lambda invocation: ends["build" if invocation.makes else "test"]


def examined(oracle: Oracle, **ends: ProcessExit) -> tuple[Report, list[Invocation]]:
    report, asked = driven(oracle.examine(TREE, "/w"), answering(**ends))
    assert isinstance(report, Report)
    return report, asked


def test_a_script_inside_gets_the_path_and_runs_there() -> None:
    report, asked = examined(Script("/check", inside=True), test=ProcessExit(0))
    assert asked == [Invocation(("/check", "/w/tree"), FILES, within="tree")]
    assert report.outcome is FAIL


@pytest.mark.parametrize(
    ("argv", "run"),
    [
        (("make", "test"), ("make", "test")),
        (("/bin/check", "{}/a.c"), ("/bin/check", "/w/tree/a.c")),
        (("./check", "a.c"), ("/bin/sh", "-c", 'exec "$0" "$@"', "./check", "a.c")),
        (("{}/check",), ("/bin/sh", "-c", 'exec "$0" "$@"', "/w/tree/check")),
    ],
)
def test_a_command_inside_runs_there(argv: tuple[str, ...], run: tuple[str, ...]) -> None:
    """A program that is in the folder may be missing in some of them: a shell says so, and goes on."""
    _, asked = examined(Command(argv, inside=True), test=ProcessExit(0))
    assert asked == [Invocation(run, FILES, within="tree")]


def test_by_hand_a_command_inside_is_run_inside() -> None:
    assert Command(("make", "{}/x"), inside=True).by_hand("my tree") == "(cd 'my tree' && make 'my tree/x')"


def test_files_of_the_folder_are_no_part_of_the_test(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is inside changes from test to test; what is here, under the same name, does not matter."""
    monkeypatch.chdir(str(tmp_path))
    oracle = Command(("cat", "dir/file"), inside=True)
    before = oracle.identity()
    from pathlib import Path  # noqa: PLC0415

    Path("dir").mkdir()
    Path("dir/file").write_text("other")
    assert oracle.identity() == before


def test_the_words_of_a_program_are_its_own() -> None:
    """The words of an input say nothing about a failure. Those of a program are the failure."""
    tree = Artifact("tree", Folder.of({"a.py": b"def frobnicate(): ..."}))
    learnt, _ = driven(
        Command(("x",), inside=True).observe(tree, "/w"), lambda _: ProcessExit(1, stderr=b"bad frobnicate")
    )
    assert isinstance(learnt, tuple)
    assert learnt[0].vocabulary == frozenset()
    other, _ = driven(learnt[0].examine(tree, "/w"), lambda _: ProcessExit(1, stderr=b"bad other"))
    assert isinstance(other, Report)
    assert other.outcome is UNRESOLVED


def test_a_build_comes_first_and_the_test_finds_what_it_made() -> None:
    report, asked = examined(
        BuildFirst(Script("/check", inside=True), "make -C {} all"), build=ProcessExit(0), test=ProcessExit(1)
    )
    build, test = asked
    assert build == Invocation(("/bin/sh", "-c", "make -C /w/tree all"), FILES, within="tree", makes=True)
    assert test.stays
    assert not test.makes
    assert report.outcome is PASS
    assert report.phase == ""


@pytest.mark.parametrize(
    "ended", [ProcessExit(2, stderr=b"a.c:1: error"), ProcessExit(None, 9), ProcessExit(None, timed_out=True)]
)
def test_a_build_that_fails_is_a_failure_of_construction(ended: ProcessExit) -> None:
    report, asked = examined(BuildFirst(Script("/check"), "make"), build=ended)
    assert len(asked) == 1
    assert (report.outcome, report.phase) == (UNRESOLVED, CONSTRUCTION)
    assert report.evidence == ended.stderr.decode()


def test_the_first_look_builds_too() -> None:
    oracle = BuildFirst(Command(("./t",), inside=True), "make")
    learnt, asked = driven(oracle.observe(TREE, "/w"), answering(build=ProcessExit(0), test=ProcessExit(3)))
    assert isinstance(learnt, tuple)
    assert [i.makes for i in asked] == [True, False]
    assert learnt[0].build == "make"
    assert learnt[0].looked_for() == "exit code 3"
    assert learnt[0].recall(learnt[0].memory()) == learnt[0]
    failed, _ = driven(oracle.observe(TREE, "/w"), answering(build=ProcessExit(1)))
    assert isinstance(failed, tuple)
    assert failed[1].phase == CONSTRUCTION


def test_another_build_is_another_test() -> None:
    inner = Command(("true",), inside=True)
    assert len({BuildFirst(inner, text).identity() for text in ("make", "make x")} | {inner.identity()}) == 3
    assert BuildFirst(inner, "make").by_hand("t") == "(cd t && make) && (cd t && true)"


INNER = Script("/check", inside=True)
SAID = ProcessExit(125, stdout=b"out", stderr=b"ImportError: no name 'f'")


@pytest.mark.parametrize(
    ("oracle", "ended"),
    [
        (INNER, SAID),
        (Command(("x",), inside=True), SAID),
        (Command(("x", "{}")), SAID),
        (RepeatedOracle(INNER, 0.5), SAID),
        (ValidIf(INNER, Command(("v",), inside=True)), SAID),
        (BuildFirst(INNER, "make"), SAID),
        (DiffersFrom(Command(("x", "{}")), Command(("y", "{}"))), SAID),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_came_to_nothing_leaves_what_it_said(oracle: Oracle, ended: ProcessExit) -> None:
    report, _ = driven(oracle.examine(TREE, "/w"), answering(build=ProcessExit(0), test=ended))
    assert isinstance(report, Report)
    assert report.outcome is UNRESOLVED
    assert report.phase == EXECUTION
    assert report.evidence.splitlines() == ["ImportError: no name 'f'", "out"]


@pytest.mark.parametrize(("code", "outcome"), [(0, FAIL), (1, PASS)])
def test_an_outcome_needs_no_evidence(code: int, outcome: Outcome) -> None:
    report, _ = examined(INNER, test=ProcessExit(code, stdout=b"words"))
    assert (report.outcome, report.phase, report.evidence) == (outcome, "", "")


def test_of_much_evidence_the_beginning_and_the_end_are_kept() -> None:
    """The first error of a compiler is the cause of the others; the last line of a traceback is the message."""
    said = printed(ProcessExit(1, stderr=b"first" + b"x" * 100_000 + b"last \xff", stdout=b"y" * 100_000 + b"stop"))
    assert len(said.encode()) <= EVIDENCE + 16
    assert said.startswith("first")
    assert said.endswith("stop")
