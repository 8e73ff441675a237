"""How a run ends: exit codes 0, 1, 3 and 130, and what is there afterwards."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.stage import Stage, eventually

LINES = "".join(f"line {number}\n" for number in range(200)) + "the bug\n" + "more\n" * 100
TEST = ("--test", "./check")


@pytest.fixture
def problem(stage: Stage) -> Stage:
    return stage.posed(LINES)


def still_fails(path: Path) -> bool:
    return b"bug" in path.read_bytes()


def test_done_is_0(problem: Stage) -> None:
    done = problem.wynot("reduce", "in.txt", *TEST)
    assert done.code == 0
    assert (problem.work / "in.reduced.txt").read_bytes() == b"bug"
    first, second, third, run = done.out.splitlines()
    assert first.startswith(f"{len(LINES)} -> 3 bytes, {len(problem.searched) - 4} tests (+4 baseline")
    assert second == "1-minimal: no single character can be removed"
    assert third == "written to in.reduced.txt"
    assert run.startswith("run ")
    assert done.err == "looking for: check exits 0\n"
    problem.assert_clean()


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        (("--test", "./never"), "pass (exit 7)"),
        (("--test", "./unsure"), "unresolved (exit 125)"),
        (("--test", "./dies"), "unresolved (SIGKILL: killed from outside)"),
        (("--", "true"), "pass (exit 0)"),
        (("--", "cat", "{}"), "pass (exit 0)"),
        (("--fail-if-output", "nothing of the kind", "--", "cat", "{}"), "pass (exit 0)"),
        (("--fail-if-output", "nothing of the kind", "--", "false"), "unresolved (exit 1)"),
    ],
)
@pytest.mark.parametrize("command", ["reduce", "isolate"])
def test_a_failure_that_does_not_show_is_1(problem: Stage, command: str, words: tuple[str, ...], ending: str) -> None:
    problem.script("never", "exit 7")
    problem.script("unsure", "exit 125")
    problem.script("dies", "kill -9 $$")
    before = sorted(path.name for path in problem.work.iterdir())
    done = problem.wynot(command, "in.txt", *words)
    assert (done.code, done.stdout) == (1, b"")
    told, hint = done.err.splitlines()
    assert told == f"wynot: the failure does not show on in.txt in 10 runs: the test says {ending}"
    room = "it finds only the input in its folder; " if words[0] == "--test" else ""
    assert hint.startswith(f"  {room}try it by hand: ")
    assert sorted(path.name for path in problem.work.iterdir()) == before
    problem.assert_clean()


@pytest.mark.parametrize("words", [("--test", "./never"), ("--", "./never", "{}"), ("--", "./reads")])
@pytest.mark.parametrize("name", ["in.txt", "folder/in.txt", "folder/my $x input's.txt", "./-n.txt"])
def test_what_is_to_be_tried_by_hand_can_be(stage: Stage, words: tuple[str, ...], name: str) -> None:
    """The line that is shown, pasted into a shell, does what the test did."""
    (stage.work / "folder").mkdir()
    stage.file(name, "content\n")
    stage.script(
        "never",
        f'grep -q content "$1" || exit 9\necho seen >> {stage.folder}/log\nexit 0'.replace("exit 0", "exit ${N-0}"),
    )
    stage.script("reads", f"grep -q content || exit 9\necho seen >> {stage.folder}/log")
    stage.changed["N"] = "7" if words[0] == "--test" else "0"
    done = stage.wynot("reduce", name, *words)
    assert (done.code, stage.log) == (1, ["seen"] * 10)
    by_hand = done.err.splitlines()[1].partition("try it by hand: ")[2]
    shown = subprocess.check_output(["sh", "-c", by_hand], cwd=stage.work, env=stage.env, text=True)
    assert shown == f"{stage.changed['N']}\n"
    assert stage.log == ["seen"] * 11


def test_a_test_that_hangs_on_the_input_itself_is_1(problem: Stage) -> None:
    """That is said after a few runs: each of them takes as long as it may."""
    problem.logging("check", "sleep 1000")
    done = problem.wynot("reduce", "in.txt", *TEST, "--timeout", "300ms")
    assert (done.code, len(problem.log)) == (1, 3)
    told, hint = done.err.splitlines()
    assert told == "wynot: the test of in.txt does not end within 0.3 s"
    assert hint == "  if it only takes its time, give it more: --timeout 1h"
    problem.assert_clean()


def test_a_limit_that_hides_the_failure_is_named(problem: Stage) -> None:
    problem.script("check", "head -c 9999 /dev/zero")
    done = problem.wynot("reduce", "in.txt", *TEST, "--output-limit", "1k")
    assert done.code == 1
    assert done.err.splitlines() == [
        "wynot: the test of in.txt prints more than --output-limit allows",
        "  allow more: --output-limit 1G; or let it print less: > /dev/null",
    ]
    done = problem.wynot("reduce", "in.txt", *TEST, "--memory", "1M")
    assert done.code == 1
    assert "\n  it may need more than --memory allows; it finds only" in done.err


@pytest.mark.parametrize("more", [(), ("--valid-if", "true"), ("--fail-if-exit", "3")])
def test_a_command_that_hangs_on_the_input_itself_is_1(problem: Stage, more: tuple[str, ...]) -> None:
    """What is said names both ways out, and the first of them works."""
    hang = ("--", "sh", "-c", 'grep -q bug "$1" && sleep 1000; exit 0', "sh", "{}")
    done = problem.wynot("reduce", "in.txt", *more, "--timeout", "300ms", *hang)
    assert done.code == 1
    told, hint = done.err.splitlines()
    assert told == "wynot: the test of in.txt does not end within 0.3 s"
    assert hint.startswith("  if that is the failure: --fail-if-hang 10s; ")
    assert hint.endswith(" --timeout 1h")
    if not more:
        assert problem.wynot("reduce", "in.txt", "--atoms", "lines", "--fail-if-hang", "1s", *hang).code == 0
        assert (problem.work / "in.reduced.txt").read_text() == "the bug\n"


@pytest.mark.parametrize("seen", ["nothing", "the input"])
def test_a_command_that_hangs_until_the_budget_ends_is_3(problem: Stage, seen: str) -> None:
    """The time limit of a test was not reached; the way out is the same."""
    hang = ("--", "sh", "-c", 'grep -q bug "$1" && sleep 1000; exit 0', "sh", "{}")
    limit = () if seen == "nothing" else ("--timeout", "400ms")
    done = problem.wynot("reduce", "in.txt", "--budget-time", "700ms", *limit, *hang)
    said, hint = done.err.splitlines()[-2:]
    assert done.code == 3
    assert said == "wynot: the time budget of 0.7 s is used up, and the test of in.txt has not ended"
    assert hint == (
        "  if that is the failure: --fail-if-hang 10s; if it only takes its time, give it more: --budget-time 1h"
    )


def test_a_test_that_does_not_depend_on_its_input_has_no_result(problem: Stage) -> None:
    """Nothing is written; what is printed says why, and what to type."""
    problem.script("check", "exit 0")
    done = problem.wynot("reduce", "in.txt", *TEST, "--json")
    assert done.code == 1
    assert done.told == (
        "warning: the empty input fails, too: the test is too weak, it does not depend on the input\n"
        "wynot: the smallest input that fails is empty: no result is written for in.txt\n"
        "  tighten the test: let ./check exit 0 only if the failure shows; "
        "then look: wynot check in.txt --test ./check\n"
    )
    assert done.json["weak"]
    assert done.json["minimality"] is None
    assert not (problem.work / "in.reduced.txt").exists()
    assert (done.json["tests"], done.json["baseline_tests"], done.json["size_after"]) == (0, 4, 0)
    assert done.json["outputs"] == []


@pytest.mark.parametrize("way", ["command", "exit", "script"])
def test_a_weak_test_that_lacks_a_module_names_it(problem: Stage, way: str) -> None:
    fails = "echo \"ModuleNotFoundError: No module named 'six'\" >&2; exit 1"
    words: tuple[object, ...] = ("--", "sh", "-c", fails, "x", "{}")
    if way == "exit":
        words = ("--fail-if-exit", "1", *words)
    if way == "script":
        words = ("--test", problem.script("lacking", f"({fails}) || exit 0"))
    says = "does not depend on the input; it says that Python module six is missing (python -m pip install six)"
    assert says in problem.here("reduce", "in.txt", *words).err
    assert says in problem.here("check", "in.txt", *words).out


def test_a_weak_test_of_a_folder_has_no_result(problem: Stage) -> None:
    (problem.work / "in").mkdir()
    problem.file("in/a.txt", "x\n")
    done = problem.wynot("reduce", "in", "-o", "out", "--fail-if-exit", "3", "--", "sh", "-c", "exit 3", "{}")
    assert done.code == 1
    assert "the smallest input that fails is empty: no result is written for in" in done.err
    assert not (problem.work / "out").exists()


def test_a_weak_command_is_told_how_to_be_tightened(problem: Stage) -> None:
    done = problem.wynot("reduce", "in.txt", "--fail-if-exit", "3", "--", "sh", "-c", "exit 3")
    assert (done.code, done.out) == (1, "")
    assert done.told.splitlines()[-1] == (
        "  tighten the test: say what the failure prints, "
        "or, if it wants a path and not its standard input, add {} to it; then look: "
        "wynot check in.txt --fail-if-output TEXT -- sh -c 'exit 3'"
    )
    again = problem.wynot("check", "in.txt", "--fail-if-exit", "3", "--", "sh", "-c", "exit 3")
    assert (again.code, again.err.strip()) == (0, done.told.splitlines()[-1].strip())


def test_an_empty_input_that_fails_too_leaves_nothing_to_isolate(problem: Stage) -> None:
    problem.script("check", "exit 0")
    done = problem.wynot("isolate", "in.txt", *TEST)
    assert done.code == 2
    told, hint = done.told.splitlines()
    assert told == "wynot: the empty input fails, too: there is no difference to isolate"
    assert "--passing FILE" in hint


def test_protected_text_that_fails_alone_is_a_warning(problem: Stage) -> None:
    problem.file("in.txt", "bug\nDDBEGIN\nx\nDDEND\n")
    done = problem.wynot("reduce", "in.txt", *TEST)
    assert done.code == 0
    assert (
        "warning: the protected text alone fails, too: what stands between the marks is not needed, "
        "or the test is too weak\n"
    ) in done.err
    words = "only the protected text remains, and it fails"
    assert re.match(rf"20 -> 18 bytes, \d+ tests .*\n{words}\n", done.out)
    assert words in problem.wynot("report", "last", "--format", "md", "-o", "-").out
    assert f"it holds: {words}" in problem.wynot("verify", "last").out
    assert (problem.work / "in.reduced.txt").read_text() == "bug\nDDBEGIN\nDDEND\n"


@pytest.mark.parametrize("jobs", ["1", "4"])
def test_a_budget_of_tests_is_3(problem: Stage, jobs: str) -> None:
    done = problem.wynot("reduce", "in.txt", *TEST, "--budget-tests", "4", "-j", jobs, "--json")
    assert done.code == 3
    assert done.told.splitlines()[0] == "wynot: the budget of 4 tests is used up"
    told = done.json
    assert (told["status"], told["minimality"], told["needed"]) == ("budget", None, 4)
    best = problem.work / "in.reduced.txt"
    assert still_fails(best)
    assert told["size_after"] == len(best.read_bytes()) < len(LINES)
    problem.assert_clean()


def test_a_budget_is_for_new_tests_only(problem: Stage) -> None:
    """So a run comes to its end by small steps."""
    codes: list[int] = []
    while 0 not in codes:
        assert len(codes) < 30
        codes.append(problem.wynot("reduce", "in.txt", *TEST, "--budget-tests", "4").code)
    assert set(codes[:-1]) == {3}
    assert len(codes) > 2
    assert problem.repeated(LINES, starts=len(codes)) == 0
    assert (problem.work / "in.reduced.txt").read_bytes() == b"bug"


def test_a_budget_that_is_just_enough_is_0(problem: Stage) -> None:
    enough = problem.wynot("reduce", "in.txt", *TEST, "--json").json["needed"]
    assert problem.wynot("reduce", "in.txt", *TEST, "--fresh", "--budget-tests", enough).code == 0
    assert problem.wynot("reduce", "in.txt", *TEST, "--fresh", "--budget-tests", enough - 1).code == 3


@pytest.mark.parametrize("jobs", ["1", "4"])
def test_a_budget_of_time_is_3_although_a_test_hangs(problem: Stage, jobs: str) -> None:
    hang = f'if [ $(wc -l < {problem.folder}/log) -gt 8 ]; then trap "" TERM; sleep 1000; fi'
    problem.logging("check", f'{hang}; grep -q bug "$1"')
    done = problem.wynot("reduce", "in.txt", *TEST, "--budget-time", "2s", "--timeout", "1000s", "-j", jobs)
    assert done.code == 3
    assert "the time budget of 2 s is used up" in done.err
    assert "the budget ended the search: not known to be minimal" in done.out
    assert still_fails(problem.work / "in.reduced.txt")
    problem.assert_clean()


def test_a_budget_for_isolate_is_3(problem: Stage) -> None:
    done = problem.wynot("isolate", "in.txt", *TEST, "--budget-tests", "3", "--json")
    assert done.code == 3
    pair = problem.work / "in.txt.isolated"
    assert still_fails(pair / "failing")
    assert not still_fails(pair / "passing")
    sizes = len((pair / "failing").read_bytes()), len((pair / "passing").read_bytes())
    assert (done.json["failing"]["bytes"], done.json["passing"]["bytes"]) == sizes
    assert done.json["minimality"] is None


def hanging_after(stage: Stage, count: int) -> None:
    """From then on, tests hang."""
    hang = f'if [ $(wc -l < {stage.folder}/log) -gt {count} ]; then trap "" TERM INT HUP; sleep 1000; fi'
    stage.logging("check", f'{hang}; grep -q bug "$1"')


@pytest.mark.parametrize("jobs", ["1", "4"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_is_130(problem: Stage, number: signal.Signals, jobs: str) -> None:
    hanging_after(problem, 14)
    process = problem.start("reduce", "in.txt", *TEST, "-j", jobs, "--timeout", "1000s", "--json")
    best = problem.work / "in.reduced.txt"
    eventually(lambda: len(problem.log) > 14, "a test hangs")
    eventually(lambda: best.exists() and best.stat().st_size < len(LINES), "one of those before it has succeeded")
    process.send_signal(number)
    done = problem.ended(process)
    assert done.code == 130, done.err
    assert done.told == f"wynot: interrupted\n  go on with: wynot runs resume {done.json['run'][:8]}\n"
    assert (done.json["status"], done.json["minimality"]) == ("interrupted", None)
    assert still_fails(best)
    assert len(best.read_bytes()) == done.json["size_after"] < len(LINES)
    problem.assert_clean()


def test_an_interrupted_run_goes_on_where_it_was(problem: Stage) -> None:
    problem.logging("check", 'sleep 0.02; grep -q bug "$1"')
    process = problem.start("reduce", "in.txt", *TEST)
    eventually(lambda: len(problem.log) > 10, "some tests are done")
    process.send_signal(signal.SIGINT)
    assert problem.ended(process).code == 130
    assert problem.wynot("reduce", "in.txt", *TEST).code == 0
    assert problem.repeated(LINES, starts=2) <= 1  # the one under way
    assert (problem.work / "in.reduced.txt").read_bytes() == b"bug"


def test_an_interrupted_isolation_is_130(problem: Stage) -> None:
    hanging_after(problem, 8)
    process = problem.start("isolate", "in.txt", *TEST, "--timeout", "1000s")
    eventually(lambda: len(problem.log) > 8, "a test hangs")
    process.send_signal(signal.SIGINT)
    assert problem.ended(process).code == 130
    pair = problem.work / "in.txt.isolated"
    assert still_fails(pair / "failing")
    assert not still_fails(pair / "passing")
    problem.assert_clean()


@pytest.mark.parametrize("command", ["reduce", "isolate"])
@pytest.mark.parametrize("count", [0, 1, 2, 3], ids=["input", "input again", "input once more", "empty input"])
def test_an_interruption_before_the_search_is_130(problem: Stage, command: str, count: int) -> None:
    hanging_after(problem, count)
    process = problem.start(command, "in.txt", *TEST, "--timeout", "1000s")
    eventually(lambda: len(problem.log) > count, "a test hangs")
    process.send_signal(signal.SIGTERM)
    done = problem.ended(process)
    assert not done.crash
    assert done.code == 130
    assert done.told.startswith("wynot: interrupted")
    problem.assert_clean()


def test_impatience_leaves_nothing_behind(problem: Stage) -> None:
    """Ctrl-C again and again, also while it is cleaning up: the second one may end wynot at once, but all is clean."""
    hanging_after(problem, 6)
    process = problem.start("reduce", "in.txt", *TEST, "-j", "8", "--timeout", "1000s")
    eventually(lambda: len(problem.log) > 10, "tests hang")
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        time.sleep(0.002)
    assert problem.ended(process).code in (130, -signal.SIGINT)
    eventually(lambda: not problem.living(), "all processes are gone")
    eventually(lambda: not list(problem.tmp.iterdir()), "all folders are gone")


def test_an_interruption_while_tests_are_being_started_leaves_nothing_behind(problem: Stage) -> None:
    """32 tests at once take a moment to start; Ctrl-C comes somewhere in it, ten times."""
    hanging_after(problem, 4)
    rng = random.Random(3)
    for _ in range(10):
        (problem.folder / "log").unlink(missing_ok=True)
        process = problem.start("reduce", "in.txt", *TEST, "-j", "32", "--timeout", "1000s", "--fresh")
        eventually(lambda: len(problem.log) > 4, "a test hangs")
        time.sleep(rng.uniform(0, 0.06))
        process.send_signal(signal.SIGINT)
        assert problem.ended(process).code == 130
        problem.assert_clean()


def test_two_runs_of_the_same_reduction_at_once(problem: Stage) -> None:
    """The second is refused and names the first; the first does not notice."""
    go = problem.folder / "go"
    problem.logging(
        "check",
        f'[ $(wc -l < {problem.folder}/log) -lt 10 ] || until [ -e {go} ]; do sleep 0.01; done; grep -q bug "$1"',
    )
    first = problem.start("reduce", "in.txt", *TEST, "--timeout", "1000s", "-o", "first.txt")
    eventually(lambda: len(problem.log) >= 10, "the first one is at work")
    for more in ((), ("--fresh",), ("-j", "4"), ("-o", "other.txt")):
        second = problem.wynot("reduce", "in.txt", *TEST, "--timeout", "1000s", *more)
        assert second.code == 2
        told, hint = second.err.splitlines()
        assert told == f"wynot: this run is in progress in another process (PID {first.pid})"
        assert f"kill {first.pid}" in hint
    assert len(problem.log) == 10
    go.touch()
    done = problem.ended(first)
    assert (done.code, done.err.partition("\n")[0]) == (0, "looking for: check exits 0")  # and how it stands, if slow
    assert (problem.work / "first.txt").read_bytes() == b"bug"
    assert problem.repeated(LINES) == 0
    assert sorted(path.name for path in problem.work.iterdir()) == ["check", "first.txt", "in.txt"]
    problem.assert_clean()


def test_two_different_reductions_at_once(problem: Stage) -> None:
    problem.file("other.txt", LINES + "x")
    processes = [problem.start("reduce", name, *TEST) for name in ("in.txt", "other.txt")]
    assert [problem.ended(process).code for process in processes] == [0, 0]


def test_a_closed_pipe_is_no_crash(problem: Stage) -> None:
    """`wynot ... -o - | head -c 0`."""
    read, write = os.pipe()
    os.close(read)
    done = problem.wynot("reduce", "in.txt", *TEST, "-o", "-", stdout=write)
    os.close(write)
    assert not done.crash
    assert done.code != 0


def test_time_limits_of_weeks_are_understood(problem: Stage) -> None:
    done = problem.wynot("reduce", "in.txt", *TEST, "--timeout", "1000h", "--budget-time", "2000h")
    assert not done.crash
    assert done.code == 0
