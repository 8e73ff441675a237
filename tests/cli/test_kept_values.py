"""A result fails with the values of the original that stand in the input; else both failures are shown."""

from __future__ import annotations

import sys

from tests.support.stage import Stage

PYTHON = (sys.executable, "-S")
SUMS = """import sys
for number, line in enumerate(open(sys.argv[1])):
    name, _, amount = line.rstrip().partition(",")
    float(amount)
"""
TABLE = "".join(f"item {number},{'n/a' if number == 27 else number * 3}\n" for number in range(40))


def test_a_value_that_stands_in_the_input_is_kept(stage: Stage) -> None:
    """Without that a line with no amount at all fails, too: could not convert ''."""
    program = stage.file("sums.py", SUMS)
    stage.file("in.csv", TABLE)
    done = stage.here("reduce", "in.csv", "--json", "--", *PYTHON, program, "{}")
    assert (stage.work / "in.reduced.csv").read_bytes() == b",n/a"
    assert "the result fails with another value than 'n/a': searching for one that keeps it" in done.err
    assert "'n/a'" in done.json["failures"]["original"]
    assert "'n/a'" in done.json["failures"]["result"]
    assert done.json["tests"] <= 30
    assert done.json["minimality"] == "1-minimal"
    again = stage.here("reduce", "in.csv", "--json", "--", *PYTHON, program, "{}")
    assert (again.json["tests"], again.json["size_after"]) == (0, 4)
    assert "original:" not in stage.here("reduce", "in.csv", "--", *PYTHON, program, "{}").out
    assert stage.here("verify", "last").code == 0


def test_a_word_of_a_configuration_is_kept(stage: Stage) -> None:
    """The program says it on standard error, and no reader knows it; any other colour fails as well."""
    check = 'word=$(sed -n "s/.*colour: *//p" "$1"); case "$word" in red|green) exit 0;; esac\n'
    stage.script("paint", check + "echo \"error: no colour '$word'\" >&2; exit 1")
    stage.file("in.yaml", "size: 3\ncolour: mauve\nshape:\n  - round\n  - square\n")
    done = stage.here("reduce", "in.yaml", "--json", "--", "./paint", "{}")
    assert (stage.work / "in.reduced.yaml").read_text() == "colour: mauve"
    assert done.json["failures"]["result"] == "error: no colour 'mauve'"


def test_where_a_value_changes_both_failures_are_shown(stage: Stage) -> None:
    check = 'n=$(grep -n bug "$1" | cut -d: -f1); test -z "$n" && exit 0; echo "error: bug in line $n" >&2; exit 1'
    stage.script("lint", check)
    stage.file("in.txt", "".join(f"line {number}\n" for number in range(20)) + "a bug\n")
    done = stage.here("reduce", "in.txt", "--", "./lint", "{}")
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"
    assert "original: error: bug in line 21\nresult:   error: bug in line 1\n" in done.out
    assert "(not compared: bug, line, 21)" in done.err


def test_both_failures_of_a_folder_are_shown(stage: Stage) -> None:
    """A search in a folder keeps no values."""
    check = 'n=$(sed -n "s/^n=//p" "$1/a.conf"); case "$n" in ""|[0-9]*) exit 0;; esac\n'
    stage.script("check", check + "echo \"error: no number: '$n'\" >&2; exit 1")
    (stage.work / "in").mkdir()
    stage.file("in/a.conf", "m=5\nn=n/a\n")
    done = stage.here("reduce", "in", "--", "./check", "{}")
    assert done.code == 0, done.err
    assert "original: error: no number: 'n/a'\nresult:   error: no number: 'n'\n" in done.out


def test_both_failures_of_an_isolated_difference_are_shown(stage: Stage) -> None:
    """The passing side grows up to a line without an amount, which fails, too."""
    program = stage.file("sums.py", SUMS)
    stage.file("in.csv", TABLE)
    stage.file("ok.csv", TABLE.replace("n/a", "81"))
    done = stage.here("isolate", "in.csv", "--passing", "ok.csv", "--json", "--", *PYTHON, program, "{}")
    assert done.code == 0, done.err
    values = [said.split("'")[1] for said in done.json["failures"].values()]
    assert values == ["n/a", "n1"]
    shown = stage.here("isolate", "in.csv", "--passing", "ok.csv", "--", *PYTHON, program, "{}").out
    assert "original: ValueError: could not convert string to float: 'n/a'" in shown


def test_both_failures_of_a_recording_are_shown(stage: Stage) -> None:
    program = stage.file(
        "play.py", "import sys\nn = len(open(sys.argv[1]).readlines())\nif n > 1: raise ValueError(n)\n"
    )
    stage.file("log.jsonl", '{"a": 1}\n{"a": 2}\n{"a": 3}\n')
    done = stage.here("events", "log.jsonl", "--", *PYTHON, program, "{}")
    assert done.code == 0, done.err
    assert "original: ValueError: 3 at play.py:3" in done.out
    assert "result:   ValueError: 2 at play.py:3" in done.out


def test_names_of_a_program_are_not_kept(stage: Stage) -> None:
    """They cost no second search."""
    stage.file(
        "in.c", "int a;\nint f(void) { return a; }\nint main(void) { int total = undefined_name; return total; }\n"
    )
    done = stage.here("reduce", "in.c", "--json", "--", "gcc", "-fsyntax-only", "{}")
    assert done.code == 0
    assert "searching for one that keeps it" not in done.err
