"""`wynot runs`: what there is, how to go on with it, how to be rid of it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from tests.cli.conftest import TEXT
from tests.support.stage import Stage, eventually
from wynot.cli.main import main


def reduced(stage: Stage, *more: object) -> str:
    done = stage.wynot("reduce", "in.txt", "--json", *more, "--test", "./check")
    assert done.code in {0, 3}, done.err
    return str(done.json["run"])


def test_no_runs_yet(stage: Stage) -> None:
    assert stage.wynot("runs").out.startswith("no runs yet")
    done = stage.wynot("runs", "resume", "last")
    assert (done.code, done.err) == (2, "wynot: there is no run yet\n  begin one: wynot reduce --help\n")


def test_the_list(problem: Stage) -> None:
    run = reduced(problem)
    head, row, total = problem.wynot("runs").out.splitlines()
    assert head.split() == ["RUN", "WHEN", "KIND", "STATUS", "TESTS", "JOURNAL", "BEFORE", "->", "AFTER", "INPUT"]
    assert row.startswith(run[:8])
    for word in (" reduce ", " done ", f"{len(TEXT)} -> 3 bytes", "in.txt"):
        assert word in row
    assert total.startswith("1 run, ")
    (told,) = problem.wynot("runs", "--json").json["runs"]
    assert (told["run"], told["argv"][:2], told["cwd"]) == (run, ["reduce", "in.txt"], str(problem.work))


def test_the_summary_names_the_run_and_is_kept(problem: Stage) -> None:
    out = problem.wynot("reduce", "in.txt", "--test", "./check").out
    (told,) = problem.wynot("runs", "--json").json["runs"]
    assert out.splitlines()[-1].startswith(f"run {told['run'][:8]}: wynot report ")


def test_resume_goes_on_where_it_was_started(problem: Stage) -> None:
    run = reduced(problem, "--fresh", "--budget-tests", "3")
    count = len(problem.log)
    problem.work = problem.folder  # from elsewhere
    done = problem.wynot("runs", "resume", run[:6])
    assert done.code == 3, "the budget is that of the run"
    assert json.loads(done.stdout)["run"] == run
    assert len(problem.log) > count
    assert problem.repeated(TEXT, starts=2) == 0


def test_delete(problem: Stage) -> None:
    run = reduced(problem)
    assert problem.wynot("runs", "delete", run[:5], run[:6]).out.startswith("1 run deleted, ")
    assert list((problem.home / "runs").iterdir()) == []
    reduced(problem)
    assert problem.wynot("runs", "delete", "--older-than", "1h", "--json").json["deleted"] == 0
    assert problem.wynot("runs", "delete", "--all", "--json").json["deleted"] == 1
    assert (problem.work / "in.reduced.txt").read_bytes() == b"bug"


@pytest.mark.parametrize(
    ("words", "says", "hint"),
    [
        (("delete",), "which runs are to be deleted?", "--older-than 30d"),
        (("delete", "last", "--all"), "which runs are to be deleted?", "--all"),
        (("delete", "--older-than", "long"), "--older-than long: no age", "30d"),
        (("delete", "zzz"), "there is no run zzz", "wynot runs"),
        (("resume", "../x"), "there is no run ../x", "wynot runs"),
    ],
)
def test_bad_input(stage: Stage, words: tuple[str, ...], says: str, hint: str) -> None:
    done = CliRunner().invoke(main, ["runs", *words])
    first, second = done.stderr.splitlines()
    assert (done.exit_code, first) == (2, f"wynot: {says}")
    assert hint in second


def test_looking_leaves_nothing_behind(problem: Stage) -> None:
    reduced(problem)
    before = sorted(path.name for path in problem.home.rglob("*"))
    problem.wynot("runs")
    problem.wynot("report", "last")
    assert sorted(path.name for path in problem.home.rglob("*")) == before


def test_names_with_any_bytes(stage: Stage) -> None:
    """Strict, as standard output is in most places."""
    name = b"in\xff\x1b[7m.txt".decode("utf-8", "surrogateescape")
    stage.file(name, TEXT)
    stage.changed["PYTHONIOENCODING"] = "utf-8:strict"
    stage.logging("check", 'grep -q bug "$1"')
    assert stage.wynot("reduce", name, "--test", "./check").code == 0
    listed = stage.wynot("runs")
    assert listed.code == 0
    assert r"in\xff\x1b[7m.txt" in listed.out
    assert stage.wynot("report", "last", "--format", "md", "-o", "-").code == 0


def test_a_run_that_is_under_way_is_left_alone(stage: Stage) -> None:
    stage.file("in.txt", TEXT)
    stage.logging("check", f'until test -e {stage.folder}/go; do sleep 0.05; done; grep -q bug "$1"')
    running = stage.start("reduce", "in.txt", "-q", "--test", "./check")
    eventually(lambda: stage.log, "a test")
    deleted, verified = stage.wynot("runs", "delete", "last"), stage.wynot("verify", "last")
    (stage.folder / "go").touch()
    assert stage.ended(running).code == 0
    name = stage.wynot("runs", "--json").json["runs"][0]["run"][:8]
    assert (deleted.code, deleted.out) == (2, "")
    assert deleted.err == f"wynot: run {name} is in progress\n  wait for its end, or press Ctrl-C where it runs\n"
    assert verified.code == 2
    assert verified.err.splitlines()[1] == f"  wait for its end, then: wynot verify {name}"
    assert stage.wynot("runs", "delete", "last").out.startswith("1 run deleted, ")


def test_a_test_that_is_too_weak_is_listed_as_such(stage: Stage) -> None:
    stage.file("in.txt", "a text")
    stage.script("check", "exit 0")
    assert stage.here("reduce", "in.txt", "--test", "./check").code == 1
    assert "  too weak  " in stage.here("runs").out
    stage.script("check", 'grep -q text "$1"')
    assert stage.here("reduce", "in.txt", "--test", "./check").code == 0
    assert "  done  " in stage.here("runs").out
