"""Work folders: one for each worker, in memory where there is room, and gone when the run is over."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from wynot.errors import PlaceError
from wynot.run.limits import MIB

LEAST_ROOM = 64 * MIB
_MEMORY = "/dev/shm"  # noqa: S108 - the folder made below has a random name and is private


def roomy(folder: str) -> bool:
    """Whether programs can be written to and run from this folder."""
    try:
        state = os.statvfs(folder)
    except OSError:
        return False
    noexec = bool(state.f_flag & getattr(os, "ST_NOEXEC", 0))
    return not noexec and os.access(folder, os.W_OK) and state.f_bavail * state.f_frsize >= LEAST_ROOM


def make_root() -> str:
    """A new private folder: below WYNOT_TMP if that is set, in memory where there is some, else a temporary one."""
    chosen = os.environ.get("WYNOT_TMP")
    parent = chosen or (_MEMORY if roomy(_MEMORY) else tempfile.gettempdir())
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

    def lay(self, files: tuple[tuple[str, bytes], ...]) -> None:
        """Write these files into the work folder, which holds nothing else."""
        self.clean()
        for name, data in files:
            try:
                with open(f"{self.work}/{name}", "wb", buffering=0) as file:  # noqa: PTH123 - a third of the time
                    file.write(data)
            except OSError as error:
                raise PlaceError(
                    f"cannot write a candidate of {len(data)} bytes to {self.work}: {error.strerror}",
                    "make room there, or name another place: WYNOT_TMP=/some/folder wynot ...",
                ) from error

    def clean(self) -> None:
        """Remove whatever the last test left."""
        for folder in (self.work, self.temp):
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        _remove(entry)
            except FileNotFoundError:  # the test removed its own folder
                Path(folder).mkdir(exist_ok=True)


def _remove(entry: os.DirEntry[str]) -> None:
    try:
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, onerror=_force)
        else:
            os.unlink(entry.path)  # noqa: PTH108 - once a test
    except FileNotFoundError:
        pass


def _force(_function: object, path: str, _error: object) -> None:
    """Make a folder that a test has locked writable, and remove it."""
    try:
        Path(path).parent.chmod(0o700)
        Path(path).chmod(0o700)
        shutil.rmtree(path) if Path(path).is_dir() else Path(path).unlink()
    except OSError:
        return


def remove_root(root: str) -> None:
    """Remove all work folders of a run."""
    shutil.rmtree(root, onerror=_force)
