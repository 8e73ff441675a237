"""Checkpoints: processes that wait at a place of a replay, and fork whoever goes on from there.

The first one waits before the program's first statement. It is asked for replays, and passes each on to the checkpoint
that is farthest on and whose state does not depend on anything in which the plans differ. A checkpoint is not made
where the state of the process is not all there is: after a file was written, or with files, sockets or threads open.
The fork is the system's own: Python's would tell the program (`random` would take another seed).
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import ctypes
import json
import os
import select
import sys
from time import process_time
from typing import Any

MOST = 12
"""Checkpoints at the most."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OUTSIDE = (
    "os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown",
    "os.utime", "os.setxattr", "os.removexattr", "os.system", "os.spawn", "os.posix_spawn", "os.exec", "os.fork",
    "os.forkpty", "shutil.", "subprocess.", "pty.", "socket.", "sqlite3.", "ctypes.", "mmap.", "_thread.",
    "os.kill", "os.lockf", "fcntl.", "signal.",
)  # fmt: skip
_listdir, _stat, _pread, _seek = os.listdir, os.fstat, os.pread, os.lseek


class _Place:
    """A checkpoint, as the first one knows it."""

    def __init__(self, speak: Any, mask: int, seen: bytes) -> None:
        self.speak, self.mask, self.seen = speak, mask, int.from_bytes(seen, "little")
        self.far = sum(seen)

    def suits(self, mask: int) -> bool:
        return not (self.mask ^ mask) & self.seen


class Posts:
    """The checkpoints of a trace, from the inside of each of them."""

    def __init__(self, playing: Any, address: str, least: float) -> None:
        self.playing, self.address, self.least = playing, address, least
        self.outside = True
        """Whether something was done outside of this process."""
        self.spent, self.far = 0.0, 0
        self.printed = (b"", b"")
        self.taken = 0
        """How much of standard input was read."""
        self._fork = ctypes.PyDLL(None).fork

    def _heard(self, event: str, args: Any) -> None:
        if self.outside or event == "sys._getframe" or self.playing.writing:
            return
        self.outside = event.startswith(_OUTSIDE) or (event == "open" and bool((args[2] or 0) & _WRITING))

    def open(self) -> None:
        """Wait before the first statement; whoever returns from here is a replay."""
        number, _, self.address = self.address.partition(":")
        listen = _socket.socket(fileno=int(number))
        speak = _accepted(listen)
        sys.addaudithook(self._heard)
        self._serve(speak, listen)

    def leave(self, call: Any) -> bool:
        """Leave a checkpoint here, if it is worth it; True in a replay that goes on from it."""
        if process_time() - self.spent < self.least or self.outside or not _alone():
            return False
        seen = self.playing.seen(call)
        printed, taken = [_pread(fd, _stat(fd).st_size, 0) for fd in (1, 2)], _seek(0, 0, 1)
        if self._fork():
            self.spent = process_time()
            return False
        os.setsid()
        self.printed, self.taken, self.far = (printed[0], printed[1]), taken, self._executed(seen)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        os.close(null)
        speak = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        try:
            speak.connect(self.address)
            _tell(speak, bytes(self.playing.trace.mask), bytes(seen))
        except OSError:
            os._exit(0)  # nobody is interested any more
        self._serve(speak, None)
        return True

    def _executed(self, seen: bytearray) -> int:
        """How many events whoever goes on from here need not execute again."""
        mask = int.from_bytes(self.playing.trace.mask, "little")
        return bin(mask & int.from_bytes(seen, "little")).count("1")  # noqa: FURB161 - not before 3.10

    def _serve(self, speak: Any, listen: Any) -> None:
        """Fork replays, and pass on to other checkpoints what can go on from there."""
        runs: dict[int, tuple[int, Any]] = {}
        places: dict[int, _Place] = {}
        heard = True
        while heard or runs:
            watch = [*runs, *places, *([listen.fileno()] if listen else []), *([speak.fileno()] if heard else [])]
            for fd in _ready(watch):
                if fd in runs:
                    _ended(fd, *runs.pop(fd))
                elif fd in places:
                    places.pop(fd).speak.close()  # it never says anything: it is gone
                elif fd != speak.fileno():
                    self._admit(_accepted(listen), places)
                else:
                    message, fds = _received(speak)
                    heard = bool(message)
                    if heard and not self._passed(message, fds, places) and self._start(message, fds, runs):
                        _forget([speak, listen, *(place.speak for place in places.values())], runs)
                        return
                    for each in fds:
                        os.close(each)
        os._exit(0)

    def _admit(self, speak: Any, places: dict[int, _Place]) -> None:
        mask, seen = _told(speak)
        if not seen:
            speak.close()
            return
        places[speak.fileno()] = _Place(speak, int.from_bytes(mask, "little"), seen)
        if len(places) > MOST:  # the one that is closest to the one before it
            order = sorted(places, key=lambda fd: places[fd].far)
            gaps = [(places[b].far - places[a].far, b) for a, b in zip(order, order[1:])]  # noqa: B905, RUF007 - not before 3.10
            places.pop(min(gaps)[1]).speak.close()

    def _passed(self, message: bytes, fds: list[int], places: dict[int, _Place]) -> bool:
        """Whether a checkpoint farther on has taken it."""
        if not places:
            return False
        with open(json.loads(message)["plan"], "rb") as file:
            mask = int.from_bytes(self.playing.trace.masked(file.read()), "little")
        for fd in sorted(places, key=lambda fd: -places[fd].far):
            if places[fd].suits(mask):
                try:
                    _send(places[fd].speak, message, fds)
                except OSError:
                    continue
                return True
        return False

    def _start(self, message: bytes, fds: list[int], runs: dict[int, tuple[int, Any]]) -> bool:
        """Fork a replay: True in it."""
        pid = self._fork()
        if pid:
            told = _socket.socket(fileno=os.dup(fds[3]))
            told.send(f"{pid} {self.far}".encode())
            runs[os.pidfd_open(pid)] = (pid, told)
            return False
        os.setsid()
        asked = json.loads(message)
        stdin = os.open(f"/proc/self/fd/{fds[0]}", os.O_RDONLY)  # with a place of its own
        os.lseek(stdin, self.taken, 0)
        for old, new in ((stdin, 0), (fds[1], 1), (fds[2], 2)):
            os.dup2(old, new)
        for fd in (stdin, *fds):
            os.close(fd)
        os.write(1, self.printed[0])
        os.write(2, self.printed[1])
        os.environ.update(asked["env"])
        with open(asked["plan"], "rb") as plan, open(asked["best"], "rb") as best:
            self.playing.renew(plan.read(), best.read())
        self.outside, self.spent = False, process_time()
        return True


def _alone() -> bool:
    """Whether this process is all there is: no thread, no file, no timer."""
    quiet = _signal.getitimer(_signal.ITIMER_REAL)[0] == 0
    return quiet and len(_listdir("/proc/self/task")) == 1 and len(_listdir("/proc/self/fd")) == 4  # with the listing


def _ready(fds: list[int]) -> list[int]:
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return [fd for fd, _ in poll.poll()]


def _forget(sockets: list[Any], runs: dict[int, tuple[int, Any]]) -> None:
    """A replay has nothing to do with all that."""
    for each in (*sockets, *(told for _, told in runs.values())):
        if each is not None:
            each.close()
    for pidfd in runs:
        os.close(pidfd)


def _ended(pidfd: int, pid: int, told: Any) -> None:
    """A replay is over: say how."""
    try:
        os.killpg(pid, _signal.SIGKILL)
    except OSError:
        pass
    _, status = os.waitpid(pid, 0)
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    try:
        told.send(str(code).encode())
    except OSError:
        pass
    told.close()
    os.close(pidfd)


def _accepted(listen: Any) -> Any:
    fd, _address = listen._accept()
    return _socket.socket(fileno=fd)


def _send(speak: Any, message: bytes, fds: list[int]) -> None:
    data = b"".join(fd.to_bytes(4, sys.byteorder) for fd in fds)
    speak.sendmsg([message], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, data)])


def _received(speak: Any) -> tuple[bytes, list[int]]:
    try:
        message, extra, _flags, _address = speak.recvmsg(1 << 16, _socket.CMSG_LEN(16))
    except OSError:
        return b"", []
    fds = [int.from_bytes(data[at : at + 4], sys.byteorder) for _, _, data in extra for at in range(0, len(data), 4)]
    return message, fds


def _tell(speak: Any, *parts: bytes) -> None:
    """Long texts by files in memory."""
    fds = []
    for part in parts:
        fd = os.memfd_create("wynot")
        with open(fd, "wb", closefd=False) as file:
            file.write(part)
        fds.append(fd)
    _send(speak, b"here", fds)
    for fd in fds:
        os.close(fd)


def _told(speak: Any) -> list[bytes]:
    _message, fds = _received(speak)
    parts = [_pread(fd, _stat(fd).st_size, 0) for fd in fds]
    for fd in fds:
        os.close(fd)
    return parts if len(parts) == 2 else [b"", b""]
