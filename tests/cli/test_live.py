"""The live view, its keys, and colours, on a real terminal."""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import subprocess
from collections.abc import Callable

import pexpect
import pytest

from tests.cli.terminal import Terminal
from tests.support.stage import WYNOT, Stage, eventually

TEST = ("--test", "./check")
SOUGHT = "looking for: check exits 0"
TEXT = "".join(f"line {number}\n" for number in range(60)) + "bug\n"
SIZE = len(TEXT)
MANY = 11
"""From so many tests on they hang, where they are to."""
RED, GREEN = "31", "32"
ONWARD = r"  go on with: wynot runs resume [0-9a-f]{8}"


@pytest.fixture
def problem(stage: Stage) -> Stage:
    stage.file("in.txt", TEXT)
    stage.script("check", 'sleep 0.03; grep -q bug "$1"')
    stage.changed |= {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
    stage.unset |= {"CI", "LC_ALL", "TTY_COMPATIBLE", "TTY_INTERACTIVE"}
    return stage


def hanging(stage: Stage, sought: str = "bug", many: int = MANY) -> Stage:
    """Tests hang after a while, until there is a file that says otherwise."""
    wait = f"[ -e {stage.folder}/go ] || [ $(wc -l < {stage.folder}/log) -lt {many} ] || sleep 1000"
    stage.logging("check", f'{wait}; grep -q "{sought}" "$1"')
    return stage


def hung(stage: Stage, terminal: Terminal, many: int = MANY) -> None:
    """Read until a test hangs, and that is seen."""
    terminal.until(lambda: len(stage.log) >= many, "a test hangs")
    frames = terminal.text.count("worker busy")
    terminal.until(lambda: terminal.text.count("worker busy") > frames + 1, "it is drawn anew")
    terminal.until_seen("pass ", "1 of 1 worker busy", "best so far")


def view(terminal: Terminal) -> list[str]:
    """The rows of the view."""
    start = next((place for place, row in enumerate(terminal.rows) if row.startswith("wynot ")), 0)
    return [row for row in terminal.rows[start:] if row]


def assert_gone(terminal: Terminal) -> None:
    """Nothing is left of the view, and the terminal is as it was."""
    assert "busy" not in terminal.shown
    assert not terminal.hidden
    assert terminal.restored


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_view_shows_how_it_stands_and_a_key_stops_it(problem: Stage, width: int) -> None:
    problem.file("in.py", "import os\n" + "".join(f"def f{i}():\n    return {i}\n" for i in range(40)) + "bug = 1\n")
    hanging(problem, "bug = 1", MANY + 1)
    terminal = Terminal(problem, "reduce", "in.py", *TEST, "--timeout", "1000s", width=width)
    hung(problem, terminal, MANY + 1)
    rows = view(terminal)
    assert terminal.rows[0] == SOUGHT
    assert all(len(row) < width for row in rows)
    assert re.match(r"wynot reduce in\.py +\d:\d\d", rows[0])
    assert re.match(r"\d[\d,]* → \d+ bytes  -\d+\.\d%", rows[1])
    assert all(set(row[:30]) <= set(" ▁▂▃▄▅▆▇█") for row in rows[2:5])
    assert re.match(r"pass \d+: \w+, \d+ deltas", rows[5])
    assert re.match(r"\d+ tests? · \d+ cached", rows[6])
    assert re.match(r"\d+ fail · \d+ pass · \d+ unres", rows[7])
    assert rows[-1].startswith("s stop · n skip" if width == 40 else "s stop and keep the best · n skip this pass · p")
    assert ("│ best so far" in rows[0]) == (width == 200)
    assert any(row.endswith("bug = 1") for row in rows)
    assert terminal.hidden
    terminal.press("s")
    assert terminal.end() == 3
    assert_gone(terminal)
    assert "stopped: not known" in terminal.shown.replace("\n", "")
    assert terminal.lines[-2] == "wynot: stopped: this is the best so far"
    assert re.fullmatch(ONWARD, terminal.lines[-1])
    assert b"bug" in (problem.work / "in.reduced.py").read_bytes()
    problem.assert_clean()


def test_what_is_shown_until_the_end(problem: Stage) -> None:
    terminal = Terminal(problem, "reduce", "in.txt", *TEST)
    assert terminal.end() == 0
    sought, result, minimality, written, run = terminal.lines
    assert sought == SOUGHT
    assert re.match(rf"{SIZE} -> 3 bytes, \d+ tests \(\+4 baseline", result)
    assert minimality.startswith("1-minimal")
    assert written == "written to in.reduced.txt"
    assert re.match(r"run \w+: wynot report", run)
    assert_gone(terminal)


def test_a_key_skips_a_pass(problem: Stage) -> None:
    """A pass that hangs is left; the next one goes on, and later rounds prove what they prove."""
    hanging(problem)
    terminal = Terminal(problem, "reduce", "in.txt", *TEST, "--timeout", "1000s")
    hung(problem, terminal)
    found = re.search(r"pass \d+: (\w+, \d+ deltas)", terminal.shown)
    assert found is not None
    (problem.folder / "go").touch()
    terminal.press("n")
    terminal.until(lambda: f"skipped: {found[1]}" in terminal.text, "the pass is skipped")
    assert terminal.end() == 0
    assert (problem.work / "in.reduced.txt").read_bytes() == b"bug"
    assert_gone(terminal)
    problem.assert_clean()


def test_a_key_pauses_and_goes_on(problem: Stage) -> None:
    """No test begins; the clock goes on."""
    problem.logging("check", 'sleep 0.05; grep -q bug "$1"')
    terminal = Terminal(problem, "reduce", "in.txt", *TEST)
    terminal.until_seen("best so far")
    terminal.press("p")
    terminal.until_seen("paused · p go on", "0 of 1 worker busy")
    begun, clock = len(problem.log), view(terminal)[0]
    terminal.until(lambda: view(terminal)[0] != clock, "the clock goes on")
    assert len(problem.log) == begun
    terminal.press("p")
    assert terminal.end() == 0
    assert len(problem.log) > begun
    assert_gone(terminal)


def test_the_terminal_is_resized(problem: Stage) -> None:
    hanging(problem)
    terminal = Terminal(problem, "reduce", "in.txt", *TEST, "--timeout", "1000s", width=80)
    hung(problem, terminal)
    terminal.press("pip install\r\x1b[AS")  # something pasted, an arrow, a capital letter: nothing happens
    for width, words in ((150, "│ best so far"), (45, "s stop · n skip · p pause"), (90, "n skip this pass")):
        terminal.resize(width)
        terminal.until(lambda seen=words: seen in terminal.shown, f"{width} columns")  # type: ignore[misc]
        assert terminal.shown.count("wynot reduce") == 1
        assert all(len(row) < width for row in view(terminal))
    terminal.resize(90, 8)
    terminal.until(lambda: 0 < len(view(terminal)) <= 7, "fewer rows")
    terminal.press("s")
    assert terminal.end() == 3
    assert_gone(terminal)


def test_no_color_is_respected(problem: Stage) -> None:
    problem.changed["NO_COLOR"] = "1"
    problem.unset -= {"NO_COLOR"}
    terminal = Terminal(problem, "isolate", "in.txt", *TEST, "-o", "pair")
    terminal.until_seen("best so far")
    assert terminal.end() == 0
    assert terminal.colours == set()
    assert any(line.startswith("+ ") for line in terminal.lines)


def test_a_terminal_that_knows_ascii_only(problem: Stage) -> None:
    problem.changed["PYTHONIOENCODING"] = "ascii"
    terminal = Terminal(problem, "reduce", "in.txt", *TEST)
    terminal.until_seen("best so far")
    assert terminal.end() == 0
    assert terminal.text.isascii()
    assert "#####" in terminal.text


def test_standard_input_is_left_alone_where_it_is_none_of_ours(problem: Stage) -> None:
    """A file on standard input: no keys are offered, none are heard."""
    problem.before = ("/bin/sh", "-c", 'exec "$@" < in.txt', "sh")
    terminal = Terminal(problem, "reduce", "in.txt", *TEST)
    terminal.until_seen("best so far")
    assert "stop and keep" not in terminal.shown
    terminal.press("s")
    assert terminal.end() == 0
    assert terminal.restored


@pytest.mark.parametrize(
    ("args", "seen"),
    [
        (("options", "--fail-if-exit", "3", "--", "./prog", "-a", "-b", "-c"), ("wynot options ./prog", "circumst")),
        (("changes", "old", "new", "--", "./prog2"), ("wynot changes old new", "best so far", "file @@")),
        (("trace", "--", "python3", "prog.py"), ("wynot trace python3 prog.py", "best so far", "assert total < 0")),
        (("bisect", "first", "HEAD", "--", "./prog2"), ("wynot bisect first HEAD", "more tests", "best so far", "six")),
    ],
)
def test_every_command_has_it(problem: Stage, args: tuple[str, ...], seen: tuple[str, ...]) -> None:
    problem.script("prog", 'sleep 0.2; for each; do [ "$each" = -b ] && exit 3; done; exit 0')
    for name, text in (("old", "a\n" * 30), ("new", "b\na\na\na\n" * 10)):
        (problem.work / name).mkdir()
        (problem.work / name / "file").write_text(text)
        (problem.work / name / "prog2").write_text("#!/bin/sh\nsleep 0.2\n! grep -q b file\n")
        (problem.work / name / "prog2").chmod(0o755)
    problem.file("prog.py", "import time\ntime.sleep(0.1)\ntotal = 0\nassert total < 0\n")
    if args[0] == "bisect":
        _history(problem)
    terminal = Terminal(problem, *args, width=80)
    terminal.until_seen(*seen, "busy")
    assert terminal.end() == 0
    assert_gone(terminal)


def _history(stage: Stage) -> None:
    """A repository in which a test fails since the sixth commit."""
    shutil.copy(stage.work / "old" / "prog2", stage.work / "prog2")
    git = ["git", "-c", "user.name=ada", "-c", "user.email=ada@example.com"]
    subprocess.run([*git, "init", "-q"], cwd=stage.work, check=True)
    for number, name in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight"), 1):
        stage.file("file", "b\n" if number >= 6 else f"{number}\n")
        stage.file("other", name)
        subprocess.run([*git, "add", "prog2", "file", "other"], cwd=stage.work, check=True)
        subprocess.run([*git, "commit", "-q", "-m", name], cwd=stage.work, check=True)
        if number == 1:
            subprocess.run([*git, "tag", "first"], cwd=stage.work, check=True)


def test_a_warning_stays_on_the_screen(problem: Stage) -> None:
    problem.script("check", "sleep 0.3; exit 0")
    terminal = Terminal(problem, "reduce", "in.txt", *TEST, width=200)
    assert terminal.end() == 1
    assert terminal.lines[0] == SOUGHT
    assert terminal.lines[1].startswith("warning: the empty input fails, too")
    assert_gone(terminal)


def test_what_could_be_plainer_is_one_line_and_works(problem: Stage) -> None:
    """On a terminal only; not where there is nothing to ask for, or where somebody asked for silence."""
    problem.file(
        "in.py", "import os\n\n\ndef function(argument):\n    return argument  +  1\n\n\nprint(function(41))\n"
    )
    problem.script("check", 'grep -q "^print(.*(41))" "$1" && grep -q "^def .*(.*)" "$1"')
    words = ("reduce", "in.py", "-o", "out.py", *TEST)
    terminal = Terminal(problem, *words, width=200)
    assert terminal.end() == 0
    flags = "--rename --whitespace --chars"
    assert terminal.lines[-1] == f"plainer still: wynot reduce {flags} in.py -o out.py --test ./check"
    assert not problem.wynot(*words).out.splitlines()[-1].startswith("plainer")
    size = len((problem.work / "out.py").read_bytes())
    again = Terminal(problem, *terminal.lines[-1].split()[3:], width=200)
    assert again.end() == 0
    assert "plainer still" not in again.text
    assert len((problem.work / "out.py").read_bytes()) < size


def test_quiet_shows_nothing(problem: Stage) -> None:
    terminal = Terminal(problem, "reduce", "in.txt", *TEST, "-q")
    assert terminal.end() == 0
    assert terminal.text == ""


def test_errors_are_seen_after_the_view_is_gone(problem: Stage) -> None:
    terminal = Terminal(problem, "reduce", "in.txt", *TEST, "--budget-tests", "10", "-o", "out.txt")
    terminal.until_seen("at most", "more tests")
    assert terminal.end() == 3
    assert terminal.lines[-2] == "wynot: the budget of 10 tests is used up"
    assert re.fullmatch(ONWARD, terminal.lines[-1])
    assert_gone(terminal)


def interrupt(terminal: Terminal) -> None:
    terminal.child.sendintr()


def terminate(terminal: Terminal) -> None:
    terminal.child.kill(signal.SIGTERM)


@pytest.mark.parametrize("stop", [interrupt, terminate])
def test_control_c_in_the_terminal(problem: Stage, stop: Callable[[Terminal], None]) -> None:
    """The terminal sends it to wynot only; the view is gone, the cursor is back, the best so far is written."""
    hanging(problem)
    terminal = Terminal(problem, "reduce", "in.txt", *TEST, "--timeout", "1000s")
    hung(problem, terminal)
    stop(terminal)
    assert terminal.end() == 130
    assert terminal.lines[-2] == "wynot: interrupted"
    assert re.fullmatch(ONWARD, terminal.lines[-1])
    assert_gone(terminal)
    assert b"bug" in (problem.work / "in.reduced.txt").read_bytes()
    problem.assert_clean()


def test_a_terminal_that_is_closed_ends_the_run(problem: Stage) -> None:
    hanging(problem)
    terminal = Terminal(problem, "reduce", "in.txt", *TEST, "--timeout", "1000s")
    eventually(lambda: len(problem.log) >= MANY, "a test hangs")
    with contextlib.suppress(pexpect.ExceptionPexpect):  # it waits for the end, but not for long
        terminal.child.close(force=False)  # a hang-up
    eventually(lambda: not problem.living(), "all processes are gone")
    eventually(lambda: not list(problem.tmp.iterdir()), "all folders are gone")
    assert b"bug" in (problem.work / "in.reduced.txt").read_bytes()
    terminal.child.wait()
    assert terminal.child.exitstatus == 130


def test_a_test_cannot_wait_for_the_terminal(problem: Stage) -> None:
    """A program that asks its user something (a password) gets no answer, and does not stop for ever."""
    ask = "import os\ntry:\n    open('/dev/tty').readline()\nexcept OSError:\n    pass\n"
    problem.python("ask", ask)
    problem.script("check", f'{problem.work}/ask; grep -q bug "$1"')
    assert Terminal(problem, "reduce", "in.txt", *TEST, "--atoms", "lines", "--budget-time", "1000s").end() == 0
    problem.assert_clean()


def test_stopped_and_gone_on_with(problem: Stage) -> None:
    """Ctrl-Z and fg, in a shell: it gets its terminal as it was, and the run takes it again."""
    hanging(problem)
    env = {**problem.env, "PS1": "ready> "}
    shell = pexpect.spawn(
        "/bin/bash", ["--norc", "-i"], cwd=str(problem.work), env=env, dimensions=(24, 80), encoding="utf-8", timeout=60
    )
    shell.expect("ready> ")
    shell.sendline(" ".join((*WYNOT, "reduce in.txt --test ./check --timeout 1000s")))
    shell.expect("best so far")
    eventually(lambda: len(problem.log) >= MANY, "a test hangs")
    shell.send("\x1a")
    shell.expect("Stopped")
    assert "\x1b[?25h" in shell.before, "the cursor is back"
    shell.expect("ready> ")
    shell.sendline("stty -a | grep -wo -- '-*icanon'")
    shell.expect("\r\n(?:\x1b\\S*\r)?(-*icanon)\r\n")
    assert shell.match[1] == "icanon"
    shell.sendline("fg")
    shell.expect("worker busy")
    shell.send("s")
    shell.expect("wynot: stopped: this is the best so far")
    shell.expect("ready> ")
    shell.sendline("exit")
    shell.expect(pexpect.EOF)
    shell.close()
    problem.assert_clean()


def test_a_difference_is_shown_in_colour(problem: Stage) -> None:
    terminal = Terminal(problem, "isolate", "in.txt", *TEST, "-o", "pair", width=40)
    terminal.until_seen("wynot isolate in.txt", "pass ", "+ ")
    assert terminal.end() == 0
    assert {RED, GREEN} <= terminal.colours
    assert terminal.lines[-2] == "written to pair/failing"
    assert_gone(terminal)


def test_a_dumb_terminal_gets_no_escapes(problem: Stage) -> None:
    problem.changed["TERM"] = "dumb"
    terminal = Terminal(problem, "reduce", "in.txt", *TEST)
    assert terminal.end() == 0
    assert "\x1b" not in terminal.text
    assert "written to in.reduced.txt" in terminal.text
