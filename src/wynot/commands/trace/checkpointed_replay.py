"""Replays of Python programs that go on from a checkpoint: forked where the plans part, not started anew.

The processes that wait are in `python/posts.py`; here is who asks them. Whatever they cannot do is done as ever.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from wynot.commands.trace.record_run import RecordingFolder
from wynot.core.config import Config
from wynot.domains.traces.trace_tree import TraceTree, plan_of
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.executors.orphans import MARK, started, variable
from wynot.engine.executors.process import Process
from wynot.engine.executors.sandbox import Limits, limited
from wynot.oracles.protocol import Invocation, ProcessExit

PATIENCE = 20.0
"""Seconds to wait for a fork."""
SEVERAL = 2
"""The first one that is forked is compared with one that is not."""
FLOOD = 16
"""So many times the limit of the output can be printed before it fails; by then it has long been too much."""
_AT_FIRST = "import os, sys, _socket, ctypes; sys.exit(not (hasattr(os, 'pidfd_open') and hasattr(os, 'memfd_create')))"


class CheckpointedReplay(Process):
    """A replay that was forked from a checkpoint; what it prints is in memory until it ends."""

    def __init__(self, speak: socket.socket, asked: dict[str, object], stdin: bytes, limits: Limits) -> None:
        self._limits = limits
        self.makes = self.timed_out = self.flooded = False
        self.begun = time.perf_counter()
        self._told, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.out, self.err, source = (os.memfd_create(name) for name in ("out", "err", "in"))
        try:
            with os.fdopen(source, "wb") as file:
                file.write(stdin)
                file.flush()
                fds = [source, self.out, self.err, other.fileno()]
                socket.send_fds(speak, [json.dumps(asked).encode()], fds)
            other.close()
            self._told.settimeout(PATIENCE)
            self.pid, self.far = map(int, self._told.recv(64).split())  # a ValueError, if nobody is there
            with contextlib.suppress(OSError):
                resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (FLOOD * limits.output, resource.RLIM_INFINITY))
        except BaseException:
            other.close()
            self.release()
            raise
        self.end = self._told.fileno()
        self.spawning = time.perf_counter() - self.begun
        self.deadline = self.begun + limits.seconds if limits.seconds is not None else None

    @property
    def fds(self) -> tuple[int, ...]:
        """Nothing is to be read before the end."""
        return (self.end,)

    def finish(self) -> ProcessExit:
        """Take the end in."""
        try:
            status = int(self._told.recv(64) or b"-9")
        except OSError:
            self.kill()
            status = -9
        self._size = os.fstat(self.out).st_size + os.fstat(self.err).st_size
        self.flooded = self._size > self._limits.output
        natural = not (self.timed_out or self.flooded)
        printed = [os.pread(fd, os.fstat(fd).st_size, 0) if natural else b"" for fd in (self.out, self.err)]
        self.release()
        return ProcessExit(
            exit=status if status >= 0 and natural else None,
            signal=-status if status < 0 and natural else None,
            timed_out=self.timed_out,
            flooded=self.flooded,
            stdout=printed[0],
            stderr=printed[1],
            seconds=time.perf_counter() - self.begun,
        )

    def release(self) -> None:
        """Close the file descriptors."""
        self._told.close()
        os.close(self.out)
        os.close(self.err)


class Checkpoints:
    """Starts the replays of a trace; `best` is the plan from which the next ones will differ little."""

    def __init__(self, place: RecordingFolder, executor: LocalExecutor) -> None:
        self._setting, self._argv = place.setting, place.tracer.argv()
        self._address = Path(place.root) / f"post.{executor.mark}"
        self._best = Path(place.root) / "best"
        self._mark = executor.mark
        self._speak: socket.socket | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self.forked = self.spared = 0
        """Replays that were forked, and events that they did not have to execute again."""
        self.over = False
        """Do without from now on."""
        self.told: Callable[[], None] = lambda: None
        """Called when replays of the search are forked, before any of them has ended."""

    def improve(self, plan: bytes) -> None:
        """This is the best one from now on."""
        new = self._best.with_suffix(".new")
        new.write_bytes(plan)
        new.replace(self._best)

    def __call__(self, invocation: Invocation, folder: str, env: dict[bytes, bytes], limits: Limits) -> Process:
        """Start what is to be run: a replay from a checkpoint, anything else as ever."""
        if invocation.argv[:-1] == self._argv and not invocation.env and not self.over:
            own = {name: env[name.encode()].decode("utf-8", "surrogateescape") for name in ("TMPDIR", MARK)}
            asked: dict[str, object] = {"plan": invocation.argv[-1], "best": str(self._best), "env": own}
            try:
                speak = self._speak or self._begin(env, limits)
                process = CheckpointedReplay(speak, asked, invocation.stdin or b"", limits)
            except ValueError:  # a checkpoint was gone
                return Process(invocation, folder, env, limits)
            except OSError:  # nobody answers, or a path that is too long for a socket
                self.over = True
                return Process(invocation, folder, env, limits)
            self.forked += 1
            if self.forked == SEVERAL:
                self.told()
            self.spared += process.far
            return process
        return Process(invocation, folder, env, limits)

    def _begin(self, env: dict[bytes, bytes], limits: Limits) -> socket.socket:
        self._speak = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listen:
            listen.bind(str(self._address))
            listen.listen(64)
            self._speak.connect(str(self._address))
            argv = (*self._argv, f"serve:{listen.fileno()}:{self._address}")
            env = {**env, MARK.encode(): variable(f"{self._mark}.all").encode()}
            self._server = started(
                env,
                lambda: subprocess.Popen(
                    limited(argv, limits),
                    env=env,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    pass_fds=(listen.fileno(),),
                ),
            )
        return self._speak

    def close(self) -> None:
        """Whoever waits goes."""
        if self._speak is not None:
            self._speak.close()
        if self._server is not None:
            self._server.kill()
            self._server.wait()


def possible(place: RecordingFolder) -> bool:
    """Whether the program's interpreter and this system can do it."""
    setting = place.setting
    if not setting.checkpoints:
        return False
    if setting.program.kind != "python" or sys.platform != "linux" or not hasattr(socket, "send_fds"):
        return False
    start = setting.program.start[:-1]
    done = subprocess.run((*start, "-S", "-c", _AT_FIRST), capture_output=True, check=False)
    return done.returncode == 0


@contextmanager
def checkpoints(place: RecordingFolder, executor: object, whole: TraceTree) -> Iterator[Checkpoints | None]:
    """Let replays go on from checkpoints, where that is possible and does what the program does."""
    if not isinstance(executor, LocalExecutor) or not possible(place):
        yield None
        return
    found = Checkpoints(place, executor)
    try:
        found.improve(plan_of(Config.full(len(whole))))
        same = place.agrees(found, len(whole)) and found.forked > 0
        with executor.started_by(found if same else Process):
            yield found if same else None
    finally:
        found.close()
