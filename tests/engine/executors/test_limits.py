"""Tests that hang, fork, flood, or take all memory: ended whole, unresolved, and nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.fixtures import Benches
from tests.support.stage import Stage, alive, carrying, eventually
from tests.support.watched import Watched, judged
from wynot.core.artifact import digest
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.engine.executors.local import LocalExecutor, LocalSettings
from wynot.engine.executors.orphans import children
from wynot.engine.executors.sandbox import LEAST_SECONDS, MIB, Limits, roomy
from wynot.oracles.command import Command
from wynot.oracles.protocol import Report
from wynot.oracles.script import Script

FAMILY = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
log = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

def child(*steps):
    if os.fork() == 0:
        for step in steps:
            step()
        os.write(log, b"%d\\n" % os.getpid())
        time.sleep(1000)
        os._exit(0)

def parent_ends():
    if os.fork():
        os._exit(0)

child()                                              # in the same group
child(child)                                         # with a child of its own
child(os.setpgrp)                                    # in a new group
child(os.setsid)                                     # in a new session
child(os.setsid, child)                              # with a child there
child(parent_ends, os.setsid, parent_ends)           # a daemon by the book
child(os.setsid, lambda: child(os.setsid, child))    # a session out of a session
child(parent_ends, os.setsid, lambda: [os.close(fd) for fd in (0, 1, 2)])
while len(open(sys.argv[2]).readlines()) < 12:
    time.sleep(0.01)
"""
SIZE = 12


def family(stage: Stage, then: str) -> Script:
    """A test that has a family of 12, and then does something."""
    program = stage.python("family", FAMILY + then)
    return Script(str(stage.script("check", f'exec {program} "$1" {stage.folder}/family')))


def members(stage: Stage) -> list[int]:
    return [int(line) for line in (stage.folder / "family").read_text().split()]


def daemon(stage: Stage) -> str:
    """Shell words that start a process in a session of its own, and wait until it is there."""
    flag = f"{stage.folder}/daemon-$$"
    return f"setsid sh -c ': > {flag}; exec sleep 1000' & until [ -e {flag} ]; do sleep 0.01; done".replace("'", '"')


def test_a_test_that_hangs_is_killed_and_unresolved(stage: Stage, executors: Benches) -> None:
    oracle = Watched(Script(str(stage.script("check", "trap '' TERM INT HUP\nwhile :; do sleep 0.05; done"))))
    report = judged(executors(oracle, limits=Limits(seconds=0.3)))
    assert report.outcome is UNRESOLVED
    assert report.why.startswith("time-out after ")
    assert (oracle.last.exit, oracle.last.signal, oracle.last.timed_out) == (None, None, True)
    assert stage.living() == []


def test_a_test_that_has_stopped_itself_is_killed(stage: Stage, executors: Benches) -> None:
    executor = executors(Script(str(stage.script("check", "kill -STOP $$"))), limits=Limits(seconds=0.3))
    assert judged(executor).outcome is UNRESOLVED
    assert stage.living() == []


@pytest.mark.parametrize(
    ("then", "outcome"), [("time.sleep(1000)", UNRESOLVED), ("sys.exit(0)", FAIL), ("sys.exit(1)", PASS)]
)
def test_a_family_is_killed_whole(stage: Stage, executors: Benches, then: str, outcome: object) -> None:
    """Same group, new groups, new sessions, daemons, all deaf to SIGTERM: dead before the outcome is told."""
    executor = executors(family(stage, then), limits=Limits(seconds=6.0 if outcome is UNRESOLVED else 60.0))
    report = judged(executor)
    assert len(set(members(stage))) == SIZE
    assert [pid for pid in members(stage) if alive(pid)] == []
    assert stage.living() == []
    assert report.outcome is outcome


def test_the_families_of_others_are_left_alone(stage: Stage, executors: Benches) -> None:
    """Two tests with daemons at once: the end of one does not touch the other's."""
    go = stage.folder / "go"
    body = f'setsid sh -c "while [ ! -e {go} ]; do sleep 0.01; done; echo done >> $1.log" &\nwait'
    script = stage.script("check", f'if grep -q slow "$1"; then cp "$1" {stage.folder}/slow; {body}; fi; exit 0')
    executor = executors(Script(str(script)), jobs=2)
    executor.submit(b"slow", b"slow")
    eventually((stage.folder / "slow").exists, "the slow test begins")
    for number in range(20):
        executor.submit(bytes([number]), b"fast")
        assert [key for key, _ in executor.wait()] == [bytes([number])]
    go.touch()
    ((key, report),) = executor.wait()
    assert (key, report.outcome) == (b"slow", FAIL)


def test_a_daemon_without_environment_is_killed(stage: Stage) -> None:
    """It carries no mark any more; but whoever becomes a child of the command `wynot` is a test's."""
    name = f"1000.{int(stage.tag, 16)}"
    stage.file("input.txt", "one\nbug\n")
    stage.script("check", f'env -i setsid sleep {name} >/dev/null 2>&1 &\nsleep 0.1\ngrep -q bug "$1"')
    done = stage.wynot("reduce", "input.txt", "--test", "./check", "--atoms", "lines")
    left = carrying(name)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert done.code == 0, done.err
    assert left == []


def test_strays_are_killed_when_the_bench_is_not_in_the_main_thread(stage: Stage, executors: Benches) -> None:
    """Orphans are adopted by the process, that is its main thread."""
    script = stage.script("check", f"{daemon(stage)}\nexit 0")
    reports: list[Report] = []

    def work() -> None:
        executor = LocalExecutor(Script(str(script)), "input.txt", 1, Limits(seconds=60))
        reports.append(judged(executor))
        executor.close()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [report.outcome for report in reports] == [FAIL]
    assert stage.living() == []


def test_a_child_that_holds_the_output_open_does_not_hang_a_test(stage: Stage, executors: Benches) -> None:
    oracle = Watched(Command(("sh", "-c", f"sleep 1000 & {daemon(stage)}; echo said; exit 3")))
    judged(executors(oracle, limits=Limits()))  # no time limit that could help
    assert (oracle.last.exit, oracle.last.stdout) == (3, b"said\n")
    assert stage.living() == []


def test_children_of_the_caller_keep_their_exit_codes(stage: Stage, executors: Benches) -> None:
    """A caller of the library may have children of its own, one of which has ended but was not yet asked."""
    own = subprocess.Popen(["sh", "-c", "exit 7"])
    eventually(lambda: not alive(own.pid), "it ends")
    executor = executors(Script(str(stage.script("check", "exit 0"))))
    assert judged(executor).outcome is FAIL
    executor.close()
    assert own.wait() == 7


def test_running_children_of_the_caller_are_left_alone(stage: Stage, executors: Benches) -> None:
    own = subprocess.Popen(["sleep", "1000"])
    try:
        executor = executors(family(stage, "sys.exit(0)"))
        judged(executor)
        executor.close()
        assert alive(own.pid)
    finally:
        own.kill()
        assert own.wait() == -signal.SIGKILL


@pytest.mark.parametrize("where", ["", ">&2"])
def test_a_flood_is_stopped(stage: Stage, executors: Benches, where: str) -> None:
    """A gigabyte of output, by a test that is deaf to SIGTERM and forks."""
    flood = f"head -c 1G /dev/zero {where}"
    body = f"trap '' TERM PIPE\n{flood} &\n{flood}\n: > {stage.folder}/through"
    oracle = Watched(Script(str(stage.script("check", body))))
    report = judged(executors(oracle))
    assert (report.outcome, report.why) == (UNRESOLVED, "too much output")
    assert len(oracle.last.stdout) + len(oracle.last.stderr) <= 16 * MIB
    assert not (stage.folder / "through").exists()
    assert stage.living() == []


def test_the_output_limit_is_for_both_streams_together(executors: Benches) -> None:
    for size, flooded in ((500, False), (501, True)):
        oracle = Watched(Command(("sh", "-c", f"head -c 500 /dev/zero; head -c {size} /dev/zero >&2")))
        judged(executors(oracle, limits=Limits(60, output=1000)))
        assert oracle.last.flooded is flooded


GREEDY = "import sys; sys.exit(3 if bytearray({}) else 4)"


@pytest.mark.parametrize("words", [(), ("sh", "-c", 'sleep 0.1; "$@"; exit $?', "sh")], ids=["itself", "its child"])
def test_memory_is_limited(executors: Benches, words: tuple[str, ...]) -> None:
    for size, code in ((16 * MIB, 3), (600 * MIB, 1)):
        oracle = Watched(Command((*words, sys.executable, "-c", GREEDY.format(size))))
        judged(executors(oracle, limits=Limits(60, memory=400 * MIB)))
        assert oracle.last.exit == code
        assert (b"MemoryError" in oracle.last.stderr) is (code == 1)


def test_memory_is_limited_from_the_very_beginning(executors: Benches) -> None:
    """Not only once whoever started it has its next turn: the first thing that the program can see is its limit."""
    oracle = Watched(Command(("sh", "-c", "ulimit -v")))
    judged(executors(oracle, limits=Limits(60, memory=400 * MIB)))
    assert oracle.lines == [str(400 * 1024)]


def test_memory_is_not_limited_unless_told(executors: Benches) -> None:
    oracle = Watched(Command((sys.executable, "-c", GREEDY.format(600 * MIB))))
    judged(executors(oracle))
    assert oracle.last.exit == 3


def test_the_time_limit_follows_from_the_baseline() -> None:
    assert Limits().settled(0.01, 1).seconds == LEAST_SECONDS
    assert Limits().settled(2.0, 1).seconds == 20.0
    assert Limits(3.0).settled(2.0, 1).seconds == 3.0
    assert Limits().settled(2.0, 4).seconds == 80.0
    assert Limits().settled(2.0, 0.5).seconds == 20.0


def test_losers_are_killed_and_never_reported(stage: Stage, executors: Benches) -> None:
    script = stage.script("check", f'if grep -q slow "$1"; then {daemon(stage)}; : > {stage.folder}/slow; wait; fi')
    executor = executors(Script(str(script)), jobs=2)
    executor.submit(b"slow", b"slow")
    eventually((stage.folder / "slow").exists, "the slow test begins")
    executor.submit(b"fast", b"fast")
    assert [key for key, _ in executor.wait()] == [b"fast"]
    executor.kill(b"slow")
    assert executor.wait() == []  # returns once it is dead
    assert executor.free == 2
    assert stage.living() == []
    executor.submit(b"fast", b"fast")
    assert [key for key, _ in executor.wait()] == [b"fast"]


def test_a_killed_test_can_be_begun_again(stage: Stage, executors: Benches) -> None:
    script = stage.script("check", f"test -e {stage.folder}/go || sleep 1000; exit 0")
    executor = executors(Script(str(script)), jobs=2)
    executor.submit(b"key", b"same")
    executor.kill(b"key")
    (stage.folder / "go").touch()
    executor.submit(b"key", b"same")
    reports = executor.wait() or executor.wait()  # the first one may be over as soon as the killed one is dead
    ((key, report),) = reports
    assert (key, report.outcome) == (b"key", FAIL)


def test_to_kill_what_is_unknown_or_over_does_nothing(executors: Benches) -> None:
    executor = executors(Command(("true",)))
    executor.kill(b"unknown")
    assert judged(executor, b"done").outcome is PASS
    executor.kill(digest(b"done"))
    assert judged(executor, b"more").outcome is PASS


def test_close_leaves_nothing_behind(stage: Stage, executors: Benches) -> None:
    """Eight tests with families are running: no process, no folder, no guardian is left."""
    litter = "mkdir d; : > d/f; chmod 500 d"
    body = f'{daemon(stage)}\n(trap "" TERM; sleep 1000) &\n{litter}; echo $$ >> {stage.folder}/begun\nwait'
    executor = executors(Script(str(stage.script("check", body))), jobs=8)
    for number in range(8):
        executor.submit(bytes([number]), b"")
    begun = stage.folder / "begun"
    eventually(lambda: begun.exists() and len(begun.read_text().split()) == 8, "all tests begin")
    guardian = executor._guardian.pid
    assert alive(guardian)
    executor.close()
    assert carrying("WYNOT_TEST=" + executor._mark) == []
    assert not alive(guardian)
    stage.assert_clean()


def test_without_a_wish_the_work_folder_is_in_memory_or_temporary(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, executors: Benches
) -> None:
    monkeypatch.delenv("WYNOT_TMP")
    oracle = Watched(Script(str(stage.script("check", 'pwd; echo "$TMPDIR"; : > "$TMPDIR/left"; : > left'))))
    executor = executors(oracle)
    judged(executor)
    folder, temporary = map(Path, oracle.lines)
    memory = Path("/dev/shm")
    assert folder.parent == temporary.parent
    assert folder.parent.name.startswith("wynot-")
    assert not roomy(str(memory)) or folder.parents[1] == memory
    assert folder.exists()
    executor.close()
    assert not folder.parent.exists()


@pytest.mark.parametrize("point", ["pidfd_open", "set_blocking"])
def test_an_interruption_while_a_test_is_started_leaves_nothing_behind(
    stage: Stage, executors: Benches, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """A signal may come at any moment; here it comes when the process is there but nobody knows yet."""
    executor = executors(Script(str(stage.script("check", "sleep 1000"))))

    def interrupted(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(f"wynot.engine.executors.process.os.{point}", interrupted)
    with pytest.raises(KeyboardInterrupt):
        executor.submit(b"key", b"")
    monkeypatch.undo()
    executor.close()
    assert carrying("WYNOT_TEST=" + executor._mark) == []


def test_dead_orphans_are_buried(stage: Stage) -> None:
    """Children of a test that die with it are not left as zombies until the end of the run."""
    script = stage.script("check", "sleep 100 & sleep 100 & exit 1")
    before = set(children())
    executor = LocalExecutor(Script(str(script)), "input.txt", 1, Limits(seconds=60), LocalSettings(alone=True))
    try:
        for _ in range(15):
            judged(executor)
        assert len(set(children()) - before) <= 6
    finally:
        executor.close()


def test_close_does_not_wait_for_what_nobody_watches(stage: Stage, executors: Benches) -> None:
    """An interruption in the middle of taking an end in leaves a dead process without its descriptors."""
    executor = executors(Script(str(stage.script("check", "sleep 1000"))))
    executor.submit(b"key", b"")
    task = executor._tasks[b"key"]
    assert task.process is not None
    for fd in task.process.fds:
        executor._watch.drop(fd)
    executor.close()
    assert carrying("WYNOT_TEST=" + executor._mark) == []
