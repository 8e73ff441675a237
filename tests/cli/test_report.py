"""`wynot report`: where it may write, of what, and that it says the same as others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.stage import Stage
from wynot.engine.journal import Journal
from wynot.engine.record.read import find_run
from wynot.report.page.report_markdown import report


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("output", "says", "hint"),
    [
        ("nodir/x.html", "nodir: no such folder", "make it: mkdir -p nodir"),
        (".", ". is a folder", "name a file in it: -o wynot-"),
        ("dir/", "dir/ is a folder", "name a file in it: -o dir/wynot-"),
        ("none/", "none/ is a folder", "mkdir -p none"),
        ("in.txt", "in.txt belongs to the run, it is not overwritten", "name another file: -o wynot-"),
        ("./check", "check belongs to the run, it is not overwritten", "name another file: -o wynot-"),
        ("in.reduced.txt", "in.reduced.txt belongs to the run, it is not overwritten", "name another file: -o wynot-"),
        ("x" * 300, f"cannot write {'x' * 300}: File name too long", "name another file: -o wynot-"),
    ],
)
def test_places_that_are_none(problem: Stage, output: str, says: str, hint: str) -> None:
    assert problem.here("reduce", "in.txt", "--test", "./check", "-q").code == 0
    (problem.work / "dir").mkdir()
    before = files(problem.work)
    done = problem.here("report", "last", "-o", output)
    first, second = done.err.splitlines()
    assert (done.code, first) == (2, f"wynot: {says}")
    assert hint in second
    assert files(problem.work) == before
    assert not (problem.work / "nodir").exists()


def test_what_is_no_journal_has_no_report(stage: Stage) -> None:
    Journal("aa11").close()
    (stage.home / "runs" / "bad.db").write_bytes(b"garbage!")
    done = stage.here("report", "bad")
    first, second = done.err.splitlines()
    assert (done.code, "is not a readable journal of a run" in first) == (2, True)
    assert second == "  be rid of it: wynot runs delete bad"
    assert stage.here("runs", "delete", "bad").code == 0
    assert list(stage.work.glob("*.html")) == []


def test_all_say_how_many_tests_there_were(problem: Stage) -> None:
    told = problem.here("reduce", "in.txt", "--test", "./check", "--json").json
    (listed,) = problem.here("runs", "--json").json["runs"]
    assert listed["tests"] == told["tests"] < len(problem.log)
    assert f" done    {told['tests']} " in problem.here("runs").out
    assert f"| tests | {told['tests']}, and " in problem.here("report", "last", "--format", "md", "-o", "-").out


def test_what_was_not_finished_is_not_called_minimal(problem: Stage) -> None:
    problem.here("reduce", "in.txt", "--test", "./check", "--budget-tests", "2")
    text = report(find_run("last"), "md")
    assert "**Smallest so far:**" in text
    assert "Minimal input" not in text


def test_what_a_weak_test_leaves_is_not_called_minimal(problem: Stage) -> None:
    problem.script("check", "exit 0")
    problem.wynot("reduce", "in.txt", "--test", "./check")
    for form in ("md", "html"):
        text = report(find_run("last"), form)
        assert "the test is too weak: it needs nothing of the input" in text
        assert "1-minimal" not in text
        assert "Minimal input" not in text


def test_changes_that_were_set_aside_are_told_of(stage: Stage) -> None:
    for name in ("old", "new"):
        (stage.work / name).mkdir()
        for file in ("a.txt", "b.txt", "unread.txt"):
            stage.file(f"{name}/{file}", f"{name}\n")
    check = "test $(cat a.txt b.txt | grep -c new) = 2 && exit 5; true"
    done = stage.here("changes", "old", "new", "--json", "--", "sh", "-c", check)
    assert done.json["set_aside"]["changes"] == 1
    page = report(find_run("last"), "html")
    assert "all changes but 1 set aside" in page
    assert ">answers (tests and cached answers)<" in page
