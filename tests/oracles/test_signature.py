"""Is it the same failure? Signatures at each precision, on real runs of real programs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.engine.executors.executor import TestSettings
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.executors.sandbox import Limits
from wynot.oracles.command import Command, find_debugger
from wynot.oracles.protocol import Examination, ProcessExit, Report
from wynot.oracles.script import Conditions
from wynot.oracles.signature import Diagnosis, Precision, Signature, essence, finest_common, own_frames, words_of

CRASH = Diagnosis("native", "SIGSEGV", "", ("inner", "middle", "outer"))
NOTHING: frozenset[str] = frozenset()


def failing(
    kind: str = "KeyError", message: str = "'x'", frames: tuple[str, ...] = ("f", "g"), code: int = 1
) -> Signature:
    return Signature(code, None, Diagnosis("python", kind, message, frames))


def test_each_precision_includes_the_one_before() -> None:
    other = {
        "exit": failing(code=2),
        "message": failing(kind="TypeError"),
        "frames": failing(frames=("h", "g")),
    }
    expected = {
        "exit": [False, True, True],
        "message": [True, False, True],  # what the program says counts, not how it ended on it
        "frames": [True, False, False],
    }
    for level, equal in expected.items():
        seen = failing().seen(Precision(level), NOTHING)
        assert [seen == signature.seen(Precision(level), NOTHING) for signature in other.values()] == equal


def test_where_nothing_is_said_the_end_counts() -> None:
    for level in ("exit", "message", "frames"):
        silent = [
            Signature(code, number).seen(Precision(level), NOTHING)
            for code, number in ((1, None), (2, None), (None, 6))
        ]
        assert len(set(silent)) == 3


def test_only_so_many_frames_are_compared() -> None:
    one, two = failing(frames=("f", "g", "h", "i")), failing(frames=("f", "g", "x", "i"))
    assert one.seen(Precision("frames", 2), NOTHING) == two.seen(Precision("frames", 2), NOTHING)
    assert one.seen(Precision("frames", 3), NOTHING) != two.seen(Precision("frames", 3), NOTHING)


def test_the_finest_steady_precision_is_taken() -> None:
    assert finest_common([failing(), failing()], Precision(), NOTHING) == Precision("frames")
    assert finest_common([failing(), failing(frames=("z",))], Precision(), NOTHING) == Precision("message")
    assert finest_common([failing(), failing(message="lost")], Precision(), NOTHING) == Precision("exit")
    assert finest_common([failing(), failing(frames=("z",))], Precision("exit"), NOTHING) == Precision("exit")
    assert finest_common([Signature(1, None), Signature(3, None)], Precision(), NOTHING) is None


def test_names_from_the_input_do_not_count() -> None:
    vocabulary = words_of(b"def lookup(priority): return table[priority]")
    assert own_frames(("lookup", "priority", "getitem"), vocabulary) == ("…", "getitem")
    assert essence("no column priority here", vocabulary) == essence("no column table here", vocabulary)
    assert essence("no column priority here", vocabulary) != essence("no row priority here", vocabulary)


def test_lists_of_another_length_do_not_count() -> None:
    assert essence("cannot bind [26.0] to [36.0], [36.1]", NOTHING) != essence("cannot bind", NOTHING)
    assert essence("bindings: [36.0], [36.1]", NOTHING) == essence("bindings: [1.0]", NOTHING)


@given(st.text(), st.frozensets(st.text(min_size=1), max_size=4))
def test_the_essence_has_no_more_essence(message: str, vocabulary: frozenset[str]) -> None:
    once = essence(message, vocabulary)
    assert essence(once, vocabulary) == once


@given(st.text("abcde_", min_size=1), st.text("abcde_", min_size=1))
def test_different_top_frames_are_different_failures(one: str, other: str) -> None:
    precision = Precision("frames", 1)
    same = failing(frames=(one,)).seen(precision, NOTHING) == failing(frames=(other,)).seen(precision, NOTHING)
    assert same == (one == other)


def test_a_signature_survives_the_journal() -> None:
    for signature in (failing(), Signature(None, 11, CRASH), Signature(3, None)):
        assert Signature.from_json(signature.as_json()) == signature


@pytest.mark.parametrize("text", ["", "frame", "exit:2", "frames:0", "frames:x", "message:1"])
def test_a_bad_precision_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="precision"):
        Precision.parse(text)


def judged(command: Command, data: bytes, name: str = "input.txt") -> tuple[Command, Report]:
    """Observe a command on this input, by really running it."""
    seen: list[tuple[Command, Report]] = []
    executor = LocalExecutor(command, name, 1, Limits(seconds=30))

    class Watch:
        def examine(self, artifact: Artifact, folder: str) -> Examination:
            learnt = yield from command.observe(artifact, folder)
            seen.append(learnt)
            return learnt[1]

    try:
        executor.submit(b"key", data, TestSettings(Watch()))
        executor.wait()
    finally:
        executor.close()
    return seen[0]


def outcome(command: Command, data: bytes, name: str = "input.txt") -> Outcome:
    executor = LocalExecutor(command, name, 1, Limits(seconds=30))
    try:
        executor.submit(b"key", data)
        return executor.wait()[0][1].outcome
    finally:
        executor.close()


PROGRAM = """
import sys
text = open(sys.argv[1]).read()
def first(text):
    if "one" in text: raise KeyError(text.split()[0])
def second(text):
    if "two" in text: raise KeyError(text.split()[0])
if "syntax" in text: sys.exit(1)
first(text)
second(text)
"""


def test_another_place_of_the_same_exception_is_another_failure() -> None:
    command = Command((sys.executable, "-c", PROGRAM, "{}"))
    learnt, report = judged(command, b"alpha beta one gamma")
    assert report.outcome is FAIL
    assert "KeyError" in learnt.looked_for()
    assert "`first` <- `<module>`" in learnt.looked_for()
    assert outcome(learnt, b"gamma one") is FAIL, "the word in the message comes from the input"
    assert outcome(learnt, b"two") is UNRESOLVED
    assert outcome(learnt, b"syntax") is UNRESOLVED
    assert outcome(learnt, b"fine") is PASS
    coarse, _ = judged(Command(command.argv, precision=Precision("exit")), b"one")
    assert outcome(coarse, b"two") is FAIL
    assert outcome(coarse, b"syntax") is FAIL


def test_a_line_of_the_input_is_no_place(tmp_path: Path) -> None:
    """An input that is itself a Python program: lines move when others are left out."""
    command = Command((sys.executable, "{}"))
    learnt, _ = judged(command, b"import os\nx = 1\n\n1 / 0\n", "prog.py")
    assert outcome(learnt, b"1 / 0\n", "prog.py") is FAIL
    assert outcome(learnt, b"raise ValueError\n", "prog.py") is UNRESOLVED


@pytest.mark.skipif(find_debugger() is None and os.environ.get("CI") != "true", reason="gdb is not installed")
def test_silent_crashes_are_told_apart_by_the_debugger(tmp_path: Path) -> None:
    """Two places of a C program that write to address 0; it prints nothing."""
    source = tmp_path / "crash.c"
    source.write_text(
        "#include <stdio.h>\n#include <string.h>\n"
        "__attribute__((noinline)) void left(void) { *(volatile int *)0 = 1; }\n"
        "__attribute__((noinline)) void right(void) { *(volatile int *)0 = 2; }\n"
        'int main(int n, char **a) { char b[99] = {0}; FILE *f = fopen(a[1], "r"); fread(b, 1, 98, f);\n'
        'if (strstr(b, "left")) left(); if (strstr(b, "right")) right(); return 0; }\n'
    )
    subprocess.run(["gcc", "-g", "-O0", "-w", "-o", tmp_path / "crash", source], check=True)
    command = Command((str(tmp_path / "crash"), "{}"), debugger=find_debugger())
    learnt, _ = judged(command, b"a left b")
    assert "SIGSEGV" in learnt.looked_for()
    assert "`left`" in learnt.looked_for()
    assert outcome(learnt, b"left") is FAIL
    assert outcome(learnt, b"right") is UNRESOLVED
    assert outcome(learnt, b"") is PASS


@pytest.mark.parametrize(
    ("conditions", "ended", "met"),
    [
        (Conditions(output="lost+"), ProcessExit(0, stdout=b"all is lostt"), True),
        (Conditions(output="lost+"), ProcessExit(1, stderr=b"fine"), False),
        (Conditions(exit=3), ProcessExit(3), True),
        (Conditions(exit=3), ProcessExit(None, 11), False),
        (Conditions(signal=11), ProcessExit(None, 11), True),
        (Conditions(hang=2), ProcessExit(None, timed_out=True), True),
        (Conditions(hang=2), ProcessExit(0), False),
        (Conditions(slower=0.5), ProcessExit(0, seconds=0.7), True),
        (Conditions(slower=0.5), ProcessExit(0, seconds=0.2), False),
        (Conditions(output="x", exit=3), ProcessExit(3, stdout=b"y"), False),
        (Conditions(exit=3), ProcessExit(None, flooded=True), False),
    ],
)
def test_conditions(conditions: Conditions, ended: ProcessExit, met: bool) -> None:
    assert conditions.met(ended) is met
    assert str(conditions)
