"""The same command again: only the input itself is run again; what has changed is found out anew."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.stage import AFTER, LOOKS, Done, Stage

TEXT = "".join(f"line {number}\n" for number in range(30)) + "bug\n"


@pytest.fixture
def problem(stage: Stage) -> Stage:
    return stage.posed(TEXT)


KNOWN = 2
"""Runs of an answer that is known: of the result, and of what did not fail."""


def reduced(stage: Stage, *more: object, words: tuple[str, ...] = ("--test", "./check")) -> Done:
    done = stage.wynot("reduce", "in.txt", "--json", *more, *words)
    assert done.code == 0, done.err
    return done


def test_a_second_run_runs_no_test(problem: Stage) -> None:
    first = reduced(problem).json
    count = len(problem.log)
    (problem.work / "in.reduced.txt").unlink()
    second = reduced(problem).json
    assert len(problem.log) - 1 - KNOWN == count == first["tests"] + first["baseline_tests"] + first["after_tests"]
    assert (second["tests"], second["baseline_tests"], second["run"]) == (0, 1, first["run"])
    assert second["cached"] == first["needed"] + first["cached"]
    assert second["minimality"] == "1-minimal"
    assert (problem.work / "in.reduced.txt").read_bytes() == b"bug"


def test_a_second_isolation_runs_no_test(problem: Stage) -> None:
    words = ("isolate", "in.txt", "--json", "--test", "./check")
    first, count = problem.wynot(*words), len(problem.log)
    second = problem.wynot(*words)
    assert (second.json["tests"], second.json["baseline_tests"], len(problem.log)) == (
        0,
        1,
        count + 1 + KNOWN + 1,
    )  # it has two results
    assert second.json["failing"] == first.json["failing"]


def test_a_second_run_of_a_command_runs_no_test(problem: Stage) -> None:
    command = f"grep -q bug && exit 3; echo >> {problem.folder}/log; exit 0"
    words = ("--", "sh", "-c", command)
    first, count = reduced(problem, words=words), len(problem.log)
    second = reduced(problem, words=words)
    assert (second.json["tests"], second.json["baseline_tests"], len(problem.log)) == (
        0,
        2,
        count + 1,
    )  # what did not fail
    assert second.json["looked_for"] == first.json["looked_for"] == "exit code 3"


def test_fresh_runs_them_again(problem: Stage) -> None:
    first = reduced(problem).json
    again = reduced(problem, "--fresh").json
    assert (again["tests"], again["run"]) == (first["tests"], first["run"])
    expected = [2 + 2 * AFTER, 2 * LOOKS] + [2] * (len(set(problem.log)) - 2)
    assert sorted(Counter(problem.log).values(), reverse=True) == expected


@pytest.mark.parametrize(
    "more", [("-j", "3"), ("-o", "out.txt"), ("--budget-tests", "5"), ("-q",), ("--budget-time", "1h")]
)
def test_what_does_not_change_the_question(problem: Stage, more: tuple[str, ...]) -> None:
    """More jobs, another place, a budget: the same run."""
    reduced(problem)
    count = len(problem.log)
    assert problem.wynot("reduce", "in.txt", "--test", "./check", *more).code == 0
    assert len(problem.log) == count + 1 + KNOWN


def test_a_run_may_go_on_with_another_number_of_jobs(problem: Stage) -> None:
    problem.wynot("reduce", "in.txt", "--test", "./check", "--budget-tests", "5", "-j", "4")
    reduced(problem, "-j", "1")
    assert (problem.work / "in.reduced.txt").read_bytes() == b"bug"


def test_another_test_script_is_another_run(problem: Stage) -> None:
    first = reduced(problem).json
    problem.logging("check", 'grep -q "line 7" "$1"')
    second = reduced(problem).json
    assert second["run"] != first["run"]
    assert second["tests"] > 0
    assert (problem.work / "in.reduced.txt").read_bytes() == b"line 7"


@pytest.mark.parametrize("words", [("./prog", "{}"), ("sh", "prog", "{}")])
def test_another_program_here_is_another_run(problem: Stage, words: tuple[str, ...]) -> None:
    """A program that was mended and built anew is not the one that the journal tells of."""
    problem.script("prog", 'grep -q bug "$1" && exit 3; exit 0')
    reduced(problem, words=("--", *words))
    problem.script("prog", 'grep -q "line 7" "$1" && exit 3; exit 0')
    reduced(problem, words=("--", *words))
    assert (problem.work / "in.reduced.txt").read_bytes() == b"line 7"


def test_a_script_that_is_changed_back_has_its_old_run(problem: Stage) -> None:
    first = reduced(problem).json
    problem.logging("check", 'grep -q "line 7" "$1"')
    reduced(problem)
    problem.logging("check", 'grep -q bug "$1"')
    third = reduced(problem).json
    assert (third["run"], third["tests"]) == (first["run"], 0)


@pytest.mark.parametrize(
    "more",
    [
        ("--atoms", "lines"),
        ("--algorithm", "ddmin"),
        ("--timeout", "50s"),
        ("--memory", "3G"),
        ("--delimiter", ";"),
        ("--causes", "2"),
        ("--monotone",),
    ],
)
def test_another_question_is_another_run(problem: Stage, more: tuple[str, ...]) -> None:
    first = reduced(problem).json
    assert reduced(problem, *more).json["run"] != first["run"]


def test_another_input_is_another_run(problem: Stage) -> None:
    first = reduced(problem).json
    problem.file("in.txt", TEXT + "more\n")
    second = reduced(problem).json
    assert second["run"] != first["run"]
    assert second["tests"] > 0


def test_a_failure_that_did_not_show_is_looked_for_again(problem: Stage) -> None:
    """What a script needs was missing; now it is there. What was found out then does not count."""
    problem.logging("check", f'test -e {problem.folder}/tool && grep -q bug "$1"')
    assert problem.wynot("reduce", "in.txt", "--test", "./check").code == 1
    (problem.folder / "tool").touch()
    for _ in range(2):
        reduced(problem)
        assert (problem.work / "in.reduced.txt").read_bytes() == b"bug"


def test_a_command_that_did_not_fail_is_looked_at_again(problem: Stage) -> None:
    """It did not fail, then it does; and what was found out goes on to count."""
    command = f"test -e {problem.folder}/tool || exit 0; grep -q bug && exit 3; exit 0"
    words = ("--", "sh", "-c", command)
    assert problem.wynot("reduce", "in.txt", *words).code == 1
    (problem.folder / "tool").touch()
    assert reduced(problem, words=words).json["tests"] > 0
    third = reduced(problem, words=words).json
    assert (third["tests"], third["looked_for"]) == (0, "exit code 3")


def test_journals_of_others_are_not_needed(problem: Stage) -> None:
    """Whatever else lies in the folder of journals does no harm."""
    runs = problem.home / "runs"
    runs.mkdir()
    (runs / "notes.txt").write_text("mine")
    (runs / "0123456789abcdef.db").write_text("no database")
    reduced(problem)
    assert (runs / "notes.txt").read_text() == "mine"
