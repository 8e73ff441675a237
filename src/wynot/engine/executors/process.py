"""Start a test's process, wait for it, and read its output."""

from __future__ import annotations

import math
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from wynot.core.call import Variable
from wynot.core.text import pasted
from wynot.engine.executors.orphans import MARK, started
from wynot.engine.executors.sandbox import Limits, limited
from wynot.errors import PlaceError, UsageError
from wynot.oracles.protocol import Invocation, ProcessExit

if TYPE_CHECKING:
    from wynot.engine.executors.fork_server import ForkedProcess, ForkServer  # loaded by those who have one


# Waiting for file descriptors: what the standard library's selectors do, for a third of the time.


Whose = TypeVar("Whose")


class Poll(Generic[Whose]):
    """Some file descriptors to read from, and whose they are. To add one costs no system call, unlike with epoll."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._whose: dict[int, Whose] = {}

    def add(self, fd: int, whose: Whose) -> None:
        """Wait for this one, too."""
        self._poll.register(fd, select.POLLIN)
        self._whose[fd] = whose

    def drop(self, fd: int) -> None:
        """Do not wait for this one any more; it need not be there."""
        if fd in self._whose:
            del self._whose[fd]
            self._poll.unregister(fd)

    def wait(self, seconds: float | None) -> list[tuple[int, Whose]]:
        """Those that can be read from, or have come to their end, within so many seconds; None: as long as it takes."""
        milliseconds = None if seconds is None else max(0, math.ceil(seconds * 1000))
        return [(fd, self._whose[fd]) for fd, _event in self._poll.poll(milliseconds)]


_READ = 1 << 16


class Process:
    """A running program; `fds` are what to wait for: output, errors, and the end (a pidfd)."""

    def __init__(
        self,
        invocation: Invocation,
        folder: str,
        env: dict[bytes, bytes],
        limits: Limits,
        forks: ForkServer | None = None,
    ) -> None:
        self._limits = limits
        self.makes = invocation.makes
        self._printed: dict[int, list[bytes]] = {}
        self._size = 0
        self._dry: set[int] = set()
        self.timed_out = self.flooded = False
        self.kills_before = 0
        """The kernel's count of processes killed for lack of memory, as it was known when this one was started."""
        self.begun = time.perf_counter()
        self.out, self.err, self._popen = _started(invocation, limits, folder, env, forks)
        self.pid = self._popen.pid
        try:
            self.spawning = time.perf_counter() - self.begun
            """Seconds until the program was there: the new process does its first work before it is reported."""
            for fd in (self.out, self.err):
                os.set_blocking(fd, False)
                self._printed[fd] = []
            self.end = _end_of(self._popen)
        except BaseException:  # a signal may come at any moment
            self.kill()
            self._popen.wait()
            os.close(self.out)
            os.close(self.err)
            raise
        self.deadline = self.begun + limits.seconds if limits.seconds is not None else None

    @property
    def fds(self) -> tuple[int, ...]:
        """The file descriptors to select on."""
        return self.out, self.err, self.end

    def read(self, fd: int) -> bool:
        """Read what was printed; False when there will be no more. Too much of it, and the process is killed."""
        while True:
            try:
                piece = os.read(fd, _READ)
            except BlockingIOError:
                return True
            if not piece:
                self._dry.add(fd)
                return False
            self._size += len(piece)
            if self._size > self._limits.output:
                self.flooded = True
                self.kill()
                return False
            self._printed[fd].append(piece)

    def kill(self) -> None:
        """Kill the whole process group."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return

    def finish(self) -> ProcessExit:
        """Take the end in: what is left of the output, the exit code; and kill what is left of the group."""
        self.kill()  # before the leader is buried: until then its number cannot belong to another group
        for fd in (self.out, self.err):
            if not self.flooded and fd not in self._dry:
                self.read(fd)
        status = self._popen.wait()
        self.release()
        natural = not (self.timed_out or self.flooded)
        return ProcessExit(
            exit=status if status >= 0 and natural else None,
            signal=-status if status < 0 and natural else None,
            timed_out=self.timed_out,
            flooded=self.flooded,
            stdout=b"".join(self._printed[self.out]),
            stderr=b"".join(self._printed[self.err]),
            seconds=time.perf_counter() - self.begun,
        )

    def release(self) -> None:
        """Close the file descriptors."""
        for fd in self.fds:
            os.close(fd)


give_way: Callable[[], None] = getattr(os, "sched_yield", lambda: None)  # not every system has it
"""Let a new process begin. It waits for the processor that has started it, for some milliseconds if that goes on."""


def _started(
    invocation: Invocation, limits: Limits, folder: str, env: dict[bytes, bytes], forks: ForkServer | None
) -> tuple[int, int, subprocess.Popen[bytes] | ForkedProcess]:
    """Start a program; gives where its output and its errors can be read, and the process."""
    stdin = _stdin(invocation.stdin)
    env = changed(env, invocation.env)
    out, write_out = os.pipe()
    err, write_err = os.pipe()
    cwd = invocation.cwd or (f"{folder}/{invocation.within}" if invocation.within else folder)
    popen: subprocess.Popen[bytes] | ForkedProcess
    try:
        if forks is not None and forks.serves(invocation.argv):
            popen = forks.start(invocation.argv, cwd, env, limits.memory, (stdin, write_out, write_err))
        else:
            popen = started(
                env,
                lambda: subprocess.Popen(
                    limited(invocation.argv, limits),
                    cwd=cwd,
                    env=env,
                    stdin=stdin,
                    stdout=write_out,
                    stderr=write_err,
                    start_new_session=True,  # a group to kill, and no terminal to wait for
                ),
            )
            give_way()
    except BaseException as error:
        os.close(out)
        os.close(err)
        if isinstance(error, OSError):
            raise _cannot_run(invocation.argv[0], error) from error
        raise
    finally:
        for fd in (write_out, write_err, stdin):
            os.close(fd)
    return out, err, popen


def changed(env: dict[bytes, bytes], changes: tuple[Variable, ...]) -> dict[bytes, bytes]:
    """An environment with some variables set otherwise, or not at all. The mark of our own processes stays."""
    if not changes:
        return env
    new = {os.fsencode(name): None if value is None else os.fsencode(value) for name, value in changes if name != MARK}
    return {name: value for name, value in {**env, **new}.items() if value is not None}


def _end_of(popen: subprocess.Popen[bytes] | ForkedProcess) -> int:
    """A file descriptor that can be read from once the process has ended."""
    if hasattr(os, "pidfd_open"):
        return os.pidfd_open(popen.pid)
    seen, tell = os.pipe()  # where there are no such descriptors, a thread waits and then closes the pipe

    def watch() -> None:
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOWAIT)
        else:  # macOS before Python 3.13
            popen.wait()
        os.close(tell)

    threading.Thread(target=watch, daemon=True).start()
    return seen


def _stdin(data: bytes | None) -> int:
    """A file descriptor to read this from."""
    if data is None:
        return os.open(os.devnull, os.O_RDONLY)
    memory = hasattr(os, "memfd_create")
    try:
        with os.fdopen(os.memfd_create("stdin"), "w+b") if memory else tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            file.seek(0)
            return os.dup(file.fileno())
    except OSError as error:
        raise PlaceError(
            f"cannot keep {len(data)} bytes for standard input: {error.strerror}",
            "free some memory, or pass the file by its path: put {} into the command",
        ) from error


def _cannot_run(program: str, error: OSError) -> UsageError:
    reason = error.strerror or str(error)
    if isinstance(error, PermissionError):
        return UsageError(f"cannot run {program}: {reason}", f"make it executable: chmod +x {pasted(program)}")
    if isinstance(error, FileNotFoundError):
        return UsageError(
            f"cannot run {program}: no such program (or the interpreter its first line names is missing)",
            f"check the name and where it is: command -v {program}",
        )
    if error.errno == 8:  # ENOEXEC
        return UsageError(
            f"cannot run {program}: it has no #! line", f"add one: sed -i '1i #!/bin/sh' {pasted(program)}"
        )
    return PlaceError(f"cannot run {program}: {reason}", "free some memory, or use fewer jobs: -j 1")
