"""Commands as oracles: what is run, what is looked for, what is said about it."""

from __future__ import annotations

import shlex
import subprocess

import pytest

from tests.support.fixtures import Benches
from tests.support.stage import Stage
from tests.support.watched import judged
from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.engine.executors.sandbox import Limits
from wynot.oracles.command import Command
from wynot.oracles.protocol import Oracle, ProcessExit, Report
from wynot.oracles.script import Conditions
from wynot.oracles.signature import Signature

FILE = Artifact("bug.c", b"int x;")


def test_a_hole_is_the_path_and_the_file_is_laid_there() -> None:
    invocation = Command(("cc", "-I{}.d", "{}", "{")).invocation(FILE, "/work")
    assert invocation.argv == ("cc", "-I/work/bug.c.d", "/work/bug.c", "{")
    assert invocation.files == (("bug.c", b"int x;"),)
    assert invocation.stdin is None


def test_without_a_hole_the_content_is_standard_input() -> None:
    invocation = Command(("cc", "-")).invocation(FILE, "/work")
    assert (invocation.argv, invocation.files, invocation.stdin) == (
        ("cc", "-"),
        (("bug.c", b"int x;"),),
        b"int x;",
    )


LOOKED_FOR = Command(("prog",), expected=Signature(3, None))
SIGNAL = Command(("prog",), expected=Signature(None, 11))
OUTPUT = Command(("prog",), Conditions(output="^Error$"))


def judge(command: Command, ended: ProcessExit) -> Report:
    """What a command says of a run that ended so."""
    examination = command.examine(FILE, "/work")
    next(examination)
    with pytest.raises(StopIteration) as done:
        examination.send(ended)
    report: Report = done.value.value
    return report


def like(command: Command, ended: ProcessExit) -> Command | None:
    """The command that looks for the failure of such a run; None where it is none."""
    observation = command.observe(FILE, "/work")
    next(observation)
    with pytest.raises(StopIteration) as done:
        observation.send(ended)
    learnt, report = done.value.value
    assert isinstance(learnt, Command)
    return learnt if report.outcome is FAIL else None


@pytest.mark.parametrize(
    ("command", "ended", "outcome"),
    [
        (LOOKED_FOR, ProcessExit(3), FAIL),
        (LOOKED_FOR, ProcessExit(0), PASS),
        (LOOKED_FOR, ProcessExit(4), UNRESOLVED),
        (LOOKED_FOR, ProcessExit(None, signal=3), UNRESOLVED),
        (LOOKED_FOR, ProcessExit(None, timed_out=True), UNRESOLVED),
        (LOOKED_FOR, ProcessExit(None, flooded=True), UNRESOLVED),
        (SIGNAL, ProcessExit(None, signal=11), FAIL),
        (SIGNAL, ProcessExit(None, signal=6), UNRESOLVED),
        (SIGNAL, ProcessExit(11), UNRESOLVED),
        (SIGNAL, ProcessExit(139), UNRESOLVED),
        (SIGNAL, ProcessExit(0), PASS),
        (OUTPUT, ProcessExit(0, stdout=b"x\nError\ny"), FAIL),
        (OUTPUT, ProcessExit(1, stderr=b"Error\n"), FAIL),
        (OUTPUT, ProcessExit(None, signal=11, stderr=b"Error"), FAIL),
        (OUTPUT, ProcessExit(0, stdout=b"no Error"), PASS),
        (OUTPUT, ProcessExit(1), UNRESOLVED),
        (OUTPUT, ProcessExit(None, timed_out=True, stdout=b"Error\n"), UNRESOLVED),
        (OUTPUT, ProcessExit(None, flooded=True, stdout=b"Error\n"), UNRESOLVED),
    ],
)
def test_an_end_is_judged(command: Command, ended: ProcessExit, outcome: Outcome) -> None:
    report = judge(command, ended)
    assert report.outcome is outcome
    assert report.why.startswith(str(ended))


@pytest.mark.parametrize("ended", [ProcessExit(0), ProcessExit(None, timed_out=True), ProcessExit(None, flooded=True)])
def test_what_is_no_failure_cannot_be_looked_for(ended: ProcessExit) -> None:
    assert like(Command(("prog",)), ended) is None


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        (ProcessExit(3), "exit code 3"),
        (ProcessExit(None, signal=11), "SIGSEGV"),
        (ProcessExit(None, signal=35), "signal 35"),
    ],
)
def test_the_failure_of_a_run_is_looked_for_from_then_on(ended: ProcessExit, words: str) -> None:
    command = like(Command(("prog",)), ended)
    assert command is not None
    assert command.looked_for() == words
    assert judge(command, ended).outcome is FAIL
    assert judge(command, ProcessExit(0)).outcome is PASS


def test_output_is_looked_for_whatever_the_exit_code() -> None:
    assert like(OUTPUT, ProcessExit(0, stdout=b"Error")) is OUTPUT
    assert like(OUTPUT, ProcessExit(1, stdout=b"none")) is None
    assert OUTPUT.looked_for() == "output that matches /^Error$/"


def test_the_failure_found_does_not_change_the_identity() -> None:
    """A run goes on with what it knows: the failure is found anew by every start."""
    command = Command(("prog", "{}"))
    found = like(command, ProcessExit(3))
    assert found is not None
    assert found.identity() == command.identity()
    others = [Command(("prog", "x", "{}")), Command(("prog",)), Command(("prog", "{}"), Conditions(output="x"))]
    assert len({command.identity(), *(other.identity() for other in others)}) == 4


@pytest.mark.parametrize(
    "argv", [("cat", "{}"), ("cat",), ("sh", "-c", "cat {}"), ("sh", "-c", 'cat "$1"', "sh", "{}")]
)
def test_what_is_typed_by_hand_does_the_same(stage: Stage, argv: tuple[str, ...]) -> None:
    path = stage.file("bug.c", "content")
    by_hand = Command(argv).by_hand(str(path))
    assert subprocess.check_output(["sh", "-c", by_hand]) == b"content"


def test_odd_names_are_quoted(stage: Stage) -> None:
    path = stage.file("it's a $bug.c", "content")
    for argv in (("cat", "{}"), ("cat",)):
        assert subprocess.check_output(["sh", "-c", Command(argv).by_hand(str(path))]) == b"content"
    assert shlex.split(Command(("a b", "{}")).by_hand("x")) == ["a b", "x"]


def test_a_command_is_an_oracle(executors: Benches) -> None:
    oracle: Oracle = Command(("sh", "-c", "exit $(cat)"), expected=Signature(3, None))
    executor = executors(oracle, limits=Limits(60))
    outcomes = [judged(executor, data).outcome for data in (b"3", b"0", b"4")]
    assert outcomes == [FAIL, PASS, UNRESOLVED]
