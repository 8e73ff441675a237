"""One test as a process: what it is given, where it runs, and how its end is understood."""

from __future__ import annotations

import signal
import stat
import sys
from pathlib import Path

import pytest

from tests.support.fixtures import Benches
from tests.support.stage import Stage, eventually
from tests.support.watched import Watched, judged
from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.engine.executors import process
from wynot.engine.executors.sandbox import Limits
from wynot.oracles.command import Command
from wynot.oracles.protocol import Examination, Invocation, ProcessExit, Report
from wynot.oracles.script import Script


def shell(text: str) -> Watched:
    return Watched(Command(("sh", "-c", text)))


@pytest.mark.parametrize("code", [0, 1, 2, 125, 126, 255])
def test_an_exit_code_is_understood(executors: Benches, code: int) -> None:
    oracle = shell(f"exit {code}")
    judged(executors(oracle))
    assert (oracle.last.exit, oracle.last.signal) == (code, None)
    assert str(oracle.last) == f"exit {code}"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT, signal.SIGPIPE])
def test_a_signal_is_understood(executors: Benches, number: signal.Signals) -> None:
    oracle = shell(f"ulimit -c 0; kill -{int(number)} $$")
    judged(executors(oracle))
    assert (oracle.last.exit, oracle.last.signal) == (None, number)
    assert str(oracle.last) == number.name


def test_output_and_errors_are_kept_apart(executors: Benches) -> None:
    oracle = shell("echo out; echo err >&2; echo more")
    judged(executors(oracle))
    assert (oracle.last.stdout, oracle.last.stderr) == (b"out\nmore\n", b"err\n")


@pytest.mark.parametrize("data", [b"", b"line\n", b"\0\xff\r\n", bytes(range(256)) * 8192], ids=len)
def test_without_a_hole_the_content_is_standard_input(executors: Benches, data: bytes) -> None:
    oracle = shell("cat; ls -A")
    judged(executors(oracle), data)
    assert oracle.last.stdout == data + b"input.txt\n", "and it is in the folder, alone, under its own name"


def test_standard_input_that_nobody_reads_does_no_harm(executors: Benches) -> None:
    oracle = shell("exit 3")
    judged(executors(oracle), b"x" * 1_000_000)
    assert oracle.last.exit == 3


def test_with_a_hole_standard_input_is_empty(executors: Benches) -> None:
    oracle = Watched(Command(("sh", "-c", "cat; echo $1", "sh", "{}")))
    judged(executors(oracle), b"content")
    assert oracle.lines == [str(Path(oracle.lines[0]).with_name("input.txt"))]


def test_the_file_is_alone_under_its_own_name_in_the_working_folder(executors: Benches) -> None:
    oracle = Watched(Command(("sh", "-c", "ls -A; cat 'my bug.c'", "sh", "{}")))
    judged(executors(oracle, name="my bug.c"), b"int x;\n")
    assert oracle.lines == ["my bug.c", "int x;"]


def test_a_script_gets_the_full_path_as_its_only_argument(stage: Stage, executors: Benches) -> None:
    script = stage.script("check", 'echo $#; echo "$1"; pwd; cat "$1"')
    oracle = Watched(Script(str(script)))
    judged(executors(oracle, name="bug.c"), b"content")
    count, path, folder, content = oracle.lines
    assert (count, path, content) == ("1", f"{folder}/bug.c", "content")
    assert folder.startswith(f"{stage.tmp}/wynot-")


def test_temporary_files_have_a_folder_of_their_own(stage: Stage, executors: Benches) -> None:
    oracle = shell('ls -A "$TMPDIR" | wc -l; echo junk > "$TMPDIR/junk"; pwd; echo "$TMPDIR"')
    executor = executors(oracle)
    for data in (b"first", b"second"):
        judged(executor, data)
        left, folder, temporary = oracle.lines
        assert left == "0"
        assert temporary != folder
        assert temporary.startswith(str(stage.tmp))


def test_work_folders_are_private(stage: Stage, executors: Benches) -> None:
    executors(shell("true"))
    (root,) = stage.tmp.iterdir()
    assert stat.S_IMODE(root.stat().st_mode) == 0o700


def test_tests_at_the_same_time_have_folders_of_their_own(stage: Stage, executors: Benches) -> None:
    """Each of them waits for the others, so they do run at once."""
    meeting = stage.folder / "meeting"
    meeting.mkdir()
    oracle = shell(
        f'pwd; echo "$TMPDIR"; touch {meeting}/$$; while [ $(ls {meeting} | wc -l) -lt 4 ]; do :; done; ls -A'
    )
    executor = executors(oracle, jobs=4)
    for number in range(4):
        executor.submit(bytes([number]), b"")
    assert executor.free == 0
    reports: list[tuple[bytes, Report]] = []
    while len(reports) < 4:
        reports += executor.wait()
    assert executor.free == 4
    printed = [ended.stdout.decode().split() for ended in oracle.ended]
    assert [lines[2:] for lines in printed] == [["input.txt"]] * 4
    assert len({folder for lines in printed for folder in lines[:2]}) == 8


LITTER = {
    "files": "echo 1 > a; echo 2 > .hidden; : > 'new\nline'; printf x > \"$(printf '\\377')\"",
    "folders": "mkdir -p a/b/c; : > a/b/c/d",
    "a read-only folder": "mkdir -p a/b; : > a/b/c; chmod 500 a/b a",
    "a closed folder": "mkdir -p a/b; : > a/b/c; chmod 0 a/b a",
    "a read-only file": ": > a; chmod 400 a",
    "a fifo": "mkfifo a",
    "a changed input": "chmod 400 input.txt; echo changed >> input.txt",
    "no input": "rm input.txt",
    "a folder in the place of the input": "rm input.txt; mkdir -p input.txt/a",
    "a link in the place of the input": "rm input.txt; ln -s /dev/full input.txt",
    "no work folder": 'rm -r "$(pwd)"',
    "no temporary folder": 'rm -r "$TMPDIR"',
}
TIDY = "; find . -type f | sort; find . ! -type f; cat input.txt; find $TMPDIR | wc -l"


@pytest.mark.parametrize("litter", LITTER.values(), ids=LITTER)
def test_a_test_finds_nothing_of_the_one_before(executors: Benches, litter: str) -> None:
    oracle = Watched(Command(("sh", "-c", f"if grep -q second $1; then :{TIDY}; else {litter}; fi", "sh", "{}")))
    executor = executors(oracle)
    judged(executor, b"first\n")
    assert oracle.last.exit == 0, oracle.last.stderr
    judged(executor, b"second\n")
    assert oracle.lines == ["./input.txt", ".", "second", "1"]


@pytest.mark.parametrize("litter", ["ln -s {0} a; ln -s {0}/kept b", "ln -s {0} d; chmod -R 700 ."])
def test_what_links_lead_to_is_not_removed(stage: Stage, executors: Benches, litter: str) -> None:
    outside = stage.folder / "outside"
    outside.mkdir()
    (outside / "kept").write_text("precious")
    executor = executors(shell(litter.format(outside)))
    judged(executor, b"first")
    judged(executor, b"second")
    executor.close()
    assert (outside / "kept").read_text() == "precious"


def test_a_link_in_the_place_of_the_work_folder_is_not_followed(stage: Stage, executors: Benches) -> None:
    """A test that plays such tricks may be called unresolved, but nothing outside may be removed."""
    outside = stage.folder / "outside"
    outside.mkdir()
    (outside / "kept").write_text("precious")
    executor = executors(shell(f'if grep -q first; then here=$(pwd); cd /; rm -r "$here"; ln -s {outside} "$here"; fi'))
    judged(executor, b"first")
    judged(executor, b"second")
    executor.close()
    assert (outside / "kept").read_text() == "precious"


def test_a_file_in_the_place_of_the_work_folder_is_removed(executors: Benches) -> None:
    oracle = shell('if grep -q first; then here=$(pwd); cd /; rm -r "$here"; : > "$here"; fi')
    executor = executors(oracle)
    judged(executor, b"first")
    judged(executor, b"second")
    assert oracle.last.exit == 0


def test_a_test_is_the_leader_of_a_process_group(executors: Benches) -> None:
    oracle = Watched(Command((sys.executable, "-c", "import os; print(os.getpgid(0) == os.getpid())")))
    judged(executors(oracle))
    assert oracle.lines == ["True"]


def test_a_test_inherits_no_open_files(executors: Benches) -> None:
    """Neither the guardian's pipe nor another worker's output."""
    oracle = shell("ls /proc/self/fd")
    executor = executors(oracle, jobs=2)
    for key in (b"1", b"2"):
        executor.submit(key, b"")
    while len(oracle.ended) < 2:
        executor.wait()
    for ended in oracle.ended:
        assert ended.stdout.split() == [b"0", b"1", b"2", b"3"]  # 3: the folder that ls reads


def open_files() -> set[str]:
    return {entry.name for entry in Path("/proc/self/fd").iterdir()}


def test_a_bench_leaves_no_open_files(stage: Stage, executors: Benches) -> None:
    before = open_files()
    executor = executors(shell("exit 1"), jobs=3)
    for number in range(10):
        judged(executor, bytes([number]))
    executor.close()
    assert open_files() == before


class _TwoSteps:
    """An examination of two runs: the second is told what the first one printed."""

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        assert isinstance(artifact.data, bytes)
        files = ((artifact.name, artifact.data),)
        first: ProcessExit = yield Invocation(("sh", "-c", "cat input.txt; : > left; exit 7"), files)
        second: ProcessExit = yield Invocation(("sh", "-c", "cat; ls -A"), stdin=first.stdout * 2)
        fine = first.exit == 7 and second.exit == 0 and second.stdout == artifact.data * 2
        return Report(FAIL if fine else UNRESOLVED, second.stdout.decode())

    def identity(self) -> str:
        return "two steps"

    def looked_for(self) -> str:
        return "nothing"

    def by_hand(self, path: str) -> str:
        return path


def test_an_examination_may_take_several_runs(executors: Benches) -> None:
    """Many of them at once: the ends of some come together with the output of others."""
    executor = executors(_TwoSteps(), jobs=8)
    left, outcomes = list(range(100)), dict[bytes, Report]()
    while len(outcomes) < 100:
        while left and executor.free:
            number = left.pop()
            executor.submit(b"%d" % number, b"%d" % number)
        outcomes.update(executor.wait())
    assert {report.outcome for report in outcomes.values()} == {FAIL}, outcomes


@pytest.mark.parametrize(("code", "outcome"), [(0, FAIL), (1, PASS), (124, PASS), (125, UNRESOLVED), (126, PASS)])
def test_a_script_speaks_by_its_exit_code(stage: Stage, executors: Benches, code: int, outcome: Outcome) -> None:
    executor = executors(Script(str(stage.script("check", f"exit {code}"))))
    assert judged(executor).outcome is outcome


def test_a_wait_ends_in_time(stage: Stage, executors: Benches) -> None:
    executor = executors(shell(f"echo $$ > {stage.folder}/begun; exec sleep 1000"))
    executor.submit(b"key", b"")
    assert executor.wait(timeout=0.01) == []
    eventually((stage.folder / "begun").exists, "the test begins")
    assert executor.free == 0


def test_a_killed_test_gives_its_worker_back_at_once(executors: Benches) -> None:
    """A wait ends then, though nothing is to be reported: there may be work for the worker."""
    executor = executors(shell("exec sleep 1000"), jobs=2, limits=Limits(seconds=30))
    executor.submit(b"wanted", b"")
    executor.submit(b"killed", b"")
    executor.kill(b"killed")
    assert executor.free == 0
    assert executor.wait() == []
    assert executor.free == 1


def test_a_time_limit_of_weeks_is_understood(executors: Benches) -> None:
    oracle = shell("exit 3")
    judged(executors(oracle, limits=Limits(seconds=1e7)))
    assert oracle.last.exit == 3


def test_a_new_process_goes_first(executors: Benches, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it waits as long as wynot has something to do on the same processor."""
    given: list[None] = []
    monkeypatch.setattr(process, "give_way", lambda: given.append(None))
    executor = executors(shell("true"))
    judged(executor)
    judged(executor)
    assert len(given) == 2
