"""Folders as results: whole or not at all, and kept up to date while the search goes on.

A folder is written beside its place and put there in one step, so nobody sees half of it. What stood there before goes,
so it must be known that wynot wrote it, and nobody else changed it: a small record beside the journals says what was
written where.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import tempfile
import time
from pathlib import Path

from wynot.core.artifact import digest
from wynot.core.folder import Folder
from wynot.core.text import pasted
from wynot.engine.executors.sandbox import remove_entry, remove_root
from wynot.engine.files.folder_io import read_folder, real_path, write_folder
from wynot.engine.files.output_file import PRIVATE, note_written, write_whole
from wynot.engine.journal import runs_folder
from wynot.errors import PlaceError, UsageError

_EXCHANGE = 2  # renameat2's RENAME_EXCHANGE
_HERE = -100  # AT_FDCWD
REST = 10
"""Writing may take one part in so many of the time."""


def other_place(source: Path) -> str:
    """What to type for another place."""
    return f"name another folder: -o {pasted(source.absolute().parent / (source.absolute().name[:40] + '.reduced'))}"


def check_place(path: Path, source: Path | None) -> None:
    """See that a result may be written there: never into the original, never over what is not wynot's."""
    if source is not None:
        whole, place = real_path(source), real_path(path)
        if place == whole:
            raise UsageError("the original is never overwritten", other_place(source))
        if place.is_relative_to(whole) or whole.is_relative_to(place):
            inside = f"{path} is inside of {source}" if place.is_relative_to(whole) else f"{source} is inside of {path}"
            raise UsageError(f"{inside}: the original is never touched", other_place(source))
    try:
        _check_free(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}", "name another folder: -o small") from None


def _check_free(path: Path) -> None:
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent}: no such folder", f"make it: mkdir -p {pasted(path.parent)}")
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        what = "link" if path.is_symlink() else "file"
        raise UsageError(
            f"{path} is a {what}; the result is a folder", f"name a folder: -o {pasted(f'{path.name[:40]}.d')}"
        )
    if path.exists() and any(path.iterdir()) and not FolderKeeper(path).own():
        raise UsageError(
            f"{path} exists, and it is not as wynot wrote it",
            f"name another folder with -o, or remove it: rm -r {pasted(path)}",
        )


class FolderKeeper:
    """Keeps a folder up to date with the best so far, seldom enough to cost little."""

    def __init__(self, path: Path, pause: float = 0.5) -> None:
        self.path, self._pause = path.absolute(), pause
        self._record = runs_folder().parent / "outputs" / f"{digest(os.fsencode(self.path)).hex()[:16]}.json"
        self._next = 0.0
        self._written: Folder | None = None
        self._keys = self._recorded("written")

    def own(self) -> bool:
        """Whether what stands there is what was written last, as far as is known."""
        try:
            return read_folder(self.path).digest().hex() in self._keys
        except UsageError:
            return False

    def record(self) -> None:
        """Note that what stands there now is a result: the same command may replace it."""
        self._keys = [read_folder(self.path).digest().hex()]
        self._note("")

    def empty(self) -> None:
        """Remove what was written last, if nothing else stands there."""
        if self.path.is_dir() and self.own():
            with os.scandir(self.path) as entries:
                for entry in entries:
                    remove_entry(entry)

    def clear(self) -> None:
        """Remove what a run that was killed while it wrote has left beside the place."""
        for name in self._recorded("beside"):
            if name.startswith(_beside(self.path)) and "/" not in name:
                remove_root(str(self.path.parent / name))

    def offer(self, data: Folder) -> None:
        """Write it, unless that was done a moment ago. A full disk matters only in the end."""
        if time.monotonic() >= self._next:
            with contextlib.suppress(PlaceError):
                self.put(data)

    def put(self, data: Folder) -> None:
        """Write it now."""
        begun = time.monotonic()
        if data != self._written:
            try:
                self._write(data)
            except OSError as error:
                raise PlaceError(
                    f"cannot write {self.path}: {error.strerror}",
                    f"name another place: -o {pasted(f'/some/folder/{self.path.name}')}",
                ) from error
            self._written = data
        self._next = time.monotonic() + max(self._pause, REST * (time.monotonic() - begun))

    def withdraw(self) -> None:
        """Remove what was written: it is no result."""
        if self._written is not None:
            remove_root(os.fspath(self.path))
            self._written = None

    def _write(self, data: Folder) -> None:
        beside = tempfile.mkdtemp(prefix=_beside(self.path), dir=self.path.parent)
        try:
            key, new = data.digest().hex(), f"{beside}/new"
            self._note(Path(beside).name, key)
            note_written(self.path)
            write_folder(data, new)
            _put_in_place(new, str(self.path))
            self._keys = [key]
        finally:
            remove_root(beside)

    def _note(self, beside: str, *keys: str) -> None:
        """Say what will stand there, before it does: whenever we are killed, it is known to be ours."""
        with contextlib.suppress(PlaceError):
            note = {"path": os.fspath(self.path), "written": [*self._keys, *keys], "beside": [beside]}
            write_whole(self._record, json.dumps(note).encode(), PRIVATE)

    def _recorded(self, what: str) -> list[str]:
        try:
            return [str(each) for each in json.loads(self._record.read_bytes())[what]]
        except (OSError, ValueError, KeyError, TypeError):
            return []


def _beside(path: Path) -> str:
    return f".{path.name[:100]}.wynot-"


def _put_in_place(new: str, path: str) -> None:
    """Put a folder where another one may be; that one is then where the new one was, or gone."""
    try:
        os.rename(new, path)  # noqa: PTH104 - succeeds where there is nothing, or an empty folder
    except OSError:
        if not _exchanged(new, path):
            os.rename(path, f"{new}.old")  # noqa: PTH104
            os.rename(new, path)  # noqa: PTH104


def _exchanged(one: str, other: str) -> bool:
    """Let two folders change places in one step, where the system can do that."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    if rename is None:
        return False
    return bool(rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)
