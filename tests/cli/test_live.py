"""The live line, and colours, on a real terminal."""

from __future__ import annotations

import re
import signal

import pexpect
import pytest

from tests.cli.terminal import Screen
from tests.run.stage import WYNOT, Stage, eventually

LINE = r"(\d+) bytes · (\d+) tests \((\d+) cached\) · [\d.]+ tests/s · \d+ s · \d+ (lines|tokens|chars)"
TEST = ("--test", "./check")
SOUGHT = "looking for: check exits 0"
SIZE = len("".join(f"line {number}\n" for number in range(60)) + "bug\n")


@pytest.fixture
def problem(stage: Stage) -> Stage:
    stage.file("in.txt", "".join(f"line {number}\n" for number in range(60)) + "bug\n")
    stage.script("check", 'sleep 0.03; grep -q bug "$1"')
    stage.changed |= {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
    stage.unset |= {"CI", "LC_ALL", "TTY_COMPATIBLE", "TTY_INTERACTIVE"}
    return stage


def spawned(stage: Stage, *args: object, width: int = 100) -> pexpect.spawn:
    words = [*WYNOT, *map(str, args)]
    return pexpect.spawn(
        words[0], words[1:], cwd=str(stage.work), env=stage.env, dimensions=(24, width), encoding="utf-8", timeout=60
    )


def until_live(child: pexpect.spawn) -> str:
    """All that is written until the line has been seen."""
    child.expect("tests/s")
    return f"{child.before}{child.after}"


def shown(child: pexpect.spawn) -> str:
    """All that is written until the end."""
    child.expect(pexpect.EOF)
    child.close()
    return str(child.before)


def plain(text: str) -> str:
    """Without colours."""
    return re.sub("\x1b\\[[0-9;]*m", "", text)


def test_the_line_shows_how_it_stands_and_is_gone_in_the_end(problem: Stage) -> None:
    child = spawned(problem, "reduce", "in.txt", *TEST)
    text = shown(child)
    assert child.exitstatus == 0
    seen = [(int(match[1]), int(match[2])) for match in re.finditer(LINE, plain(text))]
    sizes, tests = [size for size, _ in seen], [count for _, count in seen]
    assert len(set(sizes)) > 1
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] <= SIZE
    assert tests == sorted(tests)
    assert tests[-1] > tests[0]
    screen = Screen(100).feed(text)
    sought, result, cost, written = screen.lines
    assert sought == SOUGHT
    assert result.startswith(f"{SIZE} -> 3 bytes (1-minimal")
    assert re.match(r"\d+ tests, 4 before the search", cost)
    assert written == "written to in.reduced.txt"
    assert not screen.hidden


def test_a_narrow_terminal_shows_it_too(problem: Stage) -> None:
    """40 columns: the line takes more than one row, and all of them are gone in the end."""
    child = spawned(problem, "reduce", "in.txt", *TEST, width=40)
    text = shown(child)
    assert child.exitstatus == 0
    assert re.search(r"\d+ bytes · \d+ tests", plain(text))
    screen = Screen(40).feed(text)
    words = " ".join(screen.lines)
    assert words.startswith(f"{SOUGHT} {SIZE} -> 3 bytes (1-minimal")
    assert words.endswith("written to in.reduced.txt")
    assert "tests/s" not in words
    assert "·" not in words


def test_a_warning_stays_on_the_screen(problem: Stage) -> None:
    problem.script("check", "sleep 0.3; exit 0")
    child = spawned(problem, "reduce", "in.txt", *TEST, width=200)
    screen = Screen(200).feed(shown(child))
    assert screen.lines[0] == SOUGHT
    assert screen.lines[1].startswith("warning: the empty input fails, too")
    assert "·" not in " ".join(screen.lines)


def test_quiet_shows_no_line(problem: Stage) -> None:
    assert shown(spawned(problem, "reduce", "in.txt", *TEST, "-q")) == ""


def test_errors_are_seen_after_the_line_is_gone(problem: Stage) -> None:
    child = spawned(problem, "reduce", "in.txt", *TEST, "--budget-tests", "10", "-o", "out.txt")
    screen = Screen(100).feed(shown(child))
    assert child.exitstatus == 3
    assert screen.lines[-1] == "wynot: the budget of 10 tests is used up"
    assert "·" not in " ".join(screen.lines)
    assert not screen.hidden


def test_control_c_in_the_terminal(problem: Stage) -> None:
    """The terminal sends it to wynot only; the line is gone, the cursor is back, the best so far is written."""
    problem.logging("check", f'sleep 0.03; [ $(wc -l < {problem.folder}/log) -lt 11 ] || sleep 1000; grep -q bug "$1"')
    child = spawned(problem, "reduce", "in.txt", *TEST, "--timeout", "1000s")
    before = until_live(child)
    eventually(lambda: len(problem.log) >= 11, "a test hangs")
    child.sendintr()
    screen = Screen(100).feed(before + shown(child))
    assert child.exitstatus == 130
    assert screen.lines[-1] == "wynot: interrupted"
    assert "tests/s" not in " ".join(screen.lines)
    assert not screen.hidden
    assert b"bug" in (problem.work / "in.reduced.txt").read_bytes()
    problem.assert_clean()


def test_a_terminal_that_is_closed_ends_the_run(problem: Stage) -> None:
    problem.logging("check", f'[ $(wc -l < {problem.folder}/log) -lt 11 ] || sleep 1000; grep -q bug "$1"')
    child = spawned(problem, "reduce", "in.txt", *TEST, "--timeout", "1000s")
    eventually(lambda: len(problem.log) >= 11, "a test hangs")
    child.close(force=False)  # a hang-up
    eventually(lambda: not problem.living(), "all processes are gone")
    eventually(lambda: not list(problem.tmp.iterdir()), "all folders are gone")
    assert b"bug" in (problem.work / "in.reduced.txt").read_bytes()


def test_a_test_cannot_wait_for_the_terminal(problem: Stage) -> None:
    """A program that asks its user something (a password) gets no answer, and does not stop for ever."""
    ask = "import os\ntry:\n    open('/dev/tty').readline()\nexcept OSError:\n    pass\n"
    problem.python("ask", ask)
    problem.script("check", f'{problem.work}/ask; grep -q bug "$1"')
    child = spawned(problem, "reduce", "in.txt", *TEST, "--atoms", "lines", "--budget-time", "10s")
    shown(child)
    assert child.exitstatus == 0
    problem.assert_clean()


def test_stopped_and_gone_on_with(problem: Stage) -> None:
    """Ctrl-Z and fg."""
    child = spawned(problem, "reduce", "in.txt", *TEST)
    until_live(child)
    child.kill(signal.SIGSTOP)
    child.kill(signal.SIGCONT)
    shown(child)
    assert child.exitstatus == 0


def test_a_difference_is_shown_in_colour(problem: Stage) -> None:
    screen = Screen(100).feed(shown(spawned(problem, "isolate", "in.txt", *TEST, "-o", "pair")))
    assert {"31", "32"} <= screen.colours
    assert screen.lines[-1] == "written to pair/failing"
    assert "tests/s" not in " ".join(screen.lines)


def test_no_color_is_respected(problem: Stage) -> None:
    problem.changed["NO_COLOR"] = "1"
    problem.unset -= {"NO_COLOR"}
    screen = Screen(100).feed(shown(spawned(problem, "isolate", "in.txt", *TEST, "-o", "pair")))
    assert screen.colours == set()
    assert any(line.startswith("+ ") for line in screen.lines)


def test_a_narrow_terminal_shows_a_difference(problem: Stage) -> None:
    child = spawned(problem, "isolate", "in.txt", *TEST, "-o", "pair", width=40)
    screen = Screen(40).feed(shown(child))
    assert child.exitstatus == 0
    assert "written to pair/failing" in screen.lines
    assert "·" not in " ".join(screen.lines)


def test_a_dumb_terminal_gets_no_escapes(problem: Stage) -> None:
    problem.changed["TERM"] = "dumb"
    child = spawned(problem, "reduce", "in.txt", *TEST)
    text = shown(child)
    assert child.exitstatus == 0
    assert "\x1b" not in text
    assert "written to in.reduced.txt" in text
