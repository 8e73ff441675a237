"""A command ends in the folder of a test as it does where it was typed; if not, it is made so or refused."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.stage import LOOKS, Done, Stage
from wynot.engine.baseline import as_typed
from wynot.engine.baseline.files_read import MAX_GUESSED, files_in, reads_in
from wynot.oracles.protocol import FileBeside
from wynot.oracles.typed_command import TypedCommand

LINES = "".join(f"line {number}\n" for number in range(6)) + "bug\n"
FINDS_BUG = 'import sys\nfor line in open(sys.argv[1]):\n    if "bug" in line:\n        raise ValueError(line)\n'


def reduced(stage: Stage, name: str, *words: str) -> Done:
    done = stage.here("reduce", name, "--json", *words)
    assert done.code == 0, done.err
    return done


def test_a_header_beside_the_input_is_found(stage: Stage) -> None:
    """It was reduced to `#include "0"` once, for then the header is missing, too."""
    stage.file("x.h", "#define BAD(x) x.nothing()\n")
    stage.file("bug.cc", '#include "x.h"\nint a = 1;\nint main() { int v = 3; BAD(v); return a; }\n')
    done = reduced(stage, "bug.cc", "--", "g++", "-c", "{}")
    assert "request for member" in done.json["looked_for"]
    assert "the command also reads x.h beside bug.cc: laid beside each candidate" in done.err
    text = (stage.work / "bug.reduced.cc").read_text()
    assert text.startswith('#include "x.h"')
    assert "BAD(" in text
    assert sorted(path.name for path in stage.work.iterdir()) == ["bug.cc", "bug.reduced.cc", "x.h"]
    assert stage.here("verify", "last").code == 0


def test_a_data_file_that_the_program_opens_is_found(stage: Stage) -> None:
    stage.file("limits.json", '{"max": 100}')
    stage.file(
        "load.py",
        'import json, sys\nmax = json.load(open("limits.json"))["max"]\n'
        'if any(int(line) > max for line in open(sys.argv[1])): raise OverflowError("too large")\n',
    )
    stage.file("in.txt", "1\n2\n500\n3\n")
    done = reduced(stage, "in.txt", "--", sys.executable, "-S", "load.py", "{}")
    assert "OverflowError: too large" in done.json["looked_for"]
    assert (stage.work / "in.reduced.txt").read_bytes() == b"500"
    again = reduced(stage, "in.txt", "--", sys.executable, "-S", "load.py", "{}")
    assert (again.json["tests"], again.json["baseline_tests"]) == (0, 2)
    stage.file("limits.json", '{"max": 10}')
    changed = reduced(stage, "in.txt", "--", sys.executable, "-S", "load.py", "{}")
    assert "the outcomes of earlier runs are set aside: limits.json has changed" in changed.err
    assert (stage.work / "in.reduced.txt").read_bytes() == b"50"


def test_without_strace_small_files_beside_the_input_are_laid(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(as_typed, "find_strace", lambda: None)
    stage.file("words", "bug\n")
    stage.file("in.txt", LINES)
    done = reduced(stage, "in.txt", "--", "sh", "-c", 'grep -qf words "$0" || exit 0; exit 3', "{}")
    assert (done.json["looked_for"], (stage.work / "in.reduced.txt").read_bytes()) == ("exit code 3", b"bug")
    assert "may also read words beside in.txt" in done.err


def test_without_strace_small_files_in_folders_are_laid_level_by_level(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A level that holds many files ends the guess, and a refusal says what would help."""
    monkeypatch.setattr(as_typed, "find_strace", lambda: None)
    (stage.work / "a" / "b").mkdir(parents=True)
    stage.file("a/words", "bug\n")
    stage.file("in.txt", LINES)
    for number in range(MAX_GUESSED):
        stage.file(f"a/b/{number}", "bug\n")
    words = ("--", "sh", "-c", 'grep -qf a/words "$0" || exit 0; exit 3', "{}")
    assert reduced(stage, "in.txt", *words).json["looked_for"] == "exit code 3"
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"
    refused = stage.here("check", "in.txt", "--", "sh", "-c", 'grep -qf a/b/7 "$0" || exit 0; exit 3', "{}")
    assert refused.code == 1
    assert "install strace" in refused.err


def test_files_in_and_above_the_folder_of_the_input_are_found(stage: Stage) -> None:
    (stage.work / "src" / "inc").mkdir(parents=True)
    stage.file("src/inc/y.h", "#define Y nowhere\n")
    stage.file("up.h", "#define UP\n")
    stage.file("src/s.c", '#include "y.h"\n#include "../up.h"\nint main() { UP; return Y; }\n')
    done = reduced(stage, "src/s.c", "--", "gcc", "-c", "-Isrc/inc", "{}")
    assert "nowhere" in done.json["looked_for"]


@pytest.mark.skipif(shutil.which("jq") is None and os.environ.get("CI") != "true", reason="jq is not installed")
def test_a_point_is_no_path(stage: Stage) -> None:
    """The point became the full path of the folder: jq looked for a file of that name, whatever the input was."""
    stage.file("bug.json", '{"a": 1, "b": [1, 2,}\n')
    done = reduced(stage, "bug.json", "--", "jq", ".", "{}")
    assert "parse error" in done.json["looked_for"]
    assert done.json["baseline_tests"] == LOOKS + 1
    assert not done.json["weak"]


def test_a_word_that_happens_to_name_a_file_stays_a_word(stage: Stage) -> None:
    """A module of the folder, a pattern: with a full path in its place the command fails whatever the input is."""
    stage.file("bug", "")
    stage.file("in.txt", LINES)
    done = reduced(stage, "in.txt", "--", "sh", "-c", 'grep -q "$1" "$0" || exit 0; exit 3', "{}", "bug")
    assert (done.json["looked_for"], (stage.work / "in.reduced.txt").read_bytes()) == ("exit code 3", b"bug")


def test_a_module_that_is_named_by_a_word_is_run(stage: Stage) -> None:
    (stage.work / "reader").mkdir()
    stage.file("reader/__main__.py", FINDS_BUG)
    stage.file("in.txt", LINES)
    done = reduced(stage, "in.txt", "--", sys.executable, "-S", "-m", "reader", "{}")
    assert "ValueError: bug" in done.json["looked_for"]
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"


def test_a_command_that_depends_on_its_working_folder_is_refused(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    command = f'case $PWD in {stage.work}) grep -q bug "$0" && exit 3; exit 0;; esac; echo elsewhere; exit 7'
    done = stage.here("reduce", "in.txt", "--", "sh", "-c", command, "{}")
    assert done.code == 1
    first, *_, hint = done.err.splitlines()
    assert "as typed, the command ends with exit code 3; in a folder of its own, with exit code 7" in first
    assert "  | in its own folder: elsewhere" in done.err
    assert f"if it needs the folder {stage.work}, let it run there: -- sh -c" in hint
    assert not (stage.work / "in.reduced.txt").exists()
    stage.assert_clean()
    there = ("sh", "-c", 'cd "$0" && exec "$@"', str(stage.work), "sh", "-c", command, "{}")
    reduced(stage, "in.txt", "--", *there)
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"


def test_a_command_that_fails_in_the_folder_of_a_test_only_is_refused(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    done = stage.here("check", "in.txt", "--", "sh", "-c", f"test $PWD = {stage.work} || exit 5", "{}")
    assert done.code == 1
    assert "as typed, the command ends with exit 0; in a folder of its own, with exit code 5" in done.err


def test_conditions_of_the_user_are_compared(stage: Stage) -> None:
    """With both ends the condition is met: how else they differ does not matter."""
    stage.file("in.txt", LINES)
    command = 'grep -q bug "$0" || exit 0; pwd; exit 3'
    done = reduced(stage, "in.txt", "--fail-if-exit", "3", "--", "sh", "-c", command, "{}")
    assert done.json["baseline_tests"] == LOOKS + 1


def test_a_failure_that_shows_sometimes_is_no_other_one(stage: Stage) -> None:
    """The first run as typed passes, the first in the folder of a test fails."""
    stage.file("in.txt", LINES)
    count = stage.folder / "count"
    command = f'n=$(wc -l < {count}); echo >> {count}; grep -q bug "$0" && [ $((n % 2)) = 1 ] && exit 3; exit 0'
    count.touch()
    done = stage.here("check", "in.txt", "--json", "--", "sh", "-c", command, "{}")
    assert done.code == 0, done.err
    assert 0 < done.json["rate"] < 1


def test_what_the_command_changes_is_put_back(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    stage.file("conf.ini", "max = 1\n")
    command = 'grep -q bug "$0" || exit 0; echo more | tee -a "$0" "$1" > "$3"; exit 3'
    done = reduced(stage, "in.txt", "--", "sh", "-c", command, "{}", "conf.ini", "-o", "out.bin")
    assert "the command changes conf.ini, in.txt: put back as it was; tests run on copies" in done.err
    assert (stage.work / "in.txt").read_text() == LINES
    assert (stage.work / "conf.ini").read_text() == "max = 1\n"
    assert sorted(path.name for path in stage.work.iterdir()) == ["conf.ini", "in.reduced.txt", "in.txt"]


def test_files_from_elsewhere_that_the_command_changes_are_copied(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    outside = stage.folder / "conf.ini"
    outside.write_text("max = 1\n")
    command = 'grep -q bug "$0" || exit 0; echo more | tee -a "$1" >> "${2#--log=}"; exit 3'
    words = ("--", "sh", "-c", command, "{}", "../conf.ini", f"--log={outside}")
    done = reduced(stage, "in.txt", *words)
    assert (done.json["looked_for"], outside.read_text()) == ("exit code 3", "max = 1\n")
    assert "the command changes ../conf.ini: put back as it was; tests run on copies" in done.err
    assert reduced(stage, "in.txt", *words).json["tests"] == 0


def test_a_change_of_what_tests_share_is_refused(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    outside = stage.folder / "data"
    outside.mkdir()
    (outside / "conf.ini").write_text("max = 1\n")
    command = 'grep -q bug "$0" || exit 0; echo more >> "$1/conf.ini"; exit 3'
    done = stage.here("reduce", "in.txt", "--", "sh", "-c", command, "{}", "../data")
    assert (done.code, (outside / "conf.ini").read_text()) == (2, "max = 1\n")
    assert "the command changes ../data/conf.ini, which all tests would share" in done.err


def test_a_linked_file_that_changes_stops_the_run(stage: Stage) -> None:
    """As typed it is only read; a candidate without `bug` lets the command write to it."""
    stage.file("in.txt", LINES)
    stage.file("seen", "")
    command = 'cat seen > /dev/null; test -e seen || exit 9; grep -q bug "$0" || { echo x >> seen; exit 0; }; exit 3'
    done = stage.here("reduce", "in.txt", "--", "sh", "-c", command, "{}")
    assert done.code == 2
    assert f"{stage.work}/seen changed while the search ran" in done.err


def test_other_commands_are_run_as_typed_too(stage: Stage) -> None:
    stage.file("words", "bug\n")
    stage.file("in.txt", LINES)
    both = ("--differs-from", "grep -c line {}", "--valid-if", "grep -qf words {}")
    done = reduced(stage, "in.txt", *both, "--", "grep", "-cf", "words", "{}")
    assert b"bug" in (stage.work / "in.reduced.txt").read_bytes()
    assert done.json["looked_for"].startswith("the two commands differ")


def test_a_script_that_needs_other_files_is_explained(stage: Stage) -> None:
    stage.file("words", "bug\n")
    stage.file("in.txt", LINES)
    stage.script("check", 'grep -qf words "$1"')
    done = stage.here("reduce", "in.txt", "--test", "./check")
    assert done.code == 1
    assert "it finds only the input in its folder; try it by hand: d=$(mktemp -d) && cp -r in.txt" in done.err


def test_tests_of_a_cluster_find_what_is_beside_the_input(stage: Stage) -> None:
    stage.file("words", "bug\n")
    stage.file("in.txt", LINES)
    words = ("--cluster", "local:1", "--", "sh", "-c", 'grep -qf words "$0" || exit 0; exit 3', "{}")
    done = stage.wynot("reduce", "in.txt", "--json", *words)
    assert done.code == 0, done.err
    assert (done.json["looked_for"], (stage.work / "in.reduced.txt").read_bytes()) == ("exit code 3", b"bug")
    stage.assert_clean()


LOG = """\
7 execve("/bin/sh", ["sh"], 0x1 /* 9 vars */) = 0
7 openat(AT_FDCWD</u>, "x.h", O_RDONLY) = 3</u/x.h>
7 openat(AT_FDCWD</u>, "gone.h", O_RDONLY) = -1 ENOENT (No such file or directory)
7 openat(AT_FDCWD</u>, "/etc/passwd", O_RDONLY) = 3</etc/passwd>
8 openat(AT_FDCWD</u>, "state.db", O_RDWR <unfinished ...>
7 chdir("sub") = 0
8 <... openat resumed>) = 4</u/state.db>
7 openat(AT_FDCWD</u/sub>, "../bug.c", O_RDONLY) = 3</u/bug.c>
7 openat(AT_FDCWD</u/sub>, "a\\40b", O_RDONLY) = 3</u/sub/a b>
"""


def test_the_log_of_strace_is_read(tmp_path: Path) -> None:
    for name in ("x.h", "state.db", "bug.c", "sub/a b"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    here = str(tmp_path)
    typed = TypedCommand("bug.c", here, ("cc", "{}"))
    found = files_in(reads_in(LOG.replace("</u", f"<{here}").splitlines(), typed).used, typed)
    assert set(found) == {
        FileBeside("x.h", f"{here}/x.h"),
        FileBeside("state.db", f"{here}/state.db", copied=True),
        FileBeside("sub", ""),
        FileBeside("sub/a b", f"{here}/sub/a b"),
    }


def test_many_files_of_one_folder_are_one_link(stage: Stage) -> None:
    (stage.work / "parts").mkdir()
    for number in range(20):
        stage.file(f"parts/{number}", "bug\n" if number == 19 else "nothing\n")
    stage.file("in.txt", LINES)
    command = 'for i in $(seq 0 19); do read -r w < parts/$i || exit 9; grep -q "$w" "$0" && exit 3; done; exit 0'
    done = reduced(stage, "in.txt", "--", "sh", "-c", command, "{}")
    assert "also reads parts beside in.txt" in done.err
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"
    assert len(list((stage.work / "parts").iterdir())) == 20


def test_a_missing_module_that_is_installed_begins_anew(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found out about the missing module is no answer to what fails now."""
    stage.file("in.txt", LINES)
    installed = stage.folder / "site"
    installed.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(installed))
    stage.file("read.py", f"import shapes\n{FINDS_BUG}")
    words = ("--", sys.executable, "-S", "read.py", "{}")
    first = stage.here("reduce", "in.txt", "--json", *words)
    assert (first.code, "No module named 'shapes'" in first.json["looked_for"]) == (1, True)
    (installed / "shapes.py").touch()
    second = reduced(stage, "in.txt", *words)
    assert "ValueError: bug" in second.json["looked_for"]
    assert second.json["tests"] > 0
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"
    [line] = [line for line in second.err.splitlines() if "set aside" in line]
    assert "No module named 'shapes'" in line
    runs = json.loads(stage.here("runs", "--json").out)["runs"]
    assert sorted("ModuleNotFoundError" in each["looked_for"] for each in runs) == [False, True]
    assert {each["status"] for each in runs} == {"done"}


def test_a_changed_environment_that_changes_the_failure_begins_anew(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.file("in.txt", LINES)
    words = ("--", "sh", "-c", 'grep -q "${WANTED:-line 2}" "$0" || exit 0; exit ${CODE:-3}', "{}")
    reduced(stage, "in.txt", *words)
    for name, value in (("WANTED", "bug"), ("CODE", "4")):
        monkeypatch.setenv(name, value)
    second = reduced(stage, "in.txt", *words)
    assert (second.json["looked_for"], second.json["tests"] > 0) == ("exit code 4", True)
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"


@pytest.mark.parametrize("message", ["limit is $LIMIT", "no '$LIMIT'"])
def test_another_value_in_the_message_begins_anew(stage: Stage, monkeypatch: pytest.MonkeyPatch, message: str) -> None:
    """A search does not compare values; but the input is the same, so something around it has changed."""
    stage.file("in.txt", LINES)
    words = ("--", "sh", "-c", f'grep -q "$LIMIT" "$0" || exit 0; echo "error: {message}" >&2; exit 3', "{}")
    for limit in ("line 2", "bug", "4"):
        monkeypatch.setenv("LIMIT", limit)
        done = reduced(stage, "in.txt", *words)
        assert (stage.work / "in.reduced.txt").read_text() == limit
        assert ("set aside: the failure was another one" in done.err) == (limit != "line 2")
    assert reduced(stage, "in.txt", *words).json["tests"] == 0


def test_a_message_that_changes_from_run_to_run_keeps_its_journal(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    words = ("--", "sh", "-c", 'grep -q bug "$0" || exit 0; echo "error: ticket $$ in $PWD/x" >&2; exit 3', "{}")
    reduced(stage, "in.txt", *words)
    assert reduced(stage, "in.txt", *words).json["tests"] == 0


def test_a_failure_that_is_gone_is_not_answered_from_memory(stage: Stage) -> None:
    stage.file("in.txt", LINES)
    tool = stage.folder / "tool"
    tool.touch()
    command = ("--", "sh", "-c", f'test -e {tool} || exit 0; grep -q bug "$0" && exit 3; exit 0', "{}")
    script = stage.script("check", f'test -e {tool} && grep -q bug "$1"')
    for words in (command, ("--test", str(script))):
        first = reduced(stage, "in.txt", *words).json
        tool.unlink()
        (stage.work / "in.reduced.txt").unlink()
        gone = stage.here("reduce", "in.txt", *words)
        assert gone.code == 1
        assert "the failure does not show" in gone.err
        assert not (stage.work / "in.reduced.txt").exists()
        tool.touch()
        again = reduced(stage, "in.txt", *words)
        assert (again.json["tests"], again.json["run"]) == (0, first["run"])
        assert (first["from_run"], again.json["from_run"]) == (None, first["run"])
        assert f"from run {first['run'][:8]} of " in again.err
        assert "; --fresh runs it again" in again.err


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("before", "now"), [("2", "5"), ("5", "2")])
def test_an_answer_that_does_not_hold_any_more_is_not_given(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, before: str, now: str, jobs: str
) -> None:
    """A variable that decides how much it takes to fail: what the command says is the same."""
    stage.file("in.txt", LINES)
    words = ("-j", jobs, "--atoms", "lines", "--", "sh", "-c", '[ $(wc -l < "$0") -lt $LEAST ] || exit 3', "{}")
    monkeypatch.setenv("LEAST", before)
    reduced(stage, "in.txt", *words)
    known = reduced(stage, "in.txt", *words).json
    assert (known["tests"], known["after_tests"]) == (0, 2)
    monkeypatch.setenv("LEAST", now)
    again = reduced(stage, "in.txt", *words)
    assert "the outcomes of earlier runs are set aside" in again.err
    assert "from run" not in again.err
    assert len((stage.work / "in.reduced.txt").read_text().splitlines()) == int(now)


@pytest.mark.parametrize("way", ["exit", "script"])
def test_an_environment_that_was_mended_between_an_interrupted_run_and_its_resumption(stage: Stage, way: str) -> None:
    """What the user looks for stays the same; what the interrupted run remembers does not hold any more."""
    stage.file("in.txt", "".join(f"n{number}\n" for number in range(30)) + "c\nm\n")
    installed = stage.folder / "installed"
    fails = f'test -e {installed} || ! grep -q n0 "$1" || exit 1; ! grep -q c "$1" || exit 1; exit 0'
    words: tuple[str, ...] = ("--fail-if-exit", "1", "--", "sh", "-c", fails, "x", "{}")
    if way == "script":
        words = ("--test", str(stage.script("check", f"({fails}) && exit 1; exit 0")))
    assert stage.here("reduce", "in.txt", "--budget-tests", "4", *words).code == 3
    installed.touch()
    done = stage.here("reduce", "in.txt", *words)
    assert (done.code, (stage.work / "in.reduced.txt").read_text()) == (0, "c"), done.err
    assert "sometimes" not in done.err + done.out
    assert "the outcomes of earlier runs are set aside: " in done.err


@pytest.mark.parametrize("way", ["exit", "script"])
def test_another_message_sets_outcomes_aside_before_the_search(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Though what the user calls the failure, such as an exit code, is the same. Values in it may change."""
    stage.file("in.txt", LINES)
    body = 'grep -q bug "$1" || exit 0; echo "Traceback (most recent call last):" >&2; echo "$SAID" >&2; exit 1'
    words: tuple[str, ...] = ("--fail-if-exit", "1", "--", "sh", "-c", body, "x", "{}")
    if way == "script":
        words = ("--test", str(stage.script("check", f"({body}) && exit 1; exit 0")))
    for message, aside in (
        ("ModuleNotFoundError: No module named 'six'", False),
        ("ModuleNotFoundError: No module named 'attr'", False),
        ("ValueError: bug", True),
        ("ValueError: bug", False),
    ):
        monkeypatch.setenv("SAID", message)
        done = reduced(stage, "in.txt", *words)
        said = "the outcomes of earlier runs are set aside: the input fails with another message"
        assert (said in done.err) == aside, done.err


def test_an_answer_of_tests_names_no_earlier_run(stage: Stage) -> None:
    stage.posed(LINES)
    assert "--fresh runs it again" not in stage.here("reduce", "in.txt", "--test", "./check").err


@pytest.mark.parametrize("interpreter", ["python3", "perl"])
def test_a_program_that_names_itself_in_its_message(stage: Stage, interpreter: str) -> None:
    """It prints `./prog` as typed, and a full path in a test: that is the same place."""
    bodies = {
        "python3": "import sys\nif 'bug' in open(sys.argv[1]).read():\n    raise ValueError('no')",
        "perl": "open my $in, '<', $ARGV[0]; while (<$in>) { die 'no' if /bug/; }",
    }
    stage.script("prog", bodies[interpreter], f"/usr/bin/env {interpreter}")
    stage.file("in.txt", "a\nbug\nb\n")
    done = stage.here("reduce", "in.txt", "--", "./prog", "{}")
    assert done.code == 0, done.err
    assert (stage.work / "in.reduced.txt").read_text().strip() == "bug"
