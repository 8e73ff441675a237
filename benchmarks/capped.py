"""Run a program for so long at most; what it has started goes with it, wherever that hides."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended: its exit code, None if it was stopped at the cap; when it began, on the monotonic clock."""

    exit: int | None
    start: float
    wall: float
    stdout: str
    stderr: str


def run(argv: Sequence[str | Path], env: Mapping[str, str], cwd: Path, place: Path, cap: float) -> Ended:
    """Run it in its own session, in cwd; what it prints is kept in place, so that nobody waits for a pipe."""
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans come to us
    with (place / "stdout").open("w+b") as out, (place / "stderr").open("w+b") as err:
        start = time.monotonic()
        child = subprocess.Popen(
            list(map(str, argv)), env={**os.environ, **env}, cwd=cwd, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=out, stderr=err,
        )  # fmt: skip
        code = None
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = child.wait(cap)
            wall = time.monotonic() - start
        finally:
            _end_all(child)
        return Ended(code, start, wall, _tail(out.name), _tail(err.name))


def _end_all(child: subprocess.Popen[bytes]) -> None:
    """Kill all that descends from here, until nothing is left: while one is killed another may still start a third."""
    while found := _descendants(os.getpid()):
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        child.wait()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.01)


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for one in map(int, task.read_text().split()):
                found += [one, *_descendants(one)]
    return found


def _tail(name: str, size: int = 10**6) -> str:
    return Path(name).read_bytes()[-size:].decode(errors="replace")
