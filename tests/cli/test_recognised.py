"""The failure is recognised by itself: the command line, end to end."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from wynot.cli.main import main


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def wynot(here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in this process."""
    runner = CliRunner(env={"WYNOT_HOME": str(here.parent / "home")})
    with contextlib.chdir(here):
        done = runner.invoke(main, words, prog_name="wynot", catch_exceptions=False)
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


def script(path: Path, text: str) -> None:
    path.write_text("#!/bin/bash\n" + text + "\n")
    path.chmod(0o755)


PROGRAM = """
import sys
text = open(sys.argv[1]).read()
if text.count("(") != text.count(")"):
    raise SyntaxError("unbalanced")
for word in text.split():
    if word == "bad":
        raise KeyError(word)
"""


def test_the_original_failure_is_kept_and_told(here: Path) -> None:
    """Leaving out a parenthesis makes the program fail in another way: that does not count."""
    (here / "prog.py").write_text(PROGRAM)
    (here / "in.txt").write_text("(one\ntwo bad three)\n(four)\n")
    done = wynot(here, "reduce", "in.txt", "--", sys.executable, "prog.py", "{}")
    assert done.returncode == 0, done.stderr
    assert "looking for: exit code 1: KeyError: 'bad'" in done.stderr
    result = here / "in.reduced.txt"
    told = subprocess.run([sys.executable, "prog.py", result], cwd=here, capture_output=True, text=True, check=False)
    assert told.stderr.splitlines()[-1] == "KeyError: 'bad'"
    assert len(result.read_text()) <= len("(\nbad )")
    coarse = wynot(here, "reduce", "in.txt", "--precision", "exit", "--", sys.executable, "prog.py", "{}")
    assert coarse.returncode == 0
    assert (here / "in.reduced.txt").read_text() in {"(", ")"}, "the precision effect: another failure, and smaller"


def test_check_shows_what_would_be_looked_for(here: Path) -> None:
    (here / "prog.py").write_text(PROGRAM)
    (here / "in.txt").write_text("good bad")
    words = ("in.txt", "--", sys.executable, "prog.py", "{}")
    done = wynot(here, "check", *words)
    assert done.returncode == 0, done.stderr
    assert "KeyError" in done.stdout
    assert "shows in 100% of 3 runs: steady" in done.stdout
    assert "the empty input passes" in done.stdout
    found = json.loads(wynot(here, "check", "--json", *words).stdout)
    assert (found["rate"], found["empty"], found["runs"]) == (1.0, "pass", 3)
    assert sorted(path.name for path in here.iterdir()) == ["in.txt", "prog.py"]


def test_two_releases_that_disagree(here: Path) -> None:
    """Wrong code and regressions: the smallest input on which two commands print other things."""
    (here / "in.txt").write_text("alpha\nbeta 7\ngamma\n")
    done = wynot(here, "reduce", "in.txt", "--differs-from", "cat {}", "--", "sed", "s/7/8/", "{}")
    assert done.returncode == 0, done.stderr
    assert (here / "in.reduced.txt").read_text() == "7"
    assert "the two commands differ in what they print: 'beta 8', the other 'beta 7'\n" in done.stderr
    assert "original: 'beta 8', the other 'beta 7'\nresult:   '8', the other '7'\n" in done.stdout


def test_only_valid_inputs_count(here: Path) -> None:
    (here / "in.txt").write_text("a\nkey\nb bad\nc\n")
    script(here / "check", 'grep -q bad "$1"')
    done = wynot(here, "reduce", "in.txt", "--valid-if", "grep key {}", "--test", "./check")
    assert done.returncode == 0, done.stderr
    assert (here / "in.reduced.txt").read_text() == "keybad"


@pytest.mark.parametrize(
    ("option", "body"),
    [
        (("--fail-if-exit", "7"), 'grep -q bad "$1" && exit 7; grep -q odd "$1" && exit 3; exit 0'),
        (("--fail-if-signal", "SEGV"), 'grep -q bad "$1" && kill -SEGV $$; exit 0'),
        (("--fail-if-hang", "400ms"), 'grep -q bad "$1" && sleep 100; exit 0'),
        (("--fail-if-slower-than", "300ms"), 'grep -q bad "$1" && sleep 0.5; exit 0'),
        (("--fail-if-output", "^lost$"), 'grep -q bad "$1" && echo lost; exit 0'),
    ],
)
def test_what_the_user_says_counts(here: Path, option: tuple[str, ...], body: str) -> None:
    (here / "in.txt").write_text("x odd\ny\nz bad w\n")
    script(here / "prog", body)
    done = wynot(here, "reduce", "in.txt", "--atoms", "tokens", *option, "--", "./prog", "{}")
    assert done.returncode == 0, done.stderr
    assert (here / "in.reduced.txt").read_text().strip() == "bad"


@pytest.mark.parametrize(
    "words",
    [
        ("--precision", "fine", "--", "cat", "{}"),
        ("--fail-if-signal", "SIGNONE", "--", "cat", "{}"),
        ("--differs-from", "", "--", "cat", "{}"),
        ("--differs-from", "'cat", "--", "cat", "{}"),
        ("--valid-if", "no-such-program {}", "--", "cat", "{}"),
        ("--precision", "exit", "--test", "./check"),
        ("--differs-from", "cat {}", "--fail-if-exit", "1", "--", "cat", "{}"),
    ],
)
def test_bad_wishes_are_told(here: Path, words: tuple[str, ...]) -> None:
    (here / "in.txt").write_text("x")
    script(here / "check", "exit 0")
    done = wynot(here, "reduce", "in.txt", *words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_a_failure_that_shows_in_a_third_of_the_runs(here: Path) -> None:
    """Reduced to what still shows it at least in a quarter of the runs; how many runs it took is said."""
    chance = f"echo >> {here}/count; [ $(($(wc -l < {here}/count) * 7 % 10)) -lt 3 ]"  # three of ten, in no order
    script(here / "prog", f'grep -q bad "$1" && {{ {chance}; }} && exit 3; exit 0')
    (here / "in.txt").write_text("".join(f"line {i}\n" for i in range(12)) + "some bad line\n" + "more\n" * 5)
    done = wynot(here, "reduce", "in.txt", "--json", "--", "./prog", "{}")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert 0 < found["rate"] < 1
    assert found["runs"] > found["tests"]
    result = here / "in.reduced.txt"
    assert b"bad" in result.read_bytes()
    shown = sum(subprocess.run([here / "prog", result], check=False).returncode == 3 for _ in range(100))
    assert shown >= 0.2 * 100


def test_a_steady_failure_costs_no_run_more(here: Path) -> None:
    script(here / "prog", 'grep -q bad "$1" && exit 3; exit 0')
    (here / "in.txt").write_text("one\nbad\n")
    found = json.loads(wynot(here, "reduce", "in.txt", "--json", "--", "./prog", "{}").stdout)
    assert found["runs"] == found["tests"] + found["baseline_tests"]
    assert found["baseline_tests"] == 4, "three looks at the input, one at the empty one"


def test_a_failure_that_ends_now_so_now_so_is_not_steady(here: Path) -> None:
    """Heap corruption: SIGSEGV one time, SIGABRT the next. Each alone is a failure that shows only sometimes."""
    count = here / "count"
    script(here / "prog", f"n=$(cat {count} 2>/dev/null); echo $((n + 1)) > {count}; exit $((3 + (n + 0) % 2))")
    (here / "in.txt").write_text("one\nbad\ntwo\n")
    found = json.loads(wynot(here, "check", "--json", "in.txt", "--", "./prog", "{}").stdout)
    assert 0 < found["rate"] < 1
    assert found["runs"] >= 30


def test_the_time_limit_knows_the_validity_test(here: Path) -> None:
    script(here / "valid", "sleep 0.7; exit 0")
    script(here / "prog", 'grep -q bad "$1" && exit 3; exit 0')
    (here / "in.txt").write_text("bad")
    words = ("in.txt", "--valid-if", "./valid {}", "--", "./prog", "{}")
    found = json.loads(wynot(here, "check", "--json", *words).stdout)
    assert found["limit"] >= 7


def test_another_other_command_is_another_run(here: Path) -> None:
    (here / "in.txt").write_text("a 7 b\n")
    script(here / "other", "sed s/7/8/ $1")
    words = ("reduce", "in.txt", "--differs-from", "./other {}", "--", "cat", "{}")
    assert wynot(here, *words).returncode == 0
    script(here / "other", "cat $1   # agrees now")
    assert wynot(here, *words).returncode == 1


def test_a_file_that_the_command_writes_is_not_the_users(here: Path) -> None:
    (here / "out.o").write_text("precious")
    (here / "in.txt").write_text("one\nbad\n")
    script(here / "prog", 'cp "$1" "$3"; grep -q bad "$1" && exit 3; exit 0')
    assert wynot(here, "reduce", "in.txt", "--", "./prog", "{}", "-o", "out.o").returncode == 0
    assert (here / "out.o").read_text() == "precious"


def test_nohup_is_respected(here: Path) -> None:
    """SIGHUP was ignored when it started, so it does not end the run."""
    script(here / "prog", 'kill -HUP $PPID; grep -q bad "$1" && exit 3; exit 0')
    (here / "in.txt").write_text("one\nbad\n")
    env = {**os.environ, "WYNOT_HOME": str(here.parent / "home")}
    command = f"trap '' HUP; exec {sys.executable} -m wynot reduce in.txt -- ./prog {{}}"
    assert subprocess.run(["sh", "-c", command], cwd=here, env=env, capture_output=True, check=False).returncode == 0


def test_a_budget_that_ends_before_the_search_writes_what_there_is(here: Path) -> None:
    script(here / "prog", "sleep 0.4; exit 3")
    (here / "in.txt").write_text("one\nbad\n")
    done = wynot(here, "reduce", "in.txt", "--budget-time", "200ms", "--", "./prog", "{}")
    assert done.returncode == 3
    assert (here / "in.reduced.txt").read_text() == "one\nbad\n"


def test_a_message_as_long_as_the_input_takes_no_time(here: Path) -> None:
    """Counted by what is compared: the beginning of it."""
    from wynot.oracles.signature import LONGEST, essence  # noqa: PLC0415

    long = "error: bad token " + "ab-" * 100_000
    assert essence(long, frozenset()) == essence(long[:LONGEST], frozenset())
