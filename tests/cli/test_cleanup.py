"""The clean-ups as typed in a terminal."""

from __future__ import annotations

import os

import pytest

from tests.support.stage import Stage
from wynot.commands.reduce.passes.cleanup_passes import find_program

TEXT = 'int  name_one = 12345; /* bug */ char *text_two = "some words";\n'


@pytest.fixture
def problem(stage: Stage) -> Stage:
    stage.file("in.c", TEXT)
    stage.script("check", 'grep -q "int.*=.*char.*=.*;" "$1"')
    return stage


def reduced(stage: Stage, *flags: str) -> str:
    done = stage.wynot("reduce", "in.c", "--test", "./check", "--atoms", "lines", *flags)
    assert done.code == 0, done.err
    stage.assert_clean()
    return (stage.work / "in.reduced.c").read_text()


@pytest.mark.parametrize(
    ("flags", "result"),
    [
        ((), TEXT),
        (("--comments",), 'int  name_one = 12345; char *text_two = "some words";\n'),
        (("--literals",), 'int  name_one = 0; /* bug */ char *text_two = "";\n'),
        (("--rename",), 'int  a = 12345; /* bug */ char *b = "some words";\n'),
        (("--whitespace",), TEXT.replace("  ", " ")),
        (("--comments", "--literals", "--rename", "--whitespace"), 'int a = 0; char *b = "";\n'),
        (("--chars", "--validity", "off"), "int=char=;"),
    ],
)
def test_clean_ups(problem: Stage, flags: tuple[str, ...], result: str) -> None:
    assert reduced(problem, *flags) == result


def test_they_are_another_question(problem: Stage) -> None:
    """What a run without them has found out is not taken for theirs."""
    assert reduced(problem) == TEXT
    assert reduced(problem, "--rename") != TEXT
    assert reduced(problem) == TEXT


@pytest.mark.slow
@pytest.mark.skipif(find_program() is None and os.environ.get("CI") != "true", reason="no cvise and no creduce here")
def test_clang_delta(stage: Stage) -> None:
    stage.file("in.c", "int f(int x) { return 1; }\n")
    stage.script("check", 'grep -q "int f(int x)" "$1"')
    assert reduced(stage, "--clang-delta").split() == ["int", "f(int", "x)", ";"]


def test_clang_delta_for_another_language_is_an_error(stage: Stage) -> None:
    stage.file("in.py", "x = 1\n")
    stage.script("check", 'grep -q x "$1"')
    done = stage.wynot("reduce", "in.py", "--test", "./check", "--clang-delta")
    assert (done.code, len(done.err.strip().splitlines())) == (2, 2)
    assert "C and C++" in done.err


def test_help_names_what_to_install(stage: Stage) -> None:
    assert "apt install cvise" in " ".join(stage.wynot("reduce", "--help-all").out.split())
