"""Work folders: one for each worker, in memory where there is room, and gone when the run is over."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from stat import S_ISLNK

from wynot.core.artifact import Laid, size
from wynot.core.folder import Folder
from wynot.errors import PlaceError
from wynot.run.folders import write_folder
from wynot.run.limits import MIB

LEAST_ROOM = 64 * MIB
_MEMORY = "/dev/shm"  # noqa: S108 - the folder made below has a random name and is private


def roomy(folder: str, size: int = 0) -> bool:
    """Whether programs can be written to and run from this folder, beside so many bytes."""
    try:
        state = os.statvfs(folder)
    except OSError:
        return False
    noexec = bool(state.f_flag & getattr(os, "ST_NOEXEC", 0))
    return not noexec and os.access(folder, os.W_OK) and state.f_bavail * state.f_frsize >= LEAST_ROOM + 2 * size


def make_root(size: int = 0) -> str:
    """A new private folder: below WYNOT_TMP if that is set, in memory where there is some, else a temporary one.

    There is room in memory if what is tested, of this size in all, takes up no more than half of it.
    """
    chosen = os.environ.get("WYNOT_TMP")
    parent = chosen or (_MEMORY if roomy(_MEMORY, size) else tempfile.gettempdir())
    try:
        return tempfile.mkdtemp(prefix="wynot-", dir=parent)
    except OSError as error:
        raise PlaceError(
            f"cannot make a work folder in {parent}: {error.strerror}",
            "name another place: WYNOT_TMP=/some/folder wynot ...",
        ) from error


class Place:
    """A worker's own two folders: where the test runs, and where its temporary files go."""

    def __init__(self, root: str, number: int) -> None:
        self.work = str(Path(root, f"w{number:03}"))
        self.temp = str(Path(root, f"t{number:03}"))
        for folder in (self.work, self.temp):
            Path(folder).mkdir()

    def lay(self, files: tuple[tuple[str, Laid], ...]) -> None:
        """Write these files and folders into the work folder, which holds nothing else."""
        self.clean()
        try:
            for name, data in files:
                self._write(name, data)
        except PermissionError:  # the last test locked its folder behind it
            renew(self.work)
            for name, data in files:
                self._write(name, data)

    def _write(self, name: str, data: Laid) -> None:
        try:
            if isinstance(data, Folder):
                write_folder(data, f"{self.work}/{name}")
                return
            with open(f"{self.work}/{name}", "wb") as file:  # noqa: PTH123 - a third of the time
                file.write(data)
        except PermissionError:
            raise
        except OSError as error:
            raise place_error(data, self.work, error) from error

    def reads(self, _name: str) -> frozenset[str]:
        """The files of a folder that were read since it was laid out; nothing where folders do not last."""
        return frozenset()

    def keep(self) -> None:
        """What the last run has made may stay; where nothing lasts, it does not."""

    def afresh(self) -> None:
        """The next test finds nothing of the ones before it; where nothing lasts, it never does."""

    def clean(self) -> None:
        """Remove whatever the last test left."""
        for folder in (self.work, self.temp):
            try:
                if S_ISLNK(os.lstat(folder).st_mode):
                    renew(folder)
                with os.scandir(folder) as entries:
                    for entry in entries:
                        if entry.is_dir(follow_symlinks=False):
                            remove_root(entry.path)
                        else:
                            os.unlink(entry.path)  # noqa: PTH108 - once a test
            except OSError:
                renew(folder)


def place_error(data: Laid, folder: str, error: OSError) -> PlaceError:
    """What to say when a candidate cannot be laid out."""
    return PlaceError(
        f"cannot write a candidate of {size(data)} bytes to {folder}: {error.strerror}",
        "make room there, or name another place: WYNOT_TMP=/some/folder wynot ...",
    )


def renew(folder: str) -> None:
    """Make a folder anew, whatever a test has made of it."""
    try:
        path = Path(folder)
        if path.is_symlink() or path.is_file():
            path.unlink()
        remove_root(folder)
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise PlaceError(
            f"cannot clean the work folder {folder}: {error.strerror}",
            "look what the test does there, or name another place: WYNOT_TMP=/some/folder wynot ...",
        ) from error


def remove_root(root: str) -> None:
    """Remove a folder with all that is in it, also what was made read-only."""
    with contextlib.suppress(FileNotFoundError):
        try:
            shutil.rmtree(root)
        except OSError:
            Path(root).chmod(0o700)
            for folder, names, _ in os.walk(root):
                for name in names:
                    if not Path(folder, name).is_symlink():
                        Path(folder, name).chmod(0o700)
            shutil.rmtree(root, ignore_errors=True)
