"""Closed streams, few files, deep folders, folders among the journals: no traceback, the documented exit code."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import TEXT
from tests.support.stage import Done, Stage
from wynot.engine.executors.sandbox import FILES, FILES_PER_JOB

REDUCE = ("reduce", "in.txt", "--test", "./check")


def closing(stage: Stage, streams: str, *words: str) -> Done:
    """Run it by a shell that closes streams of it."""
    stage.before = ("/bin/sh", "-c", f'exec "$@" {streams}', "sh")
    try:
        return stage.wynot(*words)
    finally:
        stage.before = ()


@pytest.mark.parametrize(
    ("words", "streams", "code"),
    [
        (REDUCE, ">&-", 2),  # there is something to say
        (REDUCE, "2>&-", 0),
        (REDUCE, "<&-", 0),
        (REDUCE, ">&- 2>&- <&-", 2),
        ((*REDUCE, "-q"), ">&- 2>&- <&-", 0),
        ((*REDUCE, "-o", "-"), ">&-", 2),
        (("reduce", "none", "--test", "./check"), "2>&-", 2),
        (("--help",), ">&-", 2),
        (("--version",), "> /dev/full", 2),
        (("man",), "> /dev/full", 2),
        (("runs",), ">&-", 2),
        (REDUCE, "2> /dev/full", 0),
    ],
)
def test_streams_that_cannot_be_used(problem: Stage, words: tuple[str, ...], streams: str, code: int) -> None:
    done = closing(problem, streams, *words)
    assert not done.crash
    assert done.code == code, done.err
    if words[:3] == REDUCE[:3] and "-" not in words:
        assert (problem.work / "in.reduced.txt").read_text() == "bug"
    if code == 2 and ">&-" in streams.split() and "2>&-" not in streams.split():
        assert "cannot write to standard output: Bad file descriptor" in done.err
        assert "it is closed" in done.err.splitlines()[-1]
    problem.assert_clean()


@pytest.mark.parametrize(
    ("jobs", "files"), [(1, 12), (4, 28), (1, FILES + FILES_PER_JOB), (4, FILES + 4 * FILES_PER_JOB)]
)
def test_few_files(problem: Stage, jobs: int, files: int) -> None:
    """Refused before a work folder is made; and what is asked for is enough."""
    problem.before = ("/bin/sh", "-c", f'ulimit -n {files}; exec "$@"', "sh")
    done = problem.wynot(*REDUCE, "-j", jobs)
    problem.before = ()
    assert not done.crash
    if files < FILES + jobs * FILES_PER_JOB:
        assert done.code == 2
        assert f"only {files} files may be open at once" in done.err
        assert "ulimit -n 1024" in done.err.splitlines()[-1]
    else:
        assert done.code == 0, done.err
    problem.assert_clean()


def test_a_run_that_cannot_begin_leaves_the_journal_as_it_is(problem: Stage) -> None:
    assert problem.here(*REDUCE).code == 0
    before = problem.here("runs").out
    problem.changed["WYNOT_TMP"] = str(problem.folder / "gone")
    assert problem.here(*REDUCE, "--fresh").code == 2
    problem.changed["WYNOT_TMP"] = str(problem.tmp)
    problem.before = ("/bin/sh", "-c", 'ulimit -n 12; exec "$@"', "sh")
    assert problem.wynot(*REDUCE, "--fresh").code == 2
    assert problem.wynot(*REDUCE, "--atoms", "bytes").code == 2
    problem.before = ()
    assert problem.here("runs").out == before
    assert "0 tests" in problem.here(*REDUCE).out


@contextlib.contextmanager
def nested(path: Path, levels: int) -> Iterator[None]:
    """A file below so many folders; pytest itself could not remove them."""
    path.mkdir()
    inner = os.open(path, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=inner)
        outer, inner = inner, os.open("d", os.O_RDONLY, dir_fd=inner)
        os.close(outer)
    file = os.open("file", os.O_WRONLY | os.O_CREAT, dir_fd=inner)
    os.write(file, TEXT.encode())
    os.close(file)
    os.close(inner)
    try:
        yield
    finally:
        subprocess.run(["rm", "-r", path], check=True)


def test_a_folder_that_is_too_deep_for_the_system(stage: Stage) -> None:
    stage.script("check", "exit 0")
    with nested(stage.work / "deep", 2100):
        done = stage.wynot("reduce", "deep", "--test", "./check")
    assert done.code == 2
    assert done.err.startswith("wynot: a path in deep is too long for the system: more than ")
    assert all(len(line) < 200 for line in done.err.splitlines())
    stage.assert_clean()


@pytest.mark.slow
def test_a_folder_of_1200_levels(stage: Stage) -> None:
    stage.script("check", f'cd "$1/{"d/" * 1200}" && grep -q bug file')
    with nested(stage.work / "deep", 1200):
        done = stage.wynot("check", "deep", "--test", "./check")
    assert not done.crash
    assert done.code == 0, done.err
    assert "shows in 100% of " in done.out
    stage.assert_clean()


def test_a_folder_among_the_journals(problem: Stage) -> None:
    assert problem.here(*REDUCE, "-q").code == 0
    (journal,) = (problem.home / "runs").glob("*.db")
    (journal.parent / "abc.db").mkdir()
    (journal.parent / "dangling.db").symlink_to("nowhere")
    os.mkfifo(journal.parent / "pipe.db")
    listed = problem.here("runs", "--json")
    assert [run["run"] for run in listed.json["runs"]] == [journal.stem]
    assert problem.here("report", "last", "--format", "md", "-o", "-").code == 0
    problem.assert_refused("report abc", 2, "there is no run abc", "wynot runs")
    assert problem.here("runs", "delete", "--all").code == 0
    journal.mkdir()
    problem.assert_refused(" ".join(REDUCE), 2, "it is a folder", f"rm -r {journal}")


def test_a_journal_that_cannot_be_opened_is_listed(problem: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problem.here(*REDUCE, "-q").code == 0

    def refused(*_given: object, **_more: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("sqlite3.connect", refused)
    listed = problem.here("runs")
    assert listed.code == 0
    assert "unknown" in listed.out


@pytest.mark.parametrize("words", [("reduce", "in.txt", "--"), ("options", "--")], ids=["reduce", "options"])
def test_a_command_that_names_a_folder_of_1200_levels(stage: Stage, words: tuple[str, ...]) -> None:
    stage.file("in.txt", "a\nbug\nb\n")
    stage.script("prog", 'grep -q bug "$3" && exit 3; exit 0')
    with nested(stage.work / "deep", 1200):
        done = stage.wynot(*words, "./prog", "-a", "deep", "{}" if words[0] == "reduce" else "in.txt")
    assert "Traceback" not in done.err
    assert done.code == 0, done.err


def test_a_project_of_1200_levels(stage: Stage) -> None:
    stage.file("test_x.py", "SEEN = []\ndef test_a(): SEEN.append(1)\ndef test_b(): assert not SEEN\n")
    with nested(stage.work / "deep", 1200):
        words = (sys.executable, "-m", "pytest", "--wynot-order", "-p", "no:cacheprovider", "test_x.py")
        done = subprocess.run(words, cwd=stage.work, env=stage.env, capture_output=True, text=True, check=False)
    assert "RecursionError" not in done.stdout + done.stderr
    assert "it passes alone and fails only after this test" in done.stdout, done.stdout + done.stderr
