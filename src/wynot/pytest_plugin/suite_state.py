"""The state in which a test suite starts (environment, folder, files), and what it leaves behind."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wynot.core.call import Variable
from wynot.core.folder import Folder
from wynot.engine.files.folder_io import read_folder, walk
from wynot.errors import UsageError

# What a suite started with: environment, umask, import path, signals, limits. Fresh processes start with the same.
#
# A suite may have changed them; fresh processes are to start with what the suite started with.


_LIMITS = tuple(getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_"))


@dataclass(frozen=True, slots=True)
class InheritedState:
    """As it was at one moment."""

    handlers: dict[int, Any]
    """Of each signal; a program that is started has only those that are ignored."""
    blocked: frozenset[int]
    limits: dict[int, tuple[int, int]]

    @classmethod
    def now(cls) -> InheritedState:
        """As it is in this thread."""
        handlers = {int(number): signal.getsignal(number) for number in signal.valid_signals()}
        blocked = frozenset(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ())))
        limits = {}
        for kind in _LIMITS:
            with contextlib.suppress(ValueError, OSError):
                limits[kind] = resource.getrlimit(kind)
        return cls(handlers, blocked, limits)

    @contextlib.contextmanager
    def restored(self) -> Iterator[None]:
        """Put back what it was, as far as that is allowed, and in the end what it is now."""
        now = InheritedState.now()
        _change(now, self)
        try:
            yield
        finally:
            _change(self, now)


def _change(now: InheritedState, to: InheritedState) -> None:
    """From what it is to what it is to be."""
    for number, handler in to.handlers.items():
        old = now.handlers.get(number)
        if None not in {old, handler} and (old is signal.SIG_IGN) != (handler is signal.SIG_IGN):
            with contextlib.suppress(ValueError, OSError):  # another thread, or a signal that cannot be caught
                signal.signal(number, handler)
    if to.blocked != now.blocked:
        signal.pthread_sigmask(signal.SIG_SETMASK, to.blocked)
    for kind, (soft, hard) in to.limits.items():
        if now.limits.get(kind, (soft, hard)) != (soft, hard):
            with contextlib.suppress(ValueError, OSError):  # only the soft limit can be raised again
                resource.setrlimit(kind, (_least(soft, now.limits[kind][1]), now.limits[kind][1]))


def _least(soft: int, hard: int) -> int:
    """A soft limit that a hard one allows."""
    if hard == resource.RLIM_INFINITY:
        return soft
    return hard if soft == resource.RLIM_INFINITY else min(soft, hard)


@dataclass(frozen=True, slots=True)
class SuiteProcess:
    """What a process inherits."""

    environment: Mapping[str, str]
    umask: int
    imports: tuple[str, ...]
    """The import path."""

    @classmethod
    def now(cls) -> SuiteProcess:
        """As this process is."""
        umask = os.umask(0o77)
        os.umask(umask)
        return cls(dict(os.environ), umask, tuple(sys.path))

    def changes(self) -> tuple[Variable, ...]:
        """The variables that differ by now, with the values they had."""
        names = sorted({*self.environment, *os.environ})
        pairs = ((name, self.environment.get(name)) for name in names)
        return tuple(Variable(name, was) for name, was in pairs if os.environ.get(name) != was)


STARTED = SuiteProcess.now()
"""When the plugin was loaded: before any conftest.py and any test."""


# The files of a project when its suite started, and what the suite left on disk.
#
# A fresh process has to find the files as they were, not those that the suite left: else a test fails alone because of
# a file that an earlier test wrote.


MAX_BYTES = 256 << 20
MAX_FILES = 20_000
"""A larger project is not copied: each worker has a copy of its own, in memory where there is room."""
LARGE = "the project is too large to be copied"
SKIPPED = frozenset(
    (
        ".git", ".hg", ".svn", ".venv", "venv", "node_modules", ".tox", ".nox", "__pycache__", ".pytest_cache",
        ".mypy_cache", ".ruff_cache",
    )
)  # fmt: skip
"""Folders that are not copied: caches, installed programs, history."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_SYSTEM = ("/dev/", "/proc/", "/sys/")
_State = tuple[int, int, int]
"""What tells that a file is as it was: size, time and number."""


@dataclass(slots=True)
class SuiteFiles:
    """The files of a project when its suite started."""

    root: Path
    copy: Folder | None
    """All of them; None where there is no copy..."""
    why: str = ""
    """...and why."""
    states: Mapping[str, _State] = field(default_factory=dict)
    new: tuple[str, ...] = ()
    """What the suite left: files of the project that were not there, ..."""
    changed: tuple[str, ...] = ()
    """...and files that are not as they were, or are gone (of a large project: those that the suite has written)."""
    written: set[str] = field(default_factory=set)
    """All files that the suite's processes have opened for writing."""
    _closed: bool = False

    @classmethod
    def now(cls, root: Path) -> SuiteFiles:
        """As it is; from now on it is recorded what this process writes."""
        states: dict[str, _State] = {}
        total = 0
        for path, state in _files(str(root)):
            states[path] = _state(state)
            total += state.st_size
            if len(states) > MAX_FILES or total > MAX_BYTES:
                disk = cls(root, None, LARGE)
                break
        else:
            disk = cls._read(root, states)
        sys.addaudithook(disk.opened)
        return disk

    @classmethod
    def _read(cls, root: Path, states: Mapping[str, _State]) -> SuiteFiles:
        try:
            return cls(root, read_folder(root, SKIPPED), "", states)
        except (UsageError, OSError) as error:
            return cls(root, None, f"the project cannot be copied: {error}", states)

    def opened(self, event: str, args: tuple[object, ...]) -> None:
        """An audit hook: keep what is opened for writing. It must not raise: the suite's own call would fail."""
        if self._closed:
            return
        match event, args:
            case "open", (path, mode, flags):
                writes = any(sign in mode for sign in "wax+") if isinstance(mode, str) else False
                writes = writes or (isinstance(flags, int) and bool(flags & _WRITING))
            case "sqlite3.connect", (path, *_):
                writes = True
            case _:  # a program may raise these events itself, with other arguments
                return
        if writes and isinstance(path, str | bytes | os.PathLike):
            with suppress(Exception):  # the working folder may be gone, or a path object may raise
                self.written.add(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100 - each time a file is opened

    def close(self) -> None:
        """The suite has ended: see what it left on disk."""
        self._closed = True
        inside = f"{self.root}/"
        if self.why == LARGE:
            own = (path.removeprefix(inside) for path in self._there() if path.startswith(inside))
            self.changed = tuple(path for path in own if not SKIPPED.intersection(path.split("/")))
            return
        now = {path: _state(state) for path, state in _files(str(self.root))}
        self.new = tuple(sorted(path for path in now if path not in self.states and not _of_tools(path)))
        touched = [path for path, state in self.states.items() if now.get(path) != state and not _of_tools(path)]
        self.changed = tuple(sorted(path for path in touched if not self._same(path)))

    def _same(self, path: str) -> bool:
        """Whether a file that was written again has the content that it had."""
        before = self.copy.entries.get(path) if self.copy is not None else None
        try:
            return before is not None and (self.root / path).read_bytes() == before.data
        except OSError:
            return False

    def outside(self) -> tuple[str, ...]:
        """The files outside of the project that the suite has written and that are there."""
        temporary, private = f"{os.path.realpath(tempfile.gettempdir())}/", (*_SYSTEM, f"{self.root}/")
        found = (path for path in self._there() if not path.startswith(private))
        return tuple(path for path in found if not (path.startswith(temporary) and "/pytest-of-" in path))

    def _there(self) -> list[str]:
        return sorted(path for path in self.written if "__pycache__" not in path and os.path.isfile(path))  # noqa: PTH113


def _of_tools(path: str) -> bool:
    """Whether pytest's plugins write it for themselves."""
    return path.startswith((".hypothesis/", ".coverage"))


def _files(root: str) -> Iterable[tuple[str, os.stat_result]]:
    """The files and links of a project, by their paths in it."""
    for folder, names, files in walk(root):
        names[:] = [name for name in names if name not in SKIPPED]
        for name in files:
            path = os.path.join(folder, name)  # noqa: PTH118
            try:
                yield os.path.relpath(path, root), os.lstat(path)
            except OSError:
                continue


def _state(state: os.stat_result) -> _State:
    return state.st_size, state.st_mtime_ns, state.st_ino


# Where the suite's own process, or one that it has started, still listens when the suite has ended.
#
# A fresh process cannot listen there, so a test fails in it alone that would pass if it were run first.


_LISTENS = "0A"
"""The state of a TCP socket that listens, in /proc/net/tcp."""


def listening() -> frozenset[str]:
    """The TCP ports and the named UNIX sockets; nothing where there is no /proc."""
    sockets = {inode for process in _family() for inode in _sockets(process)}
    return frozenset(name for inode, name in _named() if inode in sockets)


def _family() -> list[int]:
    """This process, and all below it."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            parents[int(path.parent.name)] = int(path.read_text(errors="replace").rpartition(")")[2].split()[1])
    found = [os.getpid()]
    for each in found:
        found += [process for process, parent in parents.items() if parent == each]
    return found


def _sockets(process: int) -> Iterator[str]:
    """The inodes of the sockets that a process has open."""
    with contextlib.suppress(OSError):
        for path in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(OSError):
                found = re.fullmatch(r"socket:\[(\d+)\]", str(path.readlink()))
                if found:
                    yield found[1]


def _named() -> Iterator[tuple[str, str]]:
    """The inodes of sockets that listen, and where."""
    for table in ("tcp", "tcp6"):
        for row in _rows(table):
            if len(row) > 9 and row[3] == _LISTENS:
                yield row[9], f"port {int(row[1].rpartition(':')[2], 16)}"
    for row in _rows("unix"):
        if len(row) > 7 and int(row[3], 16) & 0x10000:
            yield row[6], row[7]


def _rows(table: str) -> list[list[str]]:
    with contextlib.suppress(OSError):
        return [line.split() for line in Path(f"/proc/net/{table}").read_text(errors="replace").splitlines()[1:]]
    return []
