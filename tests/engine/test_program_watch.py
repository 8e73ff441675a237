"""The test or the program is edited while a search runs: nothing that was tested after that is kept."""

from __future__ import annotations

import os
import shlex
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.stage import Stage
from wynot.engine.files.program_watch import ProgramWatch
from wynot.errors import TestChanged
from wynot.oracles.command import Command
from wynot.oracles.extra_commands import BuildFirst
from wynot.oracles.typed_command import own_files

NOBODY = 65534
TEXT = "one\ntwo\nbug\nthree\nfour\nfive\n"
KNOWN = 4
"""Runs for an answer that is known: two of the input, one of the result, one of what did not fail."""
EDIT = 6
"""The run in which somebody edits a file: the input was looked at and the search has begun."""
EDITING = "printf x >> COUNTS/n; [ $(wc -c < COUNTS/n) = EDIT ] && {{ cp COUNTS/other {0}; chmod +x {0}; }}\n"
FAILS = 'grep -q bug "$1"'
NEVER = "#!/bin/sh\nexit 1\n"
ALWAYS = "#!/bin/sh\nexit 0\n"
CASES = {
    "script": ("check", "--test ./check", {"check": EDITING.format("$0") + FAILS}, NEVER),
    "script that a script calls": (
        "inner",
        "--test ./check",
        {"inner": FAILS, "check": EDITING.format("HERE/inner") + 'HERE/inner "$1"'},
        ALWAYS,
    ),
    "program": (
        "prog",
        "-- ./prog {}",
        {"prog": EDITING.format("$0") + f"{FAILS} && exit 3; exit 0"},
        "#!/bin/sh\nexit 3\n",
    ),
    "validity": (
        "valid",
        "--valid-if './valid {}' -- ./prog {}",
        {"valid": "exit 0", "prog": EDITING.format("HERE/valid") + f"{FAILS} && exit 3; exit 0"},
        NEVER,
    ),
    "other command": (
        "other",
        "--differs-from './other {}' -- ./prog {}",
        {"other": "exit 0", "prog": EDITING.format("HERE/other") + f"{FAILS} && echo bug; exit 0"},
        "#!/bin/sh\necho bug\n",
    ),
}


def edited(stage: Stage, scripts: dict[str, str], other: str) -> None:
    (stage.folder / "n").write_text("")
    (stage.folder / "other").write_text(other)
    for name, body in scripts.items():
        filled = body.replace("COUNTS", str(stage.folder)).replace("HERE", str(stage.work)).replace("EDIT", str(EDIT))
        stage.script(name, filled)


def runs(stage: Stage) -> int:
    return len((stage.folder / "n").read_text())


@pytest.mark.parametrize("case", CASES)
def test_an_edit_in_mid_run_ends_the_search(stage: Stage, case: str) -> None:
    target, words, scripts, other = CASES[case]
    stage.file("in.txt", TEXT)
    edited(stage, scripts, other)
    done = stage.wynot("reduce", "in.txt", "--atoms", "lines", *shlex.split(words))
    assert done.code == 2, done.err
    assert f"{stage.work / target} changed while the search ran" in done.err
    assert runs(stage) == EDIT
    assert "bug" in (stage.work / "in.reduced.txt").read_text()
    (path,) = stage.home.glob("runs/*.db")
    with closing(sqlite3.connect(path)) as db:
        (rows,) = db.execute("SELECT count(*) FROM tests").fetchone()
        said = db.execute("SELECT value FROM facts WHERE name = 'record'").fetchone()[0]
    assert rows == EDIT - 1 + 1  # and one of what the looks at the input have in common
    assert '"status": "changed"' in said
    stage.assert_clean()


def test_the_same_command_begins_a_run_of_its_own_with_the_edited_file(stage: Stage) -> None:
    """The module that a program imports belongs to it, in the watch and in the name of the run."""
    stage.file("in.txt", TEXT)
    stage.file("helper.py", "WORD = b'bug'\n")
    counts = stage.folder / "n"
    body = f"""
import sys, helper
with open({str(counts)!r}, "a") as file:
    file.write("x")
if len(open({str(counts)!r}).read()) == {EDIT}:
    open(helper.__file__, "w").write("WORD = b'four'\\n")
sys.exit(helper.WORD in open(sys.argv[1], "rb").read())"""
    stage.file("prog.py", body)
    words = ("reduce", "in.txt", "--atoms", "lines", "--", sys.executable, "-B", str(stage.work / "prog.py"), "{}")
    first = stage.wynot(*words)
    assert (first.code, runs(stage)) == (2, EDIT)
    assert f"{stage.work / 'helper.py'} changed while the search ran" in first.err
    second = stage.wynot(*words)
    assert (second.code, (stage.work / "in.reduced.txt").read_text()) == (0, "four\n")
    assert len(list(stage.home.glob("runs/*.db"))) == 2


OPENED = {
    "sourced by a computed name": (
        "parts/look.sh",
        '. "$(dirname "$0")/parts/look.sh"; look "$1"',
        "look() { BODY; }\n",
    ),
    "imported from a folder of the path": (
        "parts/look.py",
        "PYTHONPATH=HERE/parts INTERPRETER -c 'import look, sys; sys.exit(look.fails(sys.argv[1]))' \"$1\"",
        "def fails(path):\n    return 3 * (b'WORD' in open(path, 'rb').read())\n",
    ),
    "module of an environment that is activated": (
        ".venv/lib/python3/site-packages/look.py",
        (
            "PYTHONPATH=$(echo HERE/.venv/lib/python3/site-packages) "
            "INTERPRETER -c 'import look, sys; sys.exit(look.fails(sys.argv[1]))' \"$1\""
        ),
        "def fails(path):\n    return 3 * (b'WORD' in open(path, 'rb').read())\n",
    ),
    "file of a Node package": ("node_modules/look/run", 'n=look; HERE/node_modules/$n/run "$1"', "#!/bin/sh\nBODY\n"),
    "run by a computed name": ("parts/tool", 'tool=tool; HERE/parts/$tool "$1"', "#!/bin/sh\nBODY\n"),
}


def opening(stage: Stage, case: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Callable[[str], str]]:
    """A program that opens a code file which no text names; gives that file, and its text for a word."""
    name, body, text = OPENED[case]
    path, counts = stage.work / name, stage.folder / "n"
    counts.write_text("")

    def written(word: str) -> str:
        return text.replace("BODY", f'if grep -q {word} "$1"; then exit 3; else exit 0; fi').replace("WORD", word)

    monkeypatch.setenv("PATH", f"{stage.work / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}")
    path.parent.mkdir(parents=True)
    path.write_text(written("bug"))
    path.chmod(0o755)
    other, target = stage.folder / "other", stage.folder / "target"
    target.write_text(str(path))
    edit = (
        f"printf x >> {counts}; [ -e {other} ] && [ $(wc -c < {counts}) = {EDIT} ] && cat {other} > $(cat {target}); "
    )
    stage.script("prog", edit + body.replace("HERE", str(stage.work)).replace("INTERPRETER", sys.executable))
    stage.file("in.txt", TEXT)
    return path, written


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports which files are opened")
@pytest.mark.parametrize("case", OPENED)
def test_a_code_file_that_no_text_names_is_seen_when_it_is_opened(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    path, written = opening(stage, case, monkeypatch)
    (stage.folder / "other").write_text(written("four"))
    done = stage.wynot("reduce", "in.txt", "--atoms", "lines", "--", "./prog", "{}")
    assert done.code == 2, done.err
    assert f"{path} changed while the search ran" in done.err
    assert runs(stage) == EDIT
    assert "bug" in (stage.work / "in.reduced.txt").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports which files are opened")
@pytest.mark.parametrize("case", OPENED)
def test_outcomes_with_another_version_of_an_opened_file_are_set_aside(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    path, written = opening(stage, case, monkeypatch)
    words = ("in.txt", "--atoms", "lines", "--", "./prog", "{}")
    assert stage.wynot("reduce", *words).code == 0
    assert (stage.work / "in.reduced.txt").read_text() == "bug\n"
    before = runs(stage)
    again = stage.wynot("reduce", "-o", "same.txt", *words)
    assert "from run" in again.err
    assert runs(stage) - before == KNOWN
    path.write_text(written("four"))
    edited = stage.wynot("reduce", "-o", "other.txt", *words)
    assert (edited.code, (stage.work / "other.txt").read_text()) == (0, "four\n"), edited.err
    assert f"the outcomes of earlier runs are set aside: {path.relative_to(stage.work)} has changed" in edited.err


def reading(stage: Stage, case: str) -> tuple[Path, list[str]]:
    """A test that reads its pattern from a file elsewhere; when it runs for the seventh time, that file is edited."""
    elsewhere, counts = stage.folder / "elsewhere", stage.folder / "n"
    elsewhere.mkdir()
    counts.touch()
    pattern = elsewhere / "pattern.txt"
    pattern.write_text("bug\n")
    edit = f"printf x >> {counts}; [ $(wc -c < {counts}) = {EDIT} ] && echo four > {pattern}; "
    if case == "script":
        return pattern, ["--test", str(stage.script("check", f'{edit}grep -q -f {pattern} "$1"'))]
    if case == "words":
        return pattern, ["--", "sh", "-c", f'{edit}grep -q -f {pattern} "$0" && exit 3; exit 0', "{}"]
    body = f"import subprocess, sys\nsubprocess.run({edit!r}, shell=True)\nword = open('{pattern}').read().strip()\n"
    stage.file("prog.py", f"{body}sys.exit(3 * (word in open(sys.argv[1]).read()))")
    return pattern, ["--", sys.executable, "prog.py", "{}"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports which files are opened")
@pytest.mark.parametrize("case", ["script", "words", "program"])
def test_an_edit_of_a_file_that_the_test_reads_by_its_full_path(stage: Stage, case: str) -> None:
    """In mid-run it ends the search; between two runs the outcomes from before are set aside."""
    stage.file("in.txt", TEXT)
    pattern, words = reading(stage, case)
    done = stage.here("reduce", "in.txt", "--atoms", "lines", *words)
    assert done.code == 2, done.err
    assert f"{pattern} changed while the search ran" in done.err
    assert runs(stage) == EDIT
    again = stage.here("reduce", "in.txt", "--atoms", "lines", *words)
    assert (again.code, (stage.work / "in.reduced.txt").read_text()) == (0, "four\n"), again.err
    name = os.path.relpath(pattern, stage.work)
    assert f"the outcomes of earlier runs are set aside: {name} has changed" in again.err


WRITTEN = {
    "log": "echo x >> FILE; cat FILE > /dev/null",
    "database that is opened to write": "exec 5<> FILE; [ $(wc -c < COUNTS/n) -gt 5 ] && echo x >&5",
    "read once": "[ $(wc -c < COUNTS/n) = 1 ] && cat FILE; [ $(wc -c < COUNTS/n) -gt 5 ] && echo x >> FILE",
}


@pytest.mark.parametrize("case", WRITTEN)
def test_a_data_file_that_the_test_itself_writes_is_no_part_of_it(stage: Stage, case: str) -> None:
    stage.file("in.txt", TEXT)
    (stage.folder / "n").touch()
    file = stage.file("data.bin", "")
    body = WRITTEN[case].replace("FILE", str(file)).replace("COUNTS", str(stage.folder))
    script = stage.script("check", f'printf x >> {stage.folder}/n; {body}; grep -q bug "$1"')
    done = stage.here("reduce", "in.txt", "--atoms", "lines", "--test", str(script))
    assert (done.code, (stage.work / "in.reduced.txt").read_text()) == (0, "bug\n"), done.err


def test_a_code_file_that_each_test_writes_is_no_part_of_it(stage: Stage) -> None:
    stage.file("in.txt", TEXT)
    lib = stage.work / "made.sh"
    stage.script("prog", f'f=made; echo "grep -q bug \\"\\$1\\" && exit 3 # $$" > {lib}; . {stage.work}/$f.sh; exit 0')
    words = ("in.txt", "--atoms", "lines", "--", "./prog", "{}")
    done = stage.wynot("reduce", *words)
    assert (done.code, (stage.work / "in.reduced.txt").read_text()) == (0, "bug\n"), done.err
    assert "from run" in stage.wynot("reduce", "-o", "same.txt", *words).err


def test_a_build_script_belongs_to_the_test(stage: Stage) -> None:
    script = stage.script("build", "exit 0")
    oracle = BuildFirst(Command(("true",), inside=True), f"sh -c '{script} all'")
    assert str(script) in oracle.files()
    before = oracle.identity()
    script.write_text("#!/bin/sh\nexit 1\n")
    assert oracle.identity() != before


def test_a_file_that_the_test_writes_each_time_is_no_part_of_it(stage: Stage) -> None:
    stage.file("in.txt", TEXT)
    log = stage.file("log.txt", "")
    stage.script("prog", f'echo run >> "$2"; {FAILS} && exit 3; exit 0')
    done = stage.wynot("reduce", "in.txt", "--atoms", "lines", "--", "./prog", "{}", log)
    assert (done.code, (stage.work / "in.reduced.txt").read_text()) == (0, "bug\n"), done.err


def test_an_edit_while_the_input_itself_is_looked_at_is_noticed(stage: Stage) -> None:
    stage.file("in.txt", TEXT)
    (stage.folder / "n").touch()
    n = stage.folder / "n"
    stage.script(
        "prog", f'printf x >> {n}; [ $(wc -c < {n}) = 2 ] && echo "# edited" >> "$0"; {FAILS} && exit 3; exit 0'
    )
    done = stage.wynot("reduce", "in.txt", "--", "./prog", "{}")
    assert done.code == 2
    assert "prog changed while the search ran" in done.err


def test_times_that_were_set_back_hide_no_change(tmp_path: Path) -> None:
    path = tmp_path / "check"
    path.write_text("exit 0\n")
    files, before = ProgramWatch([str(path)]), path.stat()
    path.write_text("exit 1\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(TestChanged):
        files.check()


@pytest.mark.parametrize("how", ["touched", "written again", "replaced by its copy"])
def test_the_same_content_is_no_change(tmp_path: Path, how: str) -> None:
    path = tmp_path / "check"
    path.write_text("exit 0\n")
    files = ProgramWatch([str(path)])
    if how == "touched":
        os.utime(path, (1, 1))
    elif how == "written again":
        path.write_text("exit 0\n")
    else:
        (tmp_path / "copy").write_text("exit 0\n")
        (tmp_path / "copy").replace(path)
    files.check()
    path.write_text("exit 1\n")
    with pytest.raises(TestChanged):
        files.check()


def test_a_program_that_is_gone_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "check"
    path.write_text("exit 0\n")
    files = ProgramWatch([str(path)])
    path.unlink()
    with pytest.raises(TestChanged):
        files.check()


def test_code_files_are_found_by_their_names(tmp_path: Path) -> None:
    for name, text in {
        "prog.py": "import helper\nfrom pack.part import f\nopen('data.txt')\n",
        "helper.py": "import deeper\n",
        "deeper.py": "import helper\n",
        "data.txt": "",
        "unused.py": "",
    }.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "part.py").write_text("")
    found = {Path(path).relative_to(tmp_path).as_posix() for path in own_files([str(tmp_path / "prog.py")])}
    assert found == {"prog.py", "helper.py", "deeper.py", "pack/part.py"}


def test_code_that_cannot_be_read_is_no_part_of_a_test() -> None:
    """A text may name a file of somebody else."""
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "check.sh").write_text("# see lib.sh and other.sh\n")
        for each, mode in (("lib.sh", 0o644), ("other.sh", 0)):
            (folder / each).write_text("x\n")
            (folder / each).chmod(mode)
        if root:  # who can read any file
            os.seteuid(NOBODY)
        try:
            found = own_files([str(folder / "check.sh")])
        finally:
            if root:
                os.seteuid(0)
    assert [Path(path).name for path in found] == ["check.sh", "lib.sh"]
