"""Mount points: where another file system, or another folder of the same one, is attached to a folder.

Nothing may be removed across a mount point: what is there belongs to somebody else. The number of the file system tells
most of them, but not a bind mount of a folder of the same file system; on Linux the kernel lists them all.
"""

from __future__ import annotations

import os
import re
import select
import threading

_LIST = "/proc/self/mountinfo"
_ESCAPED = re.compile(rb"\\([0-7]{3})")


class _Mounts:
    """The kernel's list. It is read again only when the kernel signals a change, which costs a microsecond to ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._file = -1
        self._points: tuple[str, ...] = ()

    @property
    def inherited(self) -> bool:
        """Whether this was made before a fork: the file descriptor may then be another file's."""
        return self._process != os.getpid()

    def points(self) -> tuple[str, ...]:
        """All mount points; none where the system has no such list."""
        with self._lock:
            if self._file < 0 or self._changed():
                self._read()
            return self._points

    def _changed(self) -> bool:
        poll = select.poll()
        poll.register(self._file, select.POLLPRI | select.POLLERR)
        return bool(poll.poll(0))

    def _read(self) -> None:
        try:
            if self._file < 0:
                self._file = os.open(_LIST, os.O_RDONLY | os.O_CLOEXEC)
            os.lseek(self._file, 0, os.SEEK_SET)
            pieces = []
            while piece := os.read(self._file, 1 << 16):
                pieces.append(piece)
        except OSError:
            self._points = ()
            return
        lines = (line.split(b" ") for line in b"".join(pieces).splitlines())
        self._points = tuple(os.fsdecode(_ESCAPED.sub(_sign, line[4])) for line in lines if len(line) > 4)


def _sign(escaped: re.Match[bytes]) -> bytes:
    return bytes([int(escaped[1], 8)])


_mounts = _Mounts()


def mounts_at(folder: str) -> list[str]:
    """The mount points at a folder and below it, as full paths without links."""
    global _mounts  # noqa: PLW0603 - one list for each process
    if _mounts.inherited:
        _mounts = _Mounts()
    name = os.path.basename(folder)  # noqa: PTH119 - here and below: once for each folder that a test leaves
    some = [point for point in _mounts.points() if name in point]
    if not some:
        return []
    whole = os.path.realpath(folder)
    return [point for point in some if point == whole or point.startswith(f"{whole}/")]
