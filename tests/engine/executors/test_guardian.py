"""`kill -9` of wynot itself: its tests die and its folders go, all the same."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.support.fixtures import Benches
from tests.support.stage import Stage, alive, eventually
from tests.support.watched import judged
from wynot.oracles.script import Script

HANG = {
    "deaf": "trap '' TERM INT HUP; sleep 1000",
    "daemon": "setsid sh -c 'exec sleep 1000' & wait",
    "double fork": "(setsid sh -c 'sleep 1000 & sleep 1000' &) ; sleep 1000",
    "busy writer": "i=0; while :; do i=$((i+1)); : > $i; : > $TMPDIR/$i; done",
    "forks all the time": "while :; do sleep 0.01 & wait; done",
}


def hanging(stage: Stage, how: str) -> Path:
    """The input itself fails at once; all else says where it is, and hangs."""
    return stage.script("check", f'grep -q all "$1" && exit 0\npwd >> {stage.folder}/log\n{how}')


@pytest.mark.parametrize("how", HANG.values(), ids=HANG)
def test_after_kill_9_nothing_is_left(stage: Stage, how: str) -> None:
    stage.file("input.txt", "all\n" + "line\n" * 50)
    hanging(stage, how)
    process = stage.start("reduce", "input.txt", "--test", "./check", "-j", "2", "--timeout", "1000s")
    eventually(lambda: stage.log, "a test hangs")
    assert Path(stage.log[0]).exists()
    process.kill()
    stage.ended(process)  # nobody holds its output open
    eventually(lambda: not stage.living(), "all processes are gone")
    eventually(lambda: not list(stage.tmp.iterdir()), "all work folders are gone")


def test_after_kill_9_the_folder_in_memory_is_gone(stage: Stage) -> None:
    del stage.changed["WYNOT_TMP"]
    stage.file("input.txt", "all\n")
    hanging(stage, "sleep 1000")
    process = stage.start("reduce", "input.txt", "--test", "./check", "--timeout", "1000s")
    eventually(lambda: stage.log, "a test hangs")
    process.kill()
    stage.ended(process)
    eventually(lambda: not stage.living(), "all processes are gone")
    eventually(lambda: not Path(stage.log[0]).parent.exists(), "the work folder is gone")


def test_after_kill_9_the_recording_of_a_trace_is_gone(stage: Stage) -> None:
    stage.file("prog.py", f"import time\nopen({str(stage.folder / 'log')!r}, 'a').write('x')\ntime.sleep(1000)\n")
    process = stage.start("trace", "--", sys.executable, "prog.py")
    eventually((stage.folder / "log").exists, "the program is in progress")
    process.kill()
    stage.ended(process)
    eventually(lambda: not stage.living(), "all processes are gone")
    eventually(lambda: not list(stage.tmp.iterdir()), "all work folders are gone")


def test_after_kill_9_the_same_run_can_be_started_at_once(stage: Stage) -> None:
    """Whoever cleans up after a killed run, and may take long, does not keep its journal locked."""
    stage.file("input.txt", "all\n" + "line\n" * 50)
    hanging(stage, "test -e go || sleep 1000; exit 1".replace("go", f"{stage.folder}/go"))
    process = stage.start("reduce", "input.txt", "--test", "./check", "--timeout", "1000s")
    eventually(lambda: stage.log, "a test hangs")
    (guardian,) = [pid for pid in stage.living() if pid != process.pid and parent(pid) == process.pid and not ran(pid)]
    os.kill(guardian, signal.SIGSTOP)  # it takes long
    process.kill()
    stage.ended(process)
    (stage.folder / "go").touch()
    again = stage.wynot("reduce", "input.txt", "--test", "./check", "--timeout", "1000s")
    os.kill(guardian, signal.SIGCONT)
    assert again.code == 0, again.err
    eventually(lambda: not stage.living(), "all processes are gone")


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])


def ran(pid: int) -> bool:
    """Whether it is a test."""
    return b"WYNOT_TEST=" in Path(f"/proc/{pid}/environ").read_bytes()


def test_the_guardian_does_not_hear_the_terminal(stage: Stage) -> None:
    """It has a session of its own: what is typed in the terminal goes to wynot, and wynot tells it."""
    stage.file("input.txt", "all\n")
    hanging(stage, "sleep 1000")
    process = stage.start("reduce", "input.txt", "--test", "./check", "--timeout", "1000s", start_new_session=True)
    eventually(lambda: stage.log, "a test hangs")
    os.killpg(process.pid, signal.SIGINT)
    assert stage.ended(process).code == 130
    stage.assert_clean()


def test_a_guardian_that_was_killed_is_not_missed(stage: Stage, executors: Benches) -> None:
    executor = executors(Script(str(stage.script("check", "exit 0"))))
    judged(executor)
    os.kill(executor._guardian.pid, signal.SIGKILL)
    eventually(lambda: not alive(executor._guardian.pid), "it is gone")
    executor.close()
    stage.assert_clean()


def test_what_a_killed_guardian_has_left_is_removed_by_the_next_start(stage: Stage) -> None:
    """Daemons without an environment, and the work folder; what belongs to a run that lives stays."""
    stage.file("input.txt", "all\n" + "line\n" * 50)
    hanging(stage, f"env -i setsid sh -c 'echo $$ >> {stage.folder}/daemons; exec sleep 1000' & wait")
    first, other = (
        stage.start("reduce", "input.txt", "--test", "./check", "--timeout", "1000s", "--atoms", atoms)
        for atoms in ("lines", "chars")
    )
    eventually(lambda: len(daemons(stage)) == 2, "a test of each hangs")
    guardians = [pid for pid in stage.living() if not ran(pid) and parent(pid) == first.pid]
    for pid in (*guardians, first.pid):
        os.kill(pid, signal.SIGSTOP)
    for pid in (*guardians, first.pid):
        os.kill(pid, signal.SIGKILL)
    stage.ended(first)
    eventually(lambda: not any(map(alive, guardians)), "the guardian is gone")
    assert len(list(stage.tmp.iterdir())) == 2
    assert sum(map(alive, daemons(stage))) == 2
    stage.file("small.txt", "bug\n")
    stage.script("quick", 'grep -q bug "$1"')
    assert stage.here("reduce", "small.txt", "--test", "./quick").code == 0
    assert len(list(stage.tmp.iterdir())) == 1
    assert sum(map(alive, daemons(stage))) == 1
    assert other.poll() is None
    other.kill()
    stage.ended(other)
    eventually(lambda: not any(map(alive, daemons(stage))), "all daemons are gone")


def daemons(stage: Stage) -> list[int]:
    place = stage.folder / "daemons"
    return [int(line) for line in place.read_text().split()] if place.exists() else []
