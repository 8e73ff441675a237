"""`-- COMMAND {}`: words, files, exit codes, signals, output, limits, as typed in a terminal."""

from __future__ import annotations

import sys

import pytest

from tests.support.stage import Stage

TEXT = "one\nbug 1\ntwo\n"


@pytest.fixture
def problem(stage: Stage) -> Stage:
    stage.file("in.txt", TEXT)
    return stage


def reduced(stage: Stage, *args: object) -> str:
    done = stage.wynot("reduce", "in.txt", *args)
    assert done.code == 0, done.err
    stage.assert_clean()
    return (stage.work / "in.reduced.txt").read_text()


def test_a_program_here(problem: Stage) -> None:
    """Tests run elsewhere; `./prog` is found all the same."""
    problem.script("prog", 'pwd > "$0.pwd"; grep -q bug "$1" && exit 5; exit 0')
    assert reduced(problem, "--", "./prog", "{}") == "bug"
    assert (problem.work / "prog.pwd").read_text().startswith(str(problem.tmp))


def test_a_program_in_a_folder_here(problem: Stage) -> None:
    (problem.work / "bin").mkdir()
    problem.script("bin/prog", 'grep -q bug "$1" && exit 5; exit 0')
    assert reduced(problem, "--", "bin/prog", "{}") == "bug"


def test_a_program_for_an_interpreter(problem: Stage) -> None:
    problem.file("prog.py", "import sys\nassert 'bug' not in open(sys.argv[1]).read()\n")
    assert reduced(problem, "--", sys.executable, "prog.py", "{}") == "bug"


def test_words_that_name_files_here_are_found(problem: Stage) -> None:
    problem.file("words", "bug\n")
    (problem.work / "data").mkdir()
    problem.file("data/x", "bug\n")
    command = 'test -e "$1" && test -e "$2/x" && grep -q -f "$1" "$3" && exit 4; exit 0'
    assert reduced(problem, "--", "sh", "-c", command, "sh", "words", "data", "{}") == "bug"


def test_words_that_name_nothing_stay_as_they_are(problem: Stage) -> None:
    command = 'test "$1 $2 $3" = "no-such-file -x a/b" && grep -q bug "$4" && exit 4; exit 0'
    assert reduced(problem, "--", "sh", "-c", command, "sh", "no-such-file", "-x", "a/b", "{}") == "bug"


def test_a_hole_may_be_part_of_a_word_and_come_twice(problem: Stage) -> None:
    command = 'test "--file=$2" = "$1" && grep -q bug "$2" && exit 4; exit 0'
    assert reduced(problem, "--", "sh", "-c", command, "sh", "--file={}", "{}") == "bug"
    assert reduced(problem, "--", "sh", "-c", "grep -q bug {} && exit 4; exit 0") == "bug"


def test_without_a_hole_the_input_is_on_standard_input(problem: Stage) -> None:
    assert reduced(problem, "--", "sh", "-c", "grep -q bug && exit 4; exit 0") == "bug"


def test_options_of_the_command_are_its_own(problem: Stage) -> None:
    problem.script("prog", 'test "$1 $2" = "-j --test" && grep -q bug "$3" && exit 5; exit 0')
    assert reduced(problem, "-j", "2", "--", "./prog", "-j", "--test", "{}") == "bug"


@pytest.mark.parametrize("jobs", [1, 3])
def test_another_exit_code_is_unresolved(problem: Stage, jobs: int) -> None:
    """Only what fails as the input does is the failure."""
    command = 'grep -q bug "$1" || exit 0; grep -q 1 "$1" || exit 7; exit 8'
    done = problem.wynot("reduce", "in.txt", "--json", "-j", jobs, "--", "sh", "-c", command, "sh", "{}")
    assert done.json["looked_for"] == "exit code 8"
    assert done.json["outcomes"]["unresolved"] > 0
    assert (problem.work / "in.reduced.txt").read_text() == "bug1"


def test_a_signal_is_looked_for(problem: Stage) -> None:
    command = 'ulimit -c 0; grep -q bug "$1" || exit 139; grep -q 1 "$1" || kill -ABRT $$; kill -SEGV $$'
    done = problem.wynot("reduce", "in.txt", "--json", "--", "sh", "-c", command, "sh", "{}")
    assert done.json["looked_for"].startswith("SIGSEGV")  # where gdb is installed, it says more
    assert done.json["outcomes"]["pass"] == 0
    assert (problem.work / "in.reduced.txt").read_text() == "bug1"


@pytest.mark.parametrize("where", ["", " >&2"])
@pytest.mark.parametrize("code", [0, 1])
def test_output_is_looked_for(problem: Stage, where: str, code: int) -> None:
    command = f"grep -q bug && printf 'first\\nError: bad bug\\n'{where}; exit {code}"
    done = problem.wynot("reduce", "in.txt", "--json", "--fail-if-output", "^Error: .* bug$", "--", "sh", "-c", command)
    assert done.json["looked_for"] == "output that matches /^Error: .* bug$/"
    assert (problem.work / "in.reduced.txt").read_text() == "bug"
    other = "unresolved" if code else "pass"
    assert done.json["outcomes"][other] > 0


def test_output_of_any_bytes_is_looked_for(problem: Stage) -> None:
    command = "grep -q bug && printf '\\377\\376 naïve \\n'; exit 0"
    assert reduced(problem, "--fail-if-output", "naïve", "--", "sh", "-c", command) == "bug"


def test_tests_that_hang_are_unresolved(problem: Stage) -> None:
    command = 'trap "" TERM; grep -q bug "$1" || sleep 1000; grep -q 1 "$1" || sleep 1000 & exit 3'
    done = problem.wynot(
        "reduce", "in.txt", "--json", "--atoms", "lines", "--timeout", "2s", "--", "sh", "-c", command, "sh", "{}"
    )
    assert done.code == 0, done.err
    assert done.json["outcomes"]["unresolved"] > 0
    assert (problem.work / "in.reduced.txt").read_text() == "bug 1\n"
    problem.assert_clean()


def test_tests_that_flood_are_unresolved(problem: Stage) -> None:
    command = "grep -q bug || head -c 2000 /dev/zero; exit 3"
    done = problem.wynot("reduce", "in.txt", "--json", "--output-limit", "1k", "--", "sh", "-c", command)
    assert done.json["outcomes"] == {**done.json["outcomes"], "pass": 0}
    assert done.json["outcomes"]["unresolved"] > 0
    assert (problem.work / "in.reduced.txt").read_text() == "bug"


def test_memory_of_tests_is_limited(problem: Stage) -> None:
    problem.file("prog.py", "import sys\nif 'bug' in sys.stdin.read(): sys.exit(3)\nbytearray(500_000_000)\n")
    done = problem.wynot("reduce", "in.txt", "--json", "--memory", "300M", "--", sys.executable, "prog.py")
    assert done.json["outcomes"]["unresolved"] > 0
    assert done.json["outcomes"]["pass"] == 0
    assert (problem.work / "in.reduced.txt").read_text() == "bug"


def test_as_many_jobs_as_processors(problem: Stage) -> None:
    assert reduced(problem, "-j", "0", "--", "sh", "-c", "grep -q bug && exit 4; exit 0") == "bug"


def test_the_environment_reaches_the_test(problem: Stage) -> None:
    problem.changed["LOOK_FOR"] = "bug"
    assert reduced(problem, "--", "sh", "-c", 'grep -q "$LOOK_FOR" && exit 4; exit 0') == "bug"
    assert (
        reduced(problem, "--fresh", "--", "sh", "-c", 'test -n "$WYNOT_TEST" && grep -q bug && exit 4; exit 0') == "bug"
    )


def test_an_environment_of_any_bytes_reaches_the_test(problem: Stage) -> None:
    problem.changed["ODD"] = "caf\udce9"
    command = 'test "$(printf %s "$ODD" | wc -c)" = 4 && grep -q bug && exit 4; exit 0'
    assert reduced(problem, "--", "sh", "-c", command) == "bug"
