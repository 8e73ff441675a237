"""Bad input of every kind: one clear line, what to type next, exit 2, and nothing is touched."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.stage import Done, Stage, give_away

LONG = "x" * 300


@pytest.fixture
def ready(stage: Stage) -> Stage:
    """Everything that is needed for a run, and much that is not fit for one."""
    return prepared(stage)


def prepared(stage: Stage) -> Stage:
    stage.file("in.txt", "one\nbug\ntwo\n")
    stage.script("check", 'grep -q bug "$1"')
    stage.file("empty.txt", "")
    stage.file("plain", '#!/bin/sh\ngrep -q bug "$1"\n')
    stage.script("no-interpreter", "exit 0", "/no/such/interpreter")
    stage.file("no-first-line", "exit 0\n").chmod(0o755)
    stage.file("open.txt", "a\nDDBEGIN\nbug\n")
    stage.file("closed.txt", "a\nbug\nDDEND\n")
    (stage.work / "folder").mkdir()
    (stage.work / "link.txt").symlink_to("in.txt")
    (stage.work / "zero.lark").symlink_to("/dev/zero")
    stage.file("sums.y", "%token N\n%%\nsum: N | sum '+' N ;\n")
    os.link(stage.work / "in.txt", stage.work / "hard.txt")
    return stage


def content(stage: Stage) -> dict[str, bytes | None]:
    paths = sorted(stage.work.rglob("*"))
    return {str(path): path.read_bytes() if path.is_file() else None for path in paths}


def refused(stage: Stage, *args: object) -> Done:
    """Run it: two lines on standard error, exit 2, nothing else has happened."""
    before = content(stage)
    done = stage.here(*args)
    assert done.code == 2, done
    assert done.stdout == b""
    assert content(stage) == before
    stage.assert_clean()
    return done


TEST = ("--test", "./check")

REFUSED = {
    "no input": (
        "check -- python3 in.txt plain",
        "python3 was taken for the input, but it is a program: no input is named",
        "wynot check FILE -- python3 in.txt {}",
    ),
    "second input": (
        "isolate in.txt empty.txt -- grep bug {}",
        "empty.txt was taken for the command, but it cannot be run",
        "an input that works: --passing empty.txt",
    ),
    "missing input": ("reduce nosuch.txt --test ./check", "nosuch.txt: no such file", "ls -l ."),
    "missing folder": ("reduce no/such.txt --test ./check", "no/such.txt: no such file", "ls -l no"),
    "a file for a folder": ("reduce in.txt/x --test ./check", "in.txt/x", "ls -l"),
    "empty folder": ("reduce folder --test ./check", "folder is empty", "give a folder"),
    "empty": ("reduce empty.txt --test ./check", "empty.txt is empty", "give an input"),
    "a device": ("reduce /dev/zero --test ./check", "/dev/zero is a device", "give a file"),
    "a grammar that is a device": (
        "reduce in.txt --grammar zero.lark --test ./check",
        "zero.lark is a device",
        "give a file",
    ),
    "tokens of a device": ("grammar check sums.y --tokens zero.lark", "zero.lark is a device", "give a file"),
    "a folder for a grammar": ("grammar check folder", "folder is a folder", "ls folder"),
    "missing grammar": ("grammar convert nosuch.g4", "nosuch.g4: no such file", "ls -l ."),
    "standard input of a device": ("trace --stdin zero.lark -- cat", "zero.lark is a device", "give a file"),
    "the empty device": ("reduce /dev/null --test ./check", "/dev/null is empty", "give an input"),
    "long name": (f"reduce {LONG} --test ./check", "name too long", "ls -l"),
    "no run bit": ("reduce in.txt --test ./plain", "./plain is not executable", "chmod +x ./plain"),
    "missing script": ("reduce in.txt --test ./nosuch", "./nosuch: no such test script", "ls -l ."),
    "folder for a script": ("reduce in.txt --test ./folder", "./folder is a folder", "ls ./folder"),
    "long script": (f"reduce in.txt --test {LONG}", "name too long", "ls -l"),
    "no interpreter": ("reduce in.txt --test ./no-interpreter", "interpreter", "command -v"),
    "no first line": ("reduce in.txt --test ./no-first-line", "no #! line", "sed -i"),
    "no command": ("reduce in.txt", "what is to be run?", "wynot reduce FILE -- PROGRAM {}"),
    "no command to check": ("check in.txt", "what is to be run?", "wynot check FILE -- PROGRAM {}"),
    "both": ("reduce in.txt --test ./check -- grep bug {}", "not both", "leave out --test"),
    "pattern and script": (
        "reduce in.txt --test ./check --fail-if-output x",
        "--differs-from go with a command, not with --test",
        "leave one",
    ),
    "unknown program": ("reduce in.txt -- no-such-program {}", "no-such-program: no such program", "command -v"),
    "program here": ("reduce in.txt -- plain {}", "plain: no such program", "write ./plain"),
    "missing program": ("reduce in.txt -- ./nosuch {}", "./nosuch: no such program", "ls -l ."),
    "program without run bit": ("reduce in.txt -- ./plain {}", "./plain is not executable", "chmod +x ./plain"),
    "folder for a program": ("reduce in.txt -- ./folder {}", "/folder", ""),
    "unknown algorithm": ("reduce in.txt --test ./check --algorithm magic", "'magic'", "sweep"),
    "isolate's algorithm": ("reduce in.txt --test ./check --algorithm dd", "'dd'", "ddmin"),
    "reduce's algorithm": ("isolate in.txt --test ./check --algorithm ddmin", "'ddmin'", "dd, ddmax"),
    "bad pattern": ("reduce in.txt --fail-if-output ( -- cat {}", "--fail-if-output", "check the pattern"),
    "output is the input": ("reduce in.txt --test ./check -o in.txt", "never overwritten", "-o in.reduced.txt"),
    "output leads to the input": ("reduce in.txt --test ./check -o link.txt", "never overwritten", "-o "),
    "output is the same file": ("reduce in.txt --test ./check -o hard.txt", "never overwritten", "-o "),
    "output the long way round": ("reduce in.txt --test ./check -o folder/../in.txt", "never overwritten", "-o "),
    "output is a folder": ("reduce in.txt --test ./check -o folder", "folder is a folder", "-o folder/in.txt"),
    "output is this folder": ("reduce in.txt --test ./check -o .", ". is a folder", "-o in.reduced.txt"),
    "output in no folder": ("reduce in.txt --test ./check -o no/out.txt", "no: no such folder", "mkdir -p no"),
    "long output": (f"reduce in.txt --test ./check -o {LONG}", "name too long", "-o"),
    "open mark": ("reduce open.txt --test ./check", "DDBEGIN", "DDEND"),
    "closed mark": ("reduce closed.txt --test ./check", "DDEND", "DDBEGIN"),
    "open mark, isolate": ("isolate open.txt --test ./check", "DDBEGIN", "DDEND"),
    "isolate into a file": ("isolate in.txt --test ./check -o check", "check is a file", "-o check.d"),
    "isolate nothing": ("isolate empty.txt --test ./check", "the same", "give two inputs"),
    "isolate the same": ("isolate in.txt --passing link.txt --test ./check", "the same", "give two inputs"),
    "missing passing": ("isolate in.txt --passing nosuch --test ./check", "nosuch: no such file", "ls -l ."),
    "folder for passing": ("isolate in.txt --passing folder --test ./check", "folder is a folder", "ls folder"),
    "passing fails": ("isolate in.txt --passing open.txt --test ./check", "the passing input fails, too", "--passing"),
}


@pytest.mark.parametrize(("line", "told", "hint"), REFUSED.values(), ids=REFUSED)
def test_one_clear_line_and_what_to_type_next(ready: Stage, line: str, told: str, hint: str) -> None:
    done = refused(ready, *line.split())
    first, second = done.told.splitlines()
    assert first.startswith("wynot: ")
    assert told.lower() in first.lower()
    assert second.startswith("  ")
    assert hint in second


BAD_OPTIONS = {
    "atoms": ("--atoms", "words", "'--atoms'"),
    "jobs": ("-j", "-1", "'-j'"),
    "jobs by name": ("-j", "many", "'-j'"),
    "time": ("--timeout", "soon", "invalid time 'soon'; write 500ms, 10s or 5m"),
    "no time": ("--timeout", "0", "invalid time '0'"),
    "days": ("--timeout", "1d", "invalid time '1d'"),
    "size": ("--memory", "lots", "invalid size 'lots'; write 512M or 2G"),
    "memory without a unit": ("--memory", "10", "no program can run in 10 bytes; write 10M or 10G"),
    "negative size": ("--memory", "-1", "invalid size '-1'"),
    "output": ("--output-limit", "1X", "invalid size '1X'"),
    "budget": ("--budget-tests", "0", "'--budget-tests'"),
    "budget of time": ("--budget-time", "-5s", "invalid time '-5s'"),
    "causes": ("--causes", "0", "'--causes'"),
    "seed": ("--seed", "x", "'--seed'"),
    "unknown": ("--no-such-option", "x", "--no-such-option"),
}


@pytest.mark.parametrize(("option", "value", "told"), BAD_OPTIONS.values(), ids=BAD_OPTIONS)
def test_a_bad_option_is_told(ready: Stage, option: str, value: str, told: str) -> None:
    done = refused(
        ready, "reduce", "in.txt", "--test", "./check", f"{option}={value}" if "--" in option else f"{option}{value}"
    )
    first, second = done.err.splitlines()
    assert first.startswith("wynot: ")
    assert told in first
    assert second == "  see what there is: wynot reduce --help"


def test_what_is_to_be_typed_can_be_pasted(ready: Stage) -> None:
    """Names with blanks are quoted: what removes one file does not remove two others."""
    folder = ready.work / "my tree"
    folder.mkdir()
    os.mkfifo(folder / "a pipe")
    ready.file("my check", "exit 0\n")
    for args, hint in (
        (("my tree", *TEST), "remove it: rm 'my tree/a pipe'\n"),
        (("no tree/in.txt", *TEST), "ls -l 'no tree'\n"),
        (("in.txt", "--test", "./my check"), "chmod +x './my check'\n"),
    ):
        assert ready.wynot("reduce", *args).err.endswith(hint)


def test_what_may_have_been_meant(ready: Stage) -> None:
    """A command that is nearly one of ours; a file whose name looks like an option."""
    assert refused(ready, "redcue", "in.txt").err == "wynot: no such command 'redcue'\n  did you mean: wynot reduce\n"
    ready.file("-d bug.txt", "bug\n")
    assert "if the file is meant, write './-d bug.txt'\n" in refused(ready, "reduce", "-d bug.txt", *TEST).err


@pytest.mark.parametrize("delimiter", ["\\x", "\\", "\\u20ac"], ids=["half", "backslash", "wide"])
def test_an_odd_delimiter_is_understood(ready: Stage, delimiter: str) -> None:
    done = ready.here("reduce", "in.txt", "--test", "./check", "--delimiter", delimiter)
    assert done.code == 0, done.err
    assert (ready.work / "in.reduced.txt").read_bytes() == b"bug"


def test_an_empty_delimiter_is_told(ready: Stage) -> None:
    told, hint = refused(ready, "reduce", "in.txt", *TEST, "--delimiter", "").err.splitlines()
    assert told == "wynot: a delimiter cannot be empty"
    assert hint == "  for example: --delimiter ';'"


def test_commands_and_arguments_that_are_missing_are_told(ready: Stage) -> None:
    for args, told in (
        ((), "Usage: wynot [OPTIONS]"),
        (("reduce",), "wynot: missing argument 'PATH'\n  see what there is: wynot reduce --help\n"),
        (("explain", "in.txt"), "wynot: no such command 'explain'\n  see what there is: wynot --help\n"),
    ):
        done = ready.wynot(*args)
        assert done.code == 2
        assert not done.crash
        assert done.err.startswith(told)


def test_a_long_word_of_a_command_is_no_file_name(ready: Stage) -> None:
    """A program given as a word is often longer than a file's name may be."""
    program = "grep -q bug && exit 3; : " + "x" * 300
    done = ready.wynot("reduce", "in.txt", "--", "sh", "-c", program)
    assert done.code == 0, done.err
    assert (ready.work / "in.reduced.txt").read_bytes() == b"bug"


def test_a_journal_that_cannot_be_kept_is_told(ready: Stage) -> None:
    ready.changed["WYNOT_HOME"] = str(ready.work / "in.txt")
    first, second = refused(ready, "reduce", "in.txt", *TEST).err.splitlines()
    assert first.startswith("wynot: cannot keep a journal at ")
    assert "WYNOT_HOME=" in second


def test_a_work_folder_that_cannot_be_made_is_told(ready: Stage) -> None:
    ready.changed["WYNOT_TMP"] = str(ready.work / "no")
    first, second = refused(ready, "reduce", "in.txt", *TEST).err.splitlines()
    assert first.startswith("wynot: cannot make a work folder in ")
    assert "WYNOT_TMP=" in second


def damage(path: Path, where: int) -> None:
    data = bytearray(path.read_bytes())
    data[where : where + 512] = b"\xa5" * 512
    path.write_bytes(data)


@pytest.mark.parametrize("where", [0, 100, 4096, 8192])
def test_a_damaged_journal_is_told_and_fresh_begins_anew(ready: Stage, where: int) -> None:
    """Whether it is noticed or not: no traceback, and the result is never a wrong one."""
    assert ready.wynot("reduce", "in.txt", *TEST).code == 0
    (journal,) = ready.home.glob("runs/*.db")
    damage(journal, where)
    done = ready.wynot("reduce", "in.txt", *TEST)
    assert not done.crash
    assert done.code in ((0, 2) if where else (2,))
    if done.code == 2:
        assert done.err.startswith("wynot: cannot "), done.err
    assert ready.wynot("reduce", "in.txt", *TEST, "--fresh").code == 0
    assert (ready.work / "in.reduced.txt").read_bytes() == b"bug"


def closed_input(stage: Stage) -> str:
    (stage.work / "in.txt").chmod(0)
    return "cannot read in.txt: Permission denied"


def closed_folder(stage: Stage) -> str:
    (stage.work / "folder" / "in.txt").write_text("bug")
    (stage.work / "folder").chmod(0)
    (stage.work / "in.txt").unlink()
    (stage.work / "in.txt").symlink_to("folder/in.txt")
    return "Permission denied"


def closed_script(stage: Stage) -> str:
    (stage.work / "check").chmod(0o111)
    return "Permission denied"


def closed_output(stage: Stage) -> str:
    stage.work.chmod(0o555)
    return "cannot write in.reduced.txt: Permission denied"


def closed_home(stage: Stage) -> str:
    stage.home.chmod(0o555)
    return "cannot keep a journal at "


def closed_tmp(stage: Stage) -> str:
    stage.tmp.chmod(0o555)
    return "cannot make a work folder in "


@pytest.mark.parametrize("close", [closed_input, closed_folder, closed_script, closed_output, closed_home, closed_tmp])
def test_what_is_not_permitted_is_told(commoner: Stage, close: Callable[[Stage], str]) -> None:
    prepared(commoner)
    told = close(commoner)
    give_away(commoner.folder)
    done = commoner.wynot("reduce", "in.txt", *TEST, "-q")
    for path in (commoner.work, commoner.home, commoner.tmp, commoner.work / "folder"):
        path.chmod(0o755)
    assert not done.crash
    assert (done.code, len(done.err.splitlines())) == (2, 2), done.err
    first, second = done.err.splitlines()
    assert told in first
    assert second.startswith("  ")
    commoner.assert_clean()


@pytest.mark.parametrize("command", ["reduce", "isolate"])
def test_no_test_is_run_where_nothing_can_be_written(commoner: Stage, command: str) -> None:
    prepared(commoner)
    commoner.logging("check", 'grep -q bug "$1"')
    closed_output(commoner)
    give_away(commoner.folder)
    done = commoner.wynot(command, "in.txt", *TEST)
    commoner.work.chmod(0o755)
    assert (done.code, commoner.log) == (2, [])
    assert done.err.endswith("Permission denied\n  name another place: -o /some/folder/" + done.err.rpartition("/")[2])


@pytest.mark.parametrize("mode", ["500", "0", "111"])
@pytest.mark.parametrize("where", [".", '"$TMPDIR"'])
def test_a_test_that_closes_its_own_folders_is_cleaned_up_after(commoner: Stage, mode: str, where: str) -> None:
    prepared(commoner)
    commoner.script(
        "check", f': > "$TMPDIR/left"; mkdir left; : > left/more; grep -q bug "$1"; e=$?; chmod {mode} {where}; exit $e'
    )
    give_away(commoner.folder)
    done = commoner.wynot("reduce", "in.txt", *TEST)
    assert not done.crash
    assert done.code == 0, done.err
    assert (commoner.work / "in.reduced.txt").read_bytes() == b"bug"
    commoner.assert_clean()


def test_isolate_has_no_trees(ready: Stage) -> None:
    done = refused(ready, "isolate", "in.txt", "--test", "./check", "--atoms", "tree")
    assert "--atoms tokens" in done.err


def test_reduce_names_the_languages_it_knows(ready: Stage) -> None:
    done = refused(ready, "reduce", "in.txt", "--test", "./check", "--language", "klingon")
    assert "klingon" in done.err
    assert "python" in done.err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("reduce tree -o loop --test ./check", "loop is a link; the result is a folder"),
        (
            "changes tree other -o loop/found --test ./check",
            "cannot write loop/found: Too many levels of symbolic links",
        ),
    ],
)
def test_a_link_that_leads_to_itself_is_refused(stage: Stage, line: str, says: str) -> None:
    stage.script("check", "true")
    for name in ("tree", "other"):
        (stage.work / name).mkdir()
        (stage.work / name / "a.txt").write_text(name)
    (stage.work / "loop").symlink_to("loop")
    stage.assert_refused(line, 2, says, "")


def test_a_link_that_leads_to_itself_among_the_words_of_a_command_is_no_file(stage: Stage) -> None:
    """It was a RuntimeError."""
    stage.script("prog", 'case "$*" in *-a*) exit 3;; esac')
    stage.file("app.json", '{"a": 1}')
    (stage.work / "loop").symlink_to("loop")
    done = stage.here("options", "--config", "app.json", "--", "./prog", "-a", "-b", "loop")
    assert done.code == 0, done.err
    assert "./prog -a\n" in done.out.replace(str(stage.work), ".")


def test_changes_written_over_a_link_that_leads_to_itself(stage: Stage) -> None:
    """It was a RuntimeError after the search."""
    stage.script("check", 'grep -q bad "$1/a.txt"')
    for name in ("good", "bad"):
        (stage.work / name).mkdir()
        (stage.work / name / "a.txt").write_text(f"{name}\n")
    (stage.work / "loop").symlink_to("loop")
    done = stage.here("changes", "good", "bad", "-o", "loop", "--breaks", "--test", "./check")
    assert not done.crash
    assert done.code == 0, done.err
    assert "+bad" in (stage.work / "loop").read_text()


def test_a_command_without_two_dashes_before_it(stage: Stage) -> None:
    stage.file("in.txt", "bug")
    stage.assert_refused(
        "reduce in.txt grep -c bug",
        2,
        "no such option '-c'",
        "write -- before the command: wynot reduce in.txt -- grep -c bug",
    )
