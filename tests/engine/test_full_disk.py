"""Full disks, real ones: a small file system in memory where one can be mounted, else a limit on the size of files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stage import Stage

LINES = "".join(f"line {number}\n" for number in range(400))
GUILTY = 'test "$(grep -c -e "line 1.*7" -e "line 2.*9" "$1")" -ge 20'
"""Needs 20 of these lines: some 300 tests."""
EASY = 'grep -q "line 217" "$1"'
"""Needs one: a few tests."""


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 kB."""
    folder = tmp_path / "small"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can mount; the limit on the size of files stands for it")
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("no mount here; the limit on the size of files stands for it")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(folder: Path, leave: int = 0) -> None:
    """Take all the room, but for so many bytes."""
    state = os.statvfs(folder)
    room = state.f_bavail * state.f_frsize - leave
    with (folder / "filler").open("wb") as file:
        file.write(b"x" * room)
    assert os.statvfs(folder).f_bavail * state.f_frsize == leave


def expected(stage: Stage) -> bytes:
    done = stage.wynot("reduce", "input.txt", "--test", "./check", "--atoms", "lines", "-q")
    assert done.code == 0
    return (stage.work / "input.reduced.txt").read_bytes()


@pytest.fixture
def problem(stage: Stage) -> Stage:
    stage.file("input.txt", LINES)
    stage.script("check", GUILTY)
    return stage


@pytest.fixture
def easy(stage: Stage) -> Stage:
    """For what is not about a journal that grows."""
    stage.file("input.txt", LINES)
    stage.script("check", EASY)
    return stage


RUN = ("reduce", "input.txt", "--test", "./check", "--atoms", "lines")


def test_a_disk_that_gets_full_under_the_journal_does_not_end_the_run(problem: Stage, small: Path) -> None:
    result = expected(problem)
    problem.changed["WYNOT_HOME"] = str(small)
    done = problem.wynot(*RUN, "-o", "again.txt")
    assert done.code == 0, done.err
    assert done.err.count("the journal cannot be written") == 1, done.err
    assert (problem.work / "again.txt").read_bytes() == result
    problem.assert_clean()


def test_a_journal_that_met_a_full_disk_can_be_gone_on_with(problem: Stage, small: Path) -> None:
    """Some outcomes are in it; the rest is found out again, or the user is told where to go."""
    problem.changed["WYNOT_HOME"] = str(small)
    first = problem.wynot(*RUN)
    result = (problem.work / "input.reduced.txt").read_bytes()
    second = problem.wynot(*RUN, "-o", "again.txt")
    assert first.code == 0
    if second.code == 0:
        assert (problem.work / "again.txt").read_bytes() == result
    else:
        assert second.code == 2
        assert second.err.startswith("wynot: cannot keep a journal at "), second.err
    subprocess.run(["mount", "-o", "remount,size=16m", small], check=True)  # now there is room
    third = problem.wynot(*RUN, "-o", "third.txt")
    assert third.code == 0, third.err
    assert (problem.work / "third.txt").read_bytes() == result


def test_no_room_for_a_journal_at_all_is_told(problem: Stage, small: Path) -> None:
    fill(small)
    problem.changed["WYNOT_HOME"] = str(small)
    done = problem.wynot(*RUN)
    assert done.code == 2
    told, hint = done.err.splitlines()
    assert told.startswith("wynot: cannot keep a journal at ")
    assert "WYNOT_HOME=" in hint
    problem.assert_clean()


def test_no_room_for_the_result_is_told_and_an_older_result_is_kept(easy: Stage, small: Path) -> None:
    target = small / "out.txt"
    target.write_text("older")
    fill(small)
    done = easy.wynot(*RUN, "-q", "-o", target)
    assert done.code == 2
    told, hint = done.err.splitlines()
    assert told == f"wynot: cannot write {target}: No space left on device"
    assert "-o " in hint
    assert target.read_text() == "older"
    assert sorted(path.name for path in small.iterdir()) == ["filler", "out.txt"]
    easy.assert_clean()


def test_once_there_is_room_the_same_command_runs_no_test_twice(easy: Stage, small: Path) -> None:
    """Nothing is lost by a full disk: what was found out is in the journal."""
    easy.logging("check", EASY)
    fill(small)
    assert easy.wynot(*RUN, "-o", small / "out.txt").code == 2
    (small / "filler").unlink()
    assert easy.wynot(*RUN, "-o", small / "out.txt").code == 0
    assert easy.repeated(LINES, starts=2) == 2  # to check the known answer: the result, and what did not fail


@pytest.mark.parametrize("leave", [0, 8192])
def test_no_room_for_a_candidate_is_told(problem: Stage, small: Path, leave: int) -> None:
    """Even where the beginning of it has room: half a candidate must never be tested."""
    problem.file("input.txt", LINES * 5)  # 18 kB
    problem.logging("check", "exit 0")
    fill(small, leave)
    problem.changed["WYNOT_TMP"] = str(small)
    done = problem.wynot(*RUN)
    assert problem.log == []
    assert done.code == 2
    told, hint = done.err.splitlines()
    assert told.startswith("wynot: cannot ")
    assert told.endswith("No space left on device")
    assert "WYNOT_TMP=" in hint
    assert [path.name for path in small.iterdir()] == ["filler"]


def test_a_test_that_fills_the_disk_harms_nobody_else(easy: Stage, small: Path) -> None:
    """Its files are gone before the next test is laid out."""
    easy.script("check", f'cat "$1" > /dev/null; head -c 1M /dev/zero > big 2> /dev/null; {EASY}')
    result = expected(easy)
    easy.changed["WYNOT_TMP"] = str(small)
    done = easy.wynot(*RUN, "--fresh", "-o", "again.txt")
    assert done.code == 0, done.err
    assert (easy.work / "again.txt").read_bytes() == result


def limited(stage: Stage, size: int) -> None:
    """No file may get larger than this: the system refuses to write more, as a full disk does."""
    stage.before = ("prlimit", f"--fsize={size}", "--")


def test_a_journal_that_may_not_grow_does_not_end_the_run(problem: Stage) -> None:
    result = expected(problem)
    limited(problem, 100_000)
    done = problem.wynot(*RUN, "--fresh", "-o", "again.txt")
    assert done.code == 0, done.err
    assert done.err.count("the journal cannot be written") == 1, done.err
    assert (problem.work / "again.txt").read_bytes() == result


def test_standard_input_that_cannot_be_made_is_told(stage: Stage) -> None:
    stage.file("input.txt", "x" * 200_000)
    limited(stage, 100_000)
    done = stage.wynot("reduce", "input.txt", "--", "sh", "-c", "cat > /dev/null; exit 1")
    assert done.code == 2, done.err
    assert done.err.startswith("wynot: cannot "), done.err
    assert len(done.err.splitlines()) == 2
    stage.assert_clean()


def test_a_candidate_that_is_too_large_is_told(stage: Stage) -> None:
    stage.file("input.txt", "x" * 200_000)
    stage.logging("check", "exit 0")
    limited(stage, 100_000)
    done = stage.wynot("reduce", "input.txt", "--test", "./check")
    assert stage.log == []
    assert done.code == 2
    assert done.err.startswith("wynot: cannot write a candidate of 200000 bytes to "), done.err


@pytest.mark.parametrize("more", [("-o", "-"), ("--json",), ()])
def test_standard_output_on_a_full_disk_is_told(easy: Stage, more: tuple[str, ...]) -> None:
    """Exit 1 would say that the failure does not show."""
    with Path("/dev/full").open("wb") as full:
        done = easy.wynot(*RUN, *more, stdout=full)
    assert not done.crash
    assert done.code == 2
    assert "No space left on device" in done.err


@pytest.fixture
def folder(stage: Stage) -> Stage:
    """A folder that is too large for the small file system, and a script that needs a part of it that is not."""
    (stage.work / "tree" / "inner").mkdir(parents=True)
    for number in range(10):
        stage.file(f"tree/inner/{number}", "x" * 40_000)
    stage.file("tree/needed", LINES)
    stage.script("check", 'grep -q "line 17" "$1/needed"')
    return stage


def test_a_folder_that_does_not_fit_into_the_work_folder_is_told(folder: Stage, small: Path) -> None:
    folder.changed["WYNOT_TMP"] = str(small)
    done = folder.wynot("reduce", "tree", "--test", "./check")
    assert done.code == 2
    told, hint = done.err.splitlines()
    assert told.startswith("wynot: cannot write a candidate of ")
    assert "No space left on device" in told
    assert "WYNOT_TMP=" in hint
    assert list(small.iterdir()) == []


def test_a_disk_that_is_too_small_for_a_folder_on_the_way_may_do_in_the_end(folder: Stage, small: Path) -> None:
    done = folder.wynot("reduce", "tree", "--test", "./check", "--budget-tests", "1", "-o", small / "out")
    assert done.code == 2
    assert f"cannot write {small}/out: No space left on device" in done.err
    assert list(small.iterdir()) == []
    done = folder.wynot("reduce", "tree", "--test", "./check", "-o", small / "out", "-q")
    assert (done.code, done.err) == (0, "")
    assert (small / "out" / "needed").read_text() == "line 17"
