"""Writing results: whole or not at all, and kept up to date while the search goes on."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from wynot.core.artifact import AnyContent, Content, size
from wynot.core.outcome import FAIL
from wynot.core.run_events import Improved, Listener
from wynot.core.text import pasted
from wynot.errors import PlaceError

if TYPE_CHECKING:  # a reduction begins without it
    from wynot.engine.baseline.result_checks import Claim
    from wynot.engine.session import Session

PRIVATE, PRIVATE_PROGRAM, PRIVATE_FOLDER = 0o600, 0o700, 0o700
"""Modes of what holds values of variables, paths or inputs of the user."""

_written: set[str] = set()
"""What this process has written, by its real path."""


def written_here(path: str) -> bool:
    """Whether this process has written a file, or the folder that it is in: then no test has changed it.

    The path is a real one.
    """
    return any(path == own or path.startswith(f"{own}/") for own in _written)


def mode_of_result(source: Path) -> int | None:
    """The mode of what is made of a file that not everybody may read; None: as any new file."""
    mode = source.stat().st_mode
    return None if mode & stat.S_IROTH or not stat.S_ISREG(mode) else mode & 0o666 | PRIVATE


def note_written(path: Path) -> None:
    """Remember that this process writes here."""
    _written.add(os.path.realpath(path))


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file so that nobody ever sees half of it; with a `mode`, nobody else ever sees it.

    Folders on the way are made with the rights that the file has. Without a mode, it is as any new file.
    """
    try:
        make_folder(path.parent, private=mode is not None)
        fd, name = tempfile.mkstemp(prefix=".wynot-", dir=path.parent)
        try:
            with open(fd, "wb") as file:  # noqa: PTH123 - an open file descriptor
                file.write(data)
            Path(name).chmod(0o666 & ~_umask() if mode is None else mode)
            note_written(path)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _closed(path, error.strerror) from error


def make_folder(path: Path, *, private: bool) -> None:
    """Make a folder and those above it, unless they are there."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(PRIVATE_FOLDER if private else 0o777, exist_ok=True)


def check_writable(path: Path) -> None:
    """See before the first test that something can be written there."""
    folder = next(each for each in path.absolute().parents if os.path.isdir(each))  # noqa: PTH112 - it never raises
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _closed(path, os.strerror(errno.EACCES))


def _closed(path: Path, why: str | None) -> PlaceError:
    return PlaceError(f"cannot write {path}: {why}", f"name another place: -o {pasted(f'/some/folder/{path.name}')}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def numbered(path: Path, number: int) -> Path:
    """Where a cause is written: the first to bug.reduced.c, the second to bug.reduced.2.c, and so on."""
    return path if number == 1 else path.with_name(f"{path.stem}.{number}{path.suffix}")


class FileKeeper:
    """Keeps a file up to date with the best so far, at most every half second."""

    def __init__(self, path: Path | None, pause: float = 0.5, mode: int | None = None) -> None:
        self.path, self._pause, self._mode = path, pause, mode
        self._next = 0.0
        self._written: bytes | None = None

    @property
    def due(self) -> bool:
        """Whether something would be written if it were offered now."""
        return self.path is not None and time.monotonic() >= self._next

    def offer(self, data: bytes) -> None:
        """Write it, unless that was done a moment ago. A full disk matters only in the end."""
        if self.due:
            with contextlib.suppress(PlaceError):
                self.put(data)

    def withdraw(self) -> None:
        """Remove what was written: it is no result."""
        if self.path is not None and self._written is not None:
            self.path.unlink(missing_ok=True)
            self._written = None

    def put(self, data: bytes) -> None:
        """Write it now."""
        if self.path is not None and data != self._written:
            from wynot.engine.files.file_states import note_ours  # noqa: PLC0415 - needs the journal, which needs this

            write_whole(self.path, data, self._mode)
            note_ours(self.path)
            self._written = data
        self._next = time.monotonic() + self._pause


class NoKeeper:
    """Keeps nothing: the caller takes the result."""

    def offer(self, data: object) -> None:
        """Let it be."""

    def put(self, data: object) -> None:
        """Let it be."""

    def withdraw(self) -> None:
        """There is nothing to remove."""


# The simplest failing artifact so far, and where it is kept.


Kept_contra = TypeVar("Kept_contra", bound=Content, contravariant=True)


class Keeper(Protocol[Kept_contra]):
    """Whoever keeps the best so far where it is not lost."""

    def offer(self, data: Kept_contra) -> None:
        """Keep it, unless that was done a moment ago."""
        ...

    def put(self, data: Kept_contra) -> None:
        """Keep it now."""
        ...

    def withdraw(self) -> None:
        """Keep nothing: there is no result."""
        ...


class BestSoFar(Generic[AnyContent]):
    """The simplest failing artifact so far."""

    def __init__(self, content: AnyContent, keeper: Keeper[AnyContent], listener: Listener) -> None:
        self.content, self.keeper, self.listener = content, keeper, listener
        self.trail: list[Callable[[], AnyContent]] = []
        """What was best in this search so far, where the failure shows only sometimes."""
        self.watch: Callable[[AnyContent], None] | None = None
        """Is given each simpler one."""

    def look_again(self, session: Session) -> None:
        """The search ended early: what it found since the last second look gets one now."""
        if self.trail:
            from wynot.engine.baseline.result_checks import last_confirmed  # noqa: PLC0415 - where failures show only sometimes

            self.keeper.put(self.content)  # whatever comes
            self.content = self.trail[last_confirmed(session, [partial(_claim, step) for step in self.trail])]()

    def improve(self, content: AnyContent) -> None:
        """A simpler one."""
        self.content = content
        if self.watch is not None:
            self.watch(content)
        self.keeper.offer(content)
        self.listener(Improved(size(content), lambda: content))


def _claim(candidate: Callable[[], Content]) -> list[Claim]:
    return [(candidate(), FAIL)]
