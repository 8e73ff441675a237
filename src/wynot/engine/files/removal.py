"""Remove work folders without crossing a mount point."""

from __future__ import annotations

import os
import re
import select
import stat
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from wynot.core.text import pasted

# Mount points: where another file system, or another folder of the same one, is attached to a folder.
#
# Nothing may be removed across a mount point: what is there belongs to somebody else. The number of the file system
# tells most of them, but not a bind mount of a folder of the same file system; on Linux the kernel lists them all.


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


# Remove a folder with all that is in it: to any depth, also what was made read-only, but nothing across a mount point.
#
# Links are removed and never followed. The way back from a folder is checked, so that nobody who moves a folder
# meanwhile can lead the removal elsewhere. Two file descriptors are open at a time, however deep the folder is.


_TRIES = 3
"""Passes over a folder to which something may still be added: a process that dies goes on writing for a moment."""
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_ALL = 0o700


class Leftover(NamedTuple):
    """Something that was not removed."""

    path: str
    why: str
    mounted: bool = False
    """Whether it is a mount point: it was not touched."""

    def text(self) -> str:
        """The problem and what to type, for a message."""
        if self.mounted:
            return f"{self.path} is a mount point: it was left with all that is in it (umount {pasted(self.path)})"
        return f"{self.path} cannot be removed: {self.why}"


def remove_tree(path: str) -> list[Leftover]:
    """Remove a folder; gives what was left, nothing where the folder is gone."""
    left: list[Leftover] = []
    for _ in range(_TRIES):
        left = _Removal(path).run()
        if all(each.mounted for each in left):
            break
    return left


@dataclass(slots=True)
class _Level:
    """A folder on the way from the root to where the removal is."""

    name: str
    identity: tuple[int, int]
    below: list[str]
    """Names of the folders in it that are still there."""
    kept: bool = False
    """Whether something in it was left."""


class _Removal:
    """One pass over a folder."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._left: list[Leftover] = []
        self._levels: list[_Level] = []
        self._mounts = set(mounts_at(path))
        self._whole = os.path.realpath(path) if self._mounts else path
        self._device = -1
        self._here = -1
        """The folder where the removal is."""

    def run(self) -> list[Leftover]:
        """Remove what can be removed."""
        if self._whole in self._mounts:
            return [Leftover(self._path, "", mounted=True)]
        try:
            self._here = _opened(self._path, None)
            self._walk()
            if not self._left:
                os.rmdir(self._path)  # noqa: PTH106 - as all else here, by the names the system has
        except FileNotFoundError:
            return []
        except OSError as error:
            self._keep(self._path, error)
        finally:
            if self._here >= 0:
                os.close(self._here)
        return self._left

    def _walk(self) -> None:
        """From the root to the root."""
        state = os.fstat(self._here)
        self._device = state.st_dev
        self._levels = [_Level(self._path, _identity(state), [])]
        self._empty()
        while True:
            level = self._levels[-1]
            if level.below:
                self._down(level.below.pop())
            elif len(self._levels) == 1:
                return
            else:
                self._up()

    def _down(self, name: str) -> None:
        """Into a folder, unless it is a mount point."""
        if self._mounted(name):
            self._leave(name)
            return
        try:
            below = _opened(name, self._here, self._device)
        except FileNotFoundError:
            return
        except OSError as error:
            self._keep(self._at(name), error)
            return
        state = os.fstat(below)
        if state.st_dev != self._device:
            os.close(below)
            self._leave(name)
            return
        self._go(below)
        self._levels.append(_Level(name, _identity(state), []))
        self._empty()

    def _up(self) -> None:
        """Back to the folder above, and remove the one that was left."""
        level = self._levels.pop()
        self._go(os.open("..", _DIRECTORY, dir_fd=self._here))
        if _identity(os.fstat(self._here)) != self._levels[-1].identity:
            raise OSError(0, "somebody moved it while it was removed")
        if level.kept:
            self._levels[-1].kept = True
            return
        try:
            os.rmdir(level.name, dir_fd=self._here)
        except OSError as error:
            self._keep(self._at(level.name), error)

    def _go(self, there: int) -> None:
        here, self._here = self._here, there
        os.close(here)

    def _empty(self) -> None:
        """Remove all from a folder but the folders in it."""
        level = self._levels[-1]
        with os.scandir(self._here) as found:
            entries = list(found)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                level.below.append(entry.name)
                continue
            try:
                os.unlink(entry.name, dir_fd=self._here)
            except FileNotFoundError:
                continue
            except OSError as error:
                if self._mounted(entry.name):
                    self._leave(entry.name)
                else:
                    self._keep(self._at(entry.name), error)

    def _mounted(self, name: str) -> bool:
        return bool(self._mounts) and self._at(name, whole=True) in self._mounts

    def _leave(self, name: str) -> None:
        """Do not touch a mount point."""
        self._left.append(Leftover(self._at(name), "", mounted=True))
        self._levels[-1].kept = True

    def _keep(self, path: str, error: OSError) -> None:
        """This could not be removed."""
        self._left.append(Leftover(path, error.strerror or str(error)))
        if self._levels:
            self._levels[-1].kept = True

    def _at(self, name: str, *, whole: bool = False) -> str:
        above = [level.name for level in self._levels[1:]]
        return "/".join([self._whole if whole else self._path, *above, name])


def _opened(name: str, above: int | None, device: int | None = None) -> int:
    """A folder that can be read and emptied; one of another file system than `device` keeps its mode."""
    try:
        here = os.open(name, _DIRECTORY, dir_fd=above)
    except PermissionError:
        state = os.stat(name, dir_fd=above, follow_symlinks=False)
        if not stat.S_ISDIR(state.st_mode) or device not in {None, state.st_dev}:
            raise
        os.chmod(name, _ALL, dir_fd=above)
        here = os.open(name, _DIRECTORY, dir_fd=above)
    state = os.fstat(here)
    if state.st_mode & _ALL != _ALL and device in {None, state.st_dev}:
        with suppress(OSError):
            os.fchmod(here, _ALL)
    return here


def _identity(state: os.stat_result) -> tuple[int, int]:
    return state.st_dev, state.st_ino
