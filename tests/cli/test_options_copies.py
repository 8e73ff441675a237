"""`wynot options` works on copies of the files that the command names: nothing of the user's is touched."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.stage import Stage

FORMATTER = """import configparser, sys
words = sys.argv[1:]
settings = configparser.ConfigParser()
settings.read("style.ini")
width = int(settings.get("style", "width", fallback="0"))
path = words[-1]
text = open(path).read()
width = width or (int(words[words.index("-l") + 1]) if "-l" in words else 80)
if not any(len(line) > width for line in text.splitlines()):
    sys.exit(0)
if "--check" in words:
    sys.exit("error: would reformat")
open(path, "w").write("\\n".join(line[:20] for line in text.splitlines()) + "\\n")
"""


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.fixture
def mine(stage: Stage) -> Stage:
    stage.file("formatter.py", FORMATTER)
    stage.file("mine.py", "x = 1  # " + "long " * 30 + "\n")
    return stage


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_a_formatter_that_only_checks_stays_one(mine: Stage, jobs: str) -> None:
    before = state(mine.work)
    call = ("--", sys.executable, "formatter.py", "--check", "-l", "90", "--fast", "mine.py")
    done = mine.here("options", "-j", jobs, "--json", *call)
    assert state(mine.work) == before
    assert done.code == 2, done.err
    assert "the failure shows without any of them, too: none of these 2 is needed" in done.err
    assert "--check stayed; search it, too: --try-without --check" in done.err


def test_what_makes_it_harmless_is_searched_when_asked_for(mine: Stage) -> None:
    before = state(mine.work)
    call = ("--", sys.executable, "formatter.py", "--check", "-l", "90", "--fast", "mine.py")
    done = mine.here("options", "--try-without", "--check", "--json", *call)
    assert state(mine.work) == before
    assert done.code == 0, done.err
    assert done.json["causes"][0]["needed"] == ["--check"]
    assert done.json["kept"] == []
    alone = mine.here("options", "--", sys.executable, "formatter.py", "--check", "mine.py")
    assert alone.code == 2
    assert "--try-without --check" in alone.err


def test_a_file_that_no_word_names_is_copied_if_the_call_needs_it(mine: Stage) -> None:
    mine.file("style.ini", "[style]\nwidth = 5\n")
    mine.file("mine.py", "x = 1  # short\n")
    before = state(mine.work)
    done = mine.here("options", "--", sys.executable, "formatter.py", "--check", "--fast", "-v", "mine.py")
    assert state(mine.work) == before
    assert done.code == 2, done.err  # it fails all the same: the settings are there, and no option is needed
    assert "the failure shows without any of them, too" in done.err


def test_the_stream_editor_edits_copies(stage: Stage) -> None:
    """Each test finds the file as it was: `sed -i` ends otherwise on a file that it has edited before."""
    stage.file("notes.txt", "an old line\nanother\n")
    before = state(stage.work)
    script = "s/(old)/new/;tx;q0;:x;q7"
    done = stage.here("options", "--json", "--", "sed", "-i", "--debug", "-E", "-e", script, "notes.txt")
    assert state(stage.work) == before
    assert done.code == 0, done.err
    assert done.json["causes"][0]["needed"] == ["-E"]
    assert "the command changes notes.txt: put back as it was; tests run on copies" in done.err


def test_a_dry_run_is_kept_and_named(stage: Stage) -> None:
    """`patch --dry-run`: without it, it writes rejected hunks beside the file."""
    stage.file("a.txt", "one\ntwo\nthree\n")
    stage.file("b.patch", "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-2\n+zwei\n three\n")
    before = state(stage.work)
    words = ("patch", "--dry-run", "--fuzz=0", "--verbose", "-i", "b.patch", "a.txt")
    done = stage.here("options", "--", *words)
    assert state(stage.work) == before
    assert done.code == 0, done.err
    assert "needed for the failure: -i\n" in done.out
    assert "kept: --dry-run (makes the run harmless; to try without: --try-without --dry-run)" in done.out


def test_a_test_that_finds_the_users_own_file_is_stopped(stage: Stage) -> None:
    notes = stage.file("notes.txt", "bug\n")
    stage.script("prog", f'[ "$1" = -x ] && echo more >> {notes}; grep -q bug notes.txt && exit 3; exit 0')
    before = state(stage.work)
    done = stage.here("options", "--", "./prog", "-x", "-y", "notes.txt")
    assert state(stage.work) == before
    assert done.code == 2, done.err
    assert f"{notes} changed while tests ran: it was put back as it was, and the run was stopped" in done.err


def test_an_edit_in_mid_run_is_not_lost(stage: Stage) -> None:
    """Whoever changed the file, it may have been the user: the error says where the changed content is."""
    stage.file("in.txt", "one\nbug\ntwo\nthree\n")
    notes = stage.file("notes.txt", "as it was\n")
    counts = stage.folder / "n"
    counts.touch()
    edit = f"printf x >> {counts}; [ $(wc -c < {counts}) = 6 ] && echo edited > {notes}"
    stage.script("prog", f'{edit}; grep -q bug "$1" && exit 3; exit 0')
    done = stage.here("reduce", "in.txt", "--", "./prog", "{}", "notes.txt")
    assert (done.code, Path(notes).read_text()) == (2, "as it was\n"), done.err
    assert f"{notes} changed while tests ran: it was put back as it was, and the run was stopped" in done.err
    (kept,) = (stage.home / "changed").iterdir()
    assert kept.read_text() == "edited\n"
    assert f"the changed content: {kept}; if it was your own edit: cp {kept} {notes}, and the same command" in done.err


def test_no_test_runs_on_what_could_not_be_put_back(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of too many files, and one with history in it that the command needs."""
    monkeypatch.setattr("wynot.engine.files.working_copies.MAX_FILES", 10)
    monkeypatch.setattr("wynot.engine.files.file_guard.MAX_FILES", 20)
    large = stage.work / "large"
    large.mkdir()
    for number in range(30):
        (large / f"{number}.txt").write_text("text\n")
    stage.script("prog", '[ "$1" = -k ] || rm -f large/*; ls large; exit 3')
    done = stage.here("options", "--", "./prog", "-k", "large")
    assert (done.code, len(list(large.iterdir()))) == (2, 30)
    assert "large cannot be copied for each test, and could not be put back if a test changes it" in done.err


def test_files_beyond_the_first_thousands_are_put_back(stage: Stage) -> None:
    large = stage.work / "large"
    large.mkdir()
    for number in range(2100):
        (large / f"{number}.txt").write_text("text\n")
    before = state(large)
    stage.script("prog", "rm -f large/*; exit 3")
    done = stage.here("options", "--budget-tests", "1", "--", "./prog", "-k", "large")
    assert state(large) == before
    assert "put back as it was; tests run on copies" in done.err


def test_files_elsewhere_are_copied_and_outputs_stay_in_the_test(stage: Stage) -> None:
    outside = stage.folder / "elsewhere"
    outside.mkdir()
    (outside / "in.txt").write_text("bug\n")
    stage.python(
        "prog",
        "import sys\nwords = sys.argv\npath = words[words.index('-i') + 1]\nopen(path, 'a').write('more')\n"
        "open(words[words.index('-o') + 1], 'w').write('x')\n"
        "sys.exit('error: bug' if '-x' in words and open(path).read() == 'bug\\nmore' else 0)",
    )
    words = ("./prog", "-x", "-y", "-i", f"..{os.sep}elsewhere/in.txt", "-o", str(outside / "out.txt"))
    done = stage.here("options", "--json", "--", *words)
    assert done.code == 0, done.err
    assert done.json["causes"][0]["needed"] == ["-x"]
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"in.txt": "bug\n"}


def test_a_replayer_works_on_copies_of_what_it_writes_to(stage: Stage) -> None:
    """`events`: each replay finds the file as it was."""
    stage.file("log.jsonl", '{"a": 1}\n{"a": 2}\n{"a": 3}\n')
    stage.file("notes.txt", "as it was\n")
    stage.script("replay", 'echo more >> "$2"; [ $(wc -l < "$2") = 2 ] && grep -q 2 "$1" && exit 3; exit 0')
    before = state(stage.work)
    done = stage.here("events", "-o", str(stage.folder / "out.jsonl"), "log.jsonl", "--", "./replay", "{}", "notes.txt")
    assert done.code == 0, done.err
    assert (stage.folder / "out.jsonl").read_text() == '{"a": 2}\n'
    assert state(stage.work) == before


def test_the_command_that_is_advised_enters_a_folder_with_blanks(stage: Stage) -> None:
    folder = stage.work / "my own"
    folder.mkdir()
    stage.script("prog", 'case "$PWD" in */"my own") exit 3;; *) exit 4;; esac')
    done = stage.here("options", "--", "../prog", "-k", folder=folder)
    advised = next(line for line in done.err.splitlines() if "let it run where it has to" in line)
    typed = shlex.split(advised.partition(" -- ")[2].removesuffix(" ..."))
    assert subprocess.run(typed, cwd=stage.work, check=False).returncode == 3
