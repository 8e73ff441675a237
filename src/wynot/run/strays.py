"""Processes that got away: found by the mark in their environment, and killed.

A test runs in a process group of its own and the group is killed. A child that makes itself a session of its own is
not in the group any more; but since this process is its "subreaper" (Linux), it becomes our child when its parent
ends, and the mark tells whose it was. Should this very process be killed, a guardian cleans up after it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from wynot.run.place import remove_root

MARK = "WYNOT_TEST"
_MOST_FILES = 1 << 16
_SUBREAPER = 36  # prctl's PR_SET_CHILD_SUBREAPER


def adopt_orphans() -> bool:
    """Become the parent of our descendants' orphans; False where the system does not offer it."""
    if sys.platform != "linux":
        return False
    return bool(ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0) == 0)


def children() -> list[int]:
    """Our children's process numbers, adopted ones among them."""
    if threading.active_count() == 1:
        return [int(number) for number in _read("/proc/thread-self/children").split()]
    try:
        threads = os.listdir("/proc/self/task")  # noqa: PTH208 - once a test
    except OSError:
        return []
    return [int(number) for thread in threads for number in _read(f"/proc/self/task/{thread}/children").split()]


def _read(path: str) -> bytes:
    """A small file below /proc; nothing where its process is gone."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        pieces = []
        while piece := os.read(fd, 4096):
            pieces.append(piece)
        return b"".join(pieces)
    except OSError:
        return b""
    finally:
        os.close(fd)


def marked(pid: int, mark: bytes) -> bool:
    """Whether a process carries this mark."""
    return mark in _read(f"/proc/{pid}/environ")


def kill_strays(own: Iterable[int], mark: str, *, unmarked: bool = False, alone: bool = False) -> None:
    """Kill and bury those of our children that carry the mark and are not our own, and theirs in turn.

    With `unmarked`, those that carry no mark, too: a process that was given an empty environment. With `alone`, those
    that are dead already are buried as well. Only who has no other children may ask for that.
    """
    sign, known = f"{MARK}={mark}".encode(), set(own)
    while strays := [pid for pid in children() if pid not in known]:
        for pid in strays:
            if unmarked or marked(pid, sign):
                _kill(pid)
                _bury(pid)
            elif alone:
                _bury(pid, os.WNOHANG)
            known.add(pid)  # dead, or somebody else's


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _bury(pid: int, how: int = 0) -> None:
    try:
        os.waitpid(pid, how)
    except ChildProcessError:
        return


def _everyone() -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            yield int(entry.name)


class Guardian:
    """A small process that outlives us: if we are killed, it kills our tests and removes our work folders."""

    def __init__(self, root: str, mark: str) -> None:
        listen, self._speak = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(listen)
            return
        try:
            os.closerange(3, listen)  # files, locks and pipes of its parent must end with the parent
            os.closerange(listen + 1, _MOST_FILES)
            os.setsid()
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            _watch(listen, root, mark)
        finally:
            os._exit(0)

    def dismiss(self) -> None:
        """All is well: let it go."""
        speak, self._speak = self._speak, -1
        if speak < 0:
            return
        with contextlib.suppress(BrokenPipeError):  # it was killed
            os.write(speak, b"bye")
        os.close(speak)
        _bury(self.pid)


def _watch(listen: int, root: str, mark: str) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # whoever waits for the end of our output must not wait for the guardian
        os.dup2(null, number)
    if os.read(listen, 3):
        return
    sign = f"{MARK}={mark}".encode()
    for _ in range(3):  # a process may be forking while we look
        for pid in _everyone():
            if marked(pid, sign):
                _kill(pid)
    remove_root(root)
