"""Daemons that have left their session, their folder and their environment: no test leaves one behind."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.fixtures import Benches
from tests.support.stage import Stage, alive, eventually, give_away
from tests.support.watched import judged
from wynot.core.outcome import FAIL
from wynot.engine.executors.orphans import MARK, Adoption, marked, started, variable
from wynot.oracles.script import Script

DAEMON = """
import os, sys
def daemon(flag):
    read, write = os.pipe()
    if os.fork():
        os.close(write)
        os.read(read, 1)  # until its program is there
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    with open(flag, "a") as file:
        file.write(f"{os.getpid()}\\n")
    os.chdir("/")
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.execve("/bin/sleep", ["sleep", "1000"], {})
"""
"""By the book, and with an empty environment."""


def pids(stage: Stage) -> list[int]:
    """All the daemons there were."""
    path = stage.folder / "pids"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def left(stage: Stage) -> list[int]:
    return [pid for pid in pids(stage) if alive(pid)]


def demonic(stage: Stage, then: str = 'grep -q bug "$1"') -> Path:
    """A test that writes down which daemons of earlier ones are still there, and starts one."""
    pids, flag = stage.folder / "pids", "$1.flag"
    inner = f"echo $$ >> {pids}; cd /; : > $0; exec sleep 1000"
    body = (
        f"touch {pids}\nfor pid in $(cat {pids}); do test -d /proc/$pid && echo $pid >> {stage.folder}/log; done\n"
        f"env -i /usr/bin/setsid --fork /bin/sh -c '{inner}' {flag} < /dev/null > /dev/null 2>&1\n"
        f"until [ -e {flag} ]; do sleep 0.01; done\n{then}"
    )
    return stage.script("check", body)


@pytest.fixture(params=["stage", "commoner"])
def somebody(request: pytest.FixtureRequest) -> Stage:
    """Who may do everything, and who may not."""
    stage: Stage = request.getfixturevalue(request.param)
    return stage


def test_daemons_do_not_pile_up(somebody: Stage) -> None:
    somebody.file("in.txt", "a\nb\nc\nbug\n")
    demonic(somebody)
    give_away(somebody.folder) if somebody.before else None
    done = somebody.wynot("reduce", "in.txt", "--test", "./check", "--atoms", "lines", "-j", "1")
    assert done.code == 0, done.err
    assert len(pids(somebody)) > 5
    assert somebody.log == [], "no test meets a daemon of an earlier one"
    assert left(somebody) == []


def test_after_kill_9_no_daemon_is_left(somebody: Stage) -> None:
    """The first run of the input ends; those after it, two at once, hang."""
    somebody.file("in.txt", "all\n" + "line\n" * 9)
    demonic(somebody, f"test ! -e {somebody.folder}/ran || sleep 1000\ntouch {somebody.folder}/ran")
    give_away(somebody.folder) if somebody.before else None
    process = somebody.start("reduce", "in.txt", "--test", "./check", "-j", "2", "--timeout", "1000s")
    eventually(lambda: len(left(somebody)) >= 2, "daemons are there")
    process.kill()
    somebody.ended(process)
    eventually(lambda: not left(somebody), "all daemons are gone")
    eventually(lambda: not list(somebody.tmp.iterdir()), "all work folders are gone")


def test_a_library_leaves_none(stage: Stage, executors: Benches) -> None:
    """It cannot kill whatever has become its child: its caller may have children of its own."""
    executor = executors(Script(str(demonic(stage, "exit 0"))))
    assert judged(executor).outcome is FAIL
    assert len(pids(stage)) == 1
    assert left(stage) == []


def test_a_library_in_a_program_with_threads_leaves_none(stage: Stage, executors: Benches) -> None:
    go = threading.Event()
    other = threading.Thread(target=go.wait)
    other.start()
    try:
        test_a_library_leaves_none(stage, executors)
    finally:
        go.set()
        other.join()


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_a_program_that_is_kept_ready_leaves_none(stage: Stage, jobs: str) -> None:
    stage.file("in.txt", "a\nb\nbug\n")
    body = f"{DAEMON}\ndaemon({str(stage.folder / 'pids')!r})\n"
    stage.python("prog.py", f"{body}if 'bug' in open(sys.argv[1]).read():\n    raise ValueError('it fails')\n")
    done = stage.wynot("reduce", "in.txt", "--server", "-j", jobs, "--", sys.executable, "prog.py", "{}")
    assert "is kept ready" in done.err
    assert done.code == 0, done.err
    assert len(pids(stage)) > 3
    assert left(stage) == []


def test_a_run_within_a_test_ends_with_it(stage: Stage) -> None:
    """The daemon of an inner run has the mark of the outer one in its environment, too."""
    stage.file("inner.txt", "all\nbug\n")
    stage.file("in.txt", "all\n" + "line\n" * 9)
    stage.script("inner", f'echo $$ >> {stage.folder}/pids; grep -q all "$1" && exit 0; exec setsid sleep 1000')
    words = f"{sys.executable} -m wynot reduce {stage.work}/inner.txt --test {stage.work}/inner --timeout 1000s --fresh"
    stage.script("check", f'grep -q all "$1" && exit 0; {words}')
    process = stage.start("reduce", "in.txt", "--test", "./check", "--timeout", "1000s")
    eventually(lambda: left(stage), "the inner test hangs")
    process.kill()
    stage.ended(process)
    eventually(lambda: not left(stage) and not stage.living(), "both are gone")


def test_only_what_is_started_has_the_mark() -> None:
    mark = "0123456789ab.007"
    env = {MARK.encode(): variable(mark).encode()}
    process = started(env, _Sleeper)
    try:
        assert marked(process.pid, mark)
        assert marked(process.pid, "0123456789ab"), "the mark of a run is that of all its workers"
        assert not marked(process.pid, "0123456789ab.008")
        assert not marked(os.getpid(), "0123456789ab")
    finally:
        os.kill(process.pid, signal.SIGKILL)
        os.waitpid(process.pid, 0)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("lives", [False, True])
def test_what_another_thread_starts_has_no_mark(apart: bool, lives: bool) -> None:
    """A library's caller may start processes of its own at any moment.

    A thread that lives on may do so with an empty environment, too.
    """
    mark = {MARK.encode(): b"0123456789ab.007"}
    own: list[subprocess.Popen[bytes]] = []
    go, done = threading.Event(), threading.Event()

    def start_own() -> None:
        env: dict[str, str] | None = {} if lives or not apart else None
        own.append(subprocess.Popen(["sleep", "1000"], env=env, start_new_session=apart))
        done.set()
        if lives:
            go.wait()

    def start() -> _Sleeper:
        thread = threading.Thread(target=start_own)
        thread.start()
        done.wait() if lives else thread.join()
        return _Sleeper()

    threading.Thread(target=go.wait).start()
    process = started(mark, start)
    try:
        assert not marked(own[0].pid, "0123456789ab")
        assert marked(process.pid, "0123456789ab")
    finally:
        go.set()
        os.kill(process.pid, signal.SIGKILL)
        os.waitpid(process.pid, 0)
        own[0].kill()
        own[0].wait()


def test_a_daemon_that_is_adopted_while_its_test_starts_keeps_the_mark(stage: Stage) -> None:
    """On a busy machine a test may have done its work before this process goes on."""
    demonic(stage, "exit 0")

    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen([stage.work / "check", stage.work / "in.txt"])
        eventually(lambda: not alive(process.pid), "its test has ended")
        return process

    stage.file("in.txt", "")
    adoption, go = Adoption(), threading.Event()
    threading.Thread(target=go.wait).start()
    process = started({MARK.encode(): b"0123456789ab.007"}, start)
    try:
        assert marked(pids(stage)[0], "0123456789ab")
    finally:
        go.set()
        process.wait()
        os.kill(pids(stage)[0], signal.SIGKILL)
        os.waitpid(pids(stage)[0], 0)
        adoption.end()


class _Sleeper:
    """A process without an environment."""

    def __init__(self) -> None:
        self.pid = os.posix_spawn("/bin/sleep", ["sleep", "1000"], {})


def test_orphans_are_adopted_as_long_as_there_is_a_bench() -> None:
    first, second = Adoption(), Adoption()
    first.end()
    assert _adopts()
    second.end()
    assert not _adopts()


def _adopts() -> bool:
    state = ctypes.c_int(0)
    assert ctypes.CDLL(None).prctl(37, ctypes.byref(state), 0, 0, 0) == 0
    return bool(state.value)
