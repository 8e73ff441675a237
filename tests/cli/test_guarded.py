"""Whatever command runs the user's program, the files that the command line names are afterwards as they were."""

from __future__ import annotations

import subprocess

import pytest

from tests.run.stage import Stage

COMMANDS = {
    "check": ("check", "in.txt", "--"),
    "reduce": ("reduce", "in.txt", "--atoms", "lines", "--"),
    "isolate": ("isolate", "in.txt", "--passing", "good.txt", "--"),
}


@pytest.fixture
def writer(stage: Stage) -> Stage:
    """A program that adds a line to the second file that it is given; it fails on a bug in the first."""
    stage.script("prog", 'echo more >> "$2"; if grep -q bug "$1"; then echo "error: bug" >&2; exit 3; fi; exit 0')
    stage.file("in.txt", "a\nbug\nb\n")
    stage.file("good.txt", "a\nb\n")
    stage.file("notes.txt", "mine\n")
    return stage


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_named_file_is_as_it_was(writer: Stage, words: tuple[str, ...]) -> None:
    done = writer.here(*words, "./prog", "{}", f"{writer.work}/notes.txt")
    assert (writer.work / "notes.txt").read_text() == "mine\n"
    assert done.code == 0 or (done.code == 2 and "notes.txt" in done.err and "put back" in done.err), done.err


def test_a_file_outside_of_the_trees_of_changes_is_as_it_was(writer: Stage) -> None:
    notes = writer.file("outside.txt", "mine\n")
    writer.file("in.txt", "a\nb\n")
    for words in (
        ("init", "-q"),
        ("add", "in.txt"),
        ("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"),
    ):
        subprocess.run(["git", *words], cwd=writer.work, check=True)
    writer.file("in.txt", "a\nbug\nb\n")
    done = writer.here("changes", "HEAD", ".", "--", f"{writer.work}/prog", "in.txt", str(notes))
    assert notes.read_text() == "mine\n"
    assert done.code == 0 or (done.code == 2 and "outside.txt" in done.err and "put back" in done.err), done.err
