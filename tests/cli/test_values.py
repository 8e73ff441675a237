"""`changes` and `bisect` compare the whole message: another value in it is another failure."""

from __future__ import annotations

import sys

import pytest

from tests.support.repos import Repo
from tests.support.stage import Stage

PYTHON = (sys.executable, "-S")


def trees(stage: Stage, old: dict[str, str], new: dict[str, str]) -> None:
    """Two folders; what is not in `new` is as in `old`."""
    for name, files in (("old", old), ("new", {**old, **new})):
        (stage.work / name).mkdir()
        for path, text in files.items():
            stage.file(f"{name}/{path}", text)


def blamed(stage: Stage, *command: object, precision: tuple[str, ...] = ()) -> list[str]:
    """The files whose changes break the old tree."""
    done = stage.here("changes", "old", "new", "--breaks", "--no-coverage", "--json", *precision, "--", *command)
    assert done.code == 0, done.err
    return [each["path"] for each in done.json["breaks"]]


CHECK = """import a, b
got = b.show(a.DEFAULT)
if got != "False":
    raise AssertionError(f"assert {got!r} == 'False'")
"""


@pytest.fixture
def quoting(stage: Stage) -> Stage:
    """Both changes fail by themselves: a.py with '', b.py as the new tree does, with quotes around the value."""
    old = {"a.py": 'DEFAULT = "False"\n', "b.py": "def show(value):\n    return value\n", "check.py": CHECK}
    trees(stage, old, {"a.py": 'DEFAULT = ""\n', "b.py": "def show(value):\n    return repr(str(False))\n"})
    return stage


def test_another_quoted_value_is_another_failure(quoting: Stage) -> None:
    assert blamed(quoting, *PYTHON, "check.py") == ["b.py"]
    assert quoting.here("verify", "last").code == 0


def test_who_asks_for_less_gets_less(quoting: Stage) -> None:
    assert blamed(quoting, *PYTHON, "check.py", precision=("--precision", "frames")) == ["a.py"]


def test_another_number_is_another_failure_in_a_bisection(stage: Stage) -> None:
    """The second commit makes it fail with another number than the fourth, and than the last."""
    repo = Repo(stage.work)
    check = 'n=$(cat n); m=$(cat m); test $n$m = 31 || { echo "error: expected 3 lines, got $n$m" >&2; exit 1; }\n'
    repo.commit("start", {"n": b"3\n", "m": b"1\n", "check.sh": check.encode()})
    repo.commit("other", {"x": b"1\n"})
    repo.commit("another number", {"n": b"7\n"})
    repo.commit("repaired", {"n": b"3\n"})
    wanted = repo.commit("guilty", {"m": b"2\n"})
    repo.commit("last", {"x": b"2\n"})
    done = stage.here("bisect", "HEAD~5", "HEAD", "--no-coverage", "--json", "--", "sh", "check.sh")
    assert done.code == 0, done.err
    assert [each["sha"] for each in done.json["suspects"]] == [wanted]
    assert [each["path"] for each in done.json["breaks"]] == ["m"]


def test_where_every_tree_prints_a_value_of_its_own_values_do_not_count(stage: Stage) -> None:
    check = 'grep -q bad a || exit 0; echo "error: bad line in a tree of $(cat ? | wc -c) bytes" >&2; exit 1\n'
    new = {"a": "bad\n", "b": "12\n", "c": "123\n", "d": "1234\n", "e": "12345\n", "f": "123456\n"}
    trees(stage, {**dict.fromkeys("abcdef", "1\n"), "check.sh": check}, new)
    words = ("changes", "old", "new", "--no-coverage")
    done = stage.here(*words, "--json", "--", "sh", "check.sh")
    assert [each["path"] for each in done.json["breaks"]] == ["a"]
    note = "values in the message were not compared: with them there is no answer"
    assert done.json["notes"] == [note]
    assert "searching once more without its values" in done.err
    again = stage.here(*words, "--", "sh", "check.sh")
    assert f"note: {note}" in again.out
    assert "(not compared: 29)" in again.err
    assert stage.here("verify", "last").code == 0


def test_values_that_change_from_run_to_run_do_not_count(stage: Stage) -> None:
    check = 'grep -q bad a || exit 0; echo "error: bad line, ticket $$" >&2; exit 1\n'
    trees(stage, {"a": "1\n", "b": "1\n", "check.sh": check}, {"a": "bad\n", "b": "2\n"})
    done = stage.here("changes", "old", "new", "--no-coverage", "--json", "--", "sh", "check.sh")
    assert [each["path"] for each in done.json["breaks"]] == ["a"]
    assert done.json["notes"] == []
    assert "the values in its message change from run to run" in done.err


@pytest.mark.parametrize("place", ["x.py", "$PWD/x.py"])
def test_what_the_old_one_prints_is_not_the_failure(stage: Stage, place: str) -> None:
    """A warning on standard error that both trees print, at different lines; the failure is on standard output.

    The first change alone fails with another message there; in the new tree a second one undoes that.
    """
    check = (
        f'echo "{place}:$(cat line): FutureWarning: possible error in a set" >&2\n'
        'test -e a_plugin && test ! -e c_plugin && { echo "cannot read c_plugin"; exit 1; }\n'
        'grep -q bad b && { echo "E302 expected 2 blank lines"; exit 1; }\nexit 0\n'
    )
    old = {"b": "1\n", "check.sh": check, "line": "1\n"}
    trees(stage, old, {"a_plugin": "1\n", "b": "bad\n", "c_plugin": "1\n", "line": "3\n"})
    done = stage.here("changes", "old", "new", "--breaks", "--no-coverage", "--json", "--", "sh", "check.sh")
    assert "looking for: exit code 1: E302 expected 2 blank lines" in done.err
    assert [each["path"] for each in done.json["breaks"]] == ["b"]


def test_a_traceback_that_the_old_one_survives_is_not_the_failure(stage: Stage) -> None:
    check = (
        "import sys, traceback\n"
        "total = int(open('b').read()) + int(open('a').read())\n"
        "try:\n    raise KeyError('colour')\nexcept KeyError:\n    traceback.print_exc()\n"
        "if total != 3:\n    print(f'wrong total: {total}', file=sys.stderr)\n    sys.exit(1)\n"
    )
    trees(stage, {"a": "1\n", "b": "2\n", "check.py": check}, {"a": "0\n", "b": "7\n"})
    done = stage.here("changes", "old", "new", "--breaks", "--no-coverage", "--json", "--", *PYTHON, "check.py")
    assert "looking for: exit code 1: wrong total: 7" in done.err
    assert [each["path"] for each in done.json["breaks"]] == ["a", "b"]


def test_values_below_the_first_line_are_shown(stage: Stage) -> None:
    """Where failures differ only by them, as at the commit between, they tell one from the other."""
    repo = Repo(stage.work)
    test = b"require('assert').strictEqual(require('./lib').price, 1)\n"
    repo.commit("start", {"lib.js": b"exports.price = 1\n", "test.js": test})
    repo.git("tag", "v1")
    repo.commit("passes", {"other": b""})
    repo.commit("two", {"lib.js": b"exports.price = 2\n"})
    repo.commit("three", {"lib.js": b"exports.price = 3\n"})
    done = stage.here("bisect", "v1", "HEAD", "--", "node", "test.js")
    assert "looking for: exit code 1: AssertionError: Expected values to be strictly equal: 3 !== 1 in" in done.err
    between = repo.git("rev-parse", "--short=12", "HEAD~1").strip()
    assert (
        f"the first that does not pass is {between}: AssertionError: Expected values to be strictly equal: 2 !== 1 in"
        in done.out
    )


def test_what_is_left_of_a_word_of_the_input_is_no_other_failure(stage: Stage) -> None:
    """It is said not to be compared: so it is not, if only a part of it is left."""
    stage.file("in.txt", "aa\nbkb\ncc")
    done = stage.here("reduce", "in.txt", "--", "sh", "-c", 'grep k "$1" && exit 6; exit 0', "m", "{}")
    assert "(not compared: bkb)" in done.err
    assert (stage.work / "in.reduced.txt").read_text() == "k", done.out
