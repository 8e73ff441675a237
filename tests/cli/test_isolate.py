"""`wynot isolate`: a pair of inputs, and what is between them, shown in context."""

from __future__ import annotations

from pathlib import Path

import pytest

import wynot
from tests.support.stage import Stage
from wynot.engine.results import Isolated
from wynot.errors import Interrupted
from wynot.report.result_text import isolated_text

TEST = ("--test", "./check")


def isolated(stage: Stage, *more: str) -> tuple[str, str, str]:
    """What is printed, the passing and the failing side."""
    done = stage.here("isolate", "fails.txt", *TEST, "-o", "pair", *more)
    assert done.code == 0, done.err
    sides = [(stage.work / "pair" / side).read_text() for side in ("passing", "failing")]
    return done.out, sides[0], sides[1]


def test_from_nothing(stage: Stage) -> None:
    stage.file("fails.txt", "one\ntwo bug\nthree\n")
    stage.script("check", 'grep -q bug "$1"')
    shown, passing, failing = isolated(stage)
    assert "bug" in failing
    assert "bug" not in passing
    assert len(failing) == len(passing) + 1
    assert "1 character between them (1-minimal)" in shown
    assert "written to pair/passing\nwritten to pair/failing\n" in shown


def test_the_folder_has_the_inputs_name(stage: Stage) -> None:
    (stage.work / "sub").mkdir()
    stage.file("sub/fails.txt", "bug")
    stage.script("check", 'grep -q bug "$1"')
    assert stage.here("isolate", "sub/fails.txt", *TEST).code == 0
    assert {path.name for path in (stage.work / "fails.txt.isolated").iterdir()} == {"passing", "failing"}


def test_between_two_files(stage: Stage) -> None:
    """Lines, then what is inside a changed line; what both have stays."""
    stage.file("fails.txt", "head\nint a = 1;\nint b = f(2, 3);\nint c = 3;\ntail\n")
    stage.file("works.txt", "head\nint a = 9;\nint b = g(2, 4);\ntail\n")
    stage.script("check", 'grep -q "f(" "$1"')
    shown, passing, failing = isolated(stage, "--passing", "works.txt")
    changed = [(a, b) for a, b in zip(passing.splitlines(), failing.splitlines(), strict=True) if a != b]
    assert len(changed) == 1
    assert (changed[0][0].replace("g(", "f("), "f(" in changed[0][1]) == (changed[0][1], True)
    assert f"- {changed[0][0]}" in shown
    assert f"+ {changed[0][1]}" in shown
    assert "  head" in shown
    assert "1 character between them" in shown


def test_an_unresolved_passing_input_is_a_warning(stage: Stage) -> None:
    stage.file("fails.txt", "one\nbug\n")
    stage.file("odd.txt", "odd\n")
    stage.script("check", 'grep -q odd "$1" && exit 125; test -s "$1" || exit 125; grep -q bug "$1"')
    done = stage.here("isolate", "fails.txt", "--passing", "odd.txt", *TEST, "-o", "pair")
    assert done.code == 0
    assert done.told == ("warning: the passing input does not pass, it is unresolved; isolating from it anyway\n")
    done = stage.here("isolate", "fails.txt", *TEST, "-o", "pair")
    assert done.code == 0
    assert done.told.startswith("warning: the empty input does not pass, it is unresolved")
    assert "--passing FILE" in done.err


def test_a_command_decides_too(stage: Stage) -> None:
    stage.file("fails.txt", "one\nbug\n")
    done = stage.here("isolate", "fails.txt", "-o", "pair", "--", "sh", "-c", "grep -q bug && exit 3; exit 0")
    assert done.code == 0, done.err
    assert "bug" in (stage.work / "pair" / "failing").read_text()


@pytest.mark.parametrize(
    ("failing", "passing", "check"),
    [
        ("a\nb\n", "a\nb", 'test -z "$(tail -c 1 "$1")"'),
        ("a\r\nb\n", "a\nb\n", 'grep -q "$(printf "\\r")" "$1"'),
        ("a b\n", "a\tb\n", 'grep -q " " "$1"'),
    ],
    ids=["last line end", "carriage return", "tab"],
)
def test_what_cannot_be_seen_is_shown_all_the_same(stage: Stage, failing: str, passing: str, check: str) -> None:
    """The two sides of the shown difference are never the same."""
    stage.file("fails.txt", failing)
    stage.file("works.txt", passing)
    stage.script("check", check)
    shown = isolated(stage, "--passing", "works.txt")[0]
    minus = [line[2:] for line in shown.splitlines() if line.startswith("- ")]
    plus = [line[2:] for line in shown.splitlines() if line.startswith("+ ")]
    assert minus != plus


def test_escapes_of_the_input_do_not_reach_the_terminal(stage: Stage) -> None:
    stage.file("fails.txt", "a\n\x1b[31mbug\x1b[0m\x07\n")
    stage.file("works.txt", "a\n\x1b[31mbag\x1b[0m\x07\n")
    stage.script("check", 'grep -q bug "$1"')
    shown = isolated(stage, "--passing", "works.txt")[0]
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_long_lines_are_shown_around_the_difference(stage: Stage) -> None:
    line = "x" * 5000
    stage.file("fails.txt", f"{line}bug{line}\n")
    stage.file("works.txt", f"{line}bag{line}\n")
    stage.script("check", 'grep -q bug "$1"')
    shown = isolated(stage, "--passing", "works.txt")[0]
    assert max(map(len, shown.splitlines())) < 300
    assert any(line.startswith("- …") and "bag" in line for line in shown.splitlines())
    assert any(line.startswith("+ …") and "bug" in line for line in shown.splitlines())


def test_without_a_terminal_there_is_no_colour(stage: Stage) -> None:
    stage.file("fails.txt", "one\nbug\n")
    stage.script("check", 'grep -q bug "$1"')
    assert "\x1b" not in isolated(stage)[0]


def test_a_folder_that_is_not_there_is_made(stage: Stage) -> None:
    stage.file("fails.txt", "bug\n")
    stage.script("check", 'grep -q bug "$1"')
    done = stage.here("isolate", "fails.txt", *TEST, "-o", Path("deep/er"))
    assert done.code == 0, done.err
    assert (stage.work / "deep" / "er" / "failing").exists()


def test_binary_inputs(stage: Stage) -> None:
    stage.file("fails.txt", bytes(range(256)))
    stage.file("works.txt", bytes(range(255)))
    stage.script("check", 'LC_ALL=C grep -aq "$(printf "\\377")" "$1"')
    done = stage.here("isolate", "fails.txt", "--passing", "works.txt", *TEST, "-o", "pair")
    assert done.code == 0, done.err
    failing, passing = ((stage.work / "pair" / side).read_bytes() for side in ("failing", "passing"))
    assert (b"\xff" in failing, b"\xff" in passing) == (True, False)


def test_nothing_is_said_of_what_was_not_compared() -> None:
    """An end before the search has begun: there is a difference, and its size is not known."""

    def ctrl_c(_data: bytes) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as ended:
        wynot.isolate(b"a bug", ctrl_c)
    assert isinstance(ended.value.best, Isolated)
    assert "not compared yet (interrupted: not known to be minimal)" in isolated_text(ended.value.best)
