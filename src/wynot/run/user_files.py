"""Files of the user that a program may write to: their state before it runs, and their content, to put it back.

A look at a file that did not change costs one `stat`. Its content is compared only if its times differ, and a file
whose content is the same counts as unchanged. Who changed a file cannot be seen: it may be the user, in an editor. So
the changed content is kept before the file is put back.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from stat import S_IMODE, S_ISREG

from wynot.errors import PlaceError
from wynot.run.journal import runs_folder
from wynot.run.output import PRIVATE, write_whole

MOST_BYTES = 256 << 20
"""Contents of all files together that are kept in memory; larger files are watched, but cannot be restored."""

MAX_SAVED = 100
"""Changed files that are kept; the oldest are removed."""

State = tuple[int, int, int, int, int]
"""Size, mode, inode, and the times of the last change, of the content and of the state: anybody can set the former."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A file as it was."""

    state: State
    data: bytes | None
    """None: too large to be kept."""
    times: tuple[int, int]
    """When it was read and written last."""
    owner: tuple[int, int]


class UserFiles:
    """Regular files, by their real paths; other paths are ignored."""

    def __init__(self, paths: Iterable[str | Path], room: int = MOST_BYTES) -> None:
        self._kept: dict[str, Kept] = {}
        self._absent: set[str] = set()
        self.saved: dict[str, str] = {}
        """Files that were put back, and where their changed content is."""
        for path in dict.fromkeys(os.path.realpath(path) for path in paths):
            room -= self._keep(path, room)

    def _keep(self, path: str, room: int) -> int:
        """Keep the file, if it is one; gives the bytes that this takes."""
        try:
            status = os.stat(path)  # noqa: PTH116 - the same call as for each later look
            if not S_ISREG(status.st_mode):
                return 0
            data = Path(path).read_bytes() if status.st_size <= room else None
        except FileNotFoundError:
            self._absent.add(path)
            return 0
        except OSError:  # what cannot be read cannot be compared
            return 0
        times, owner = (status.st_atime_ns, status.st_mtime_ns), (status.st_uid, status.st_gid)
        self._kept[path] = Kept(_state(status), data, times, owner)
        return len(data or b"")

    def __len__(self) -> int:
        return len(self._kept)

    def changed(self) -> list[str]:
        """The files that are no longer what they were, or are gone."""
        return [path for path, kept in self._kept.items() if self._differs(path, kept)]

    def _differs(self, path: str, kept: Kept) -> bool:
        """Whether the content differs, or the rights; the same bytes written again are no change."""
        try:
            state = _state(os.lstat(path))
            if state == kept.state:
                return False
            if kept.data is None:
                return state[:-1] != kept.state[:-1]
            if state[:2] != kept.state[:2] or Path(path).read_bytes() != kept.data:
                return True
        except OSError:
            return True
        self._kept[path] = replace(kept, state=state)
        return False

    def created(self) -> list[str]:
        """The paths that named nothing before, and name a regular file now."""
        return [path for path in self._absent if os.path.isfile(path) and not os.path.islink(path)]  # noqa: PTH113, PTH114

    def forget(self, paths: Iterable[str]) -> None:
        """Watch these no longer."""
        for path in paths:
            self._kept.pop(path, None)

    def restore(self) -> list[str]:
        """Put back what has changed; gives the files that could not be put back."""
        before = len(self.saved)
        lost = [path for path in self.changed() if not self._restored(path, self._kept[path])]
        if len(self.saved) > before:
            kept = sorted(_folder().iterdir(), key=lambda each: each.stat().st_mtime_ns)
            for old in kept[: -max(MAX_SAVED, len(self.saved))]:
                old.unlink(missing_ok=True)
        return lost

    @property
    def unkept(self) -> list[str]:
        """The files that are too large to be put back."""
        return [path for path, kept in self._kept.items() if kept.data is None]

    @property
    def kept_in(self) -> str:
        """Where the changed content is of what was put back: a file, or a folder if there are several; or nothing."""
        paths = list(self.saved.values())
        return str(_folder()) if len(paths) > 1 else "".join(paths)

    def _restored(self, path: str, kept: Kept) -> bool:
        """Write the content back into the same file where there is one, with the owner, rights and times it had."""
        if kept.data is None:
            return False
        mode = S_IMODE(kept.state[1])
        try:
            file = Path(path)
            if file.is_symlink():
                file.unlink()
            if file.exists():
                self._save(file, kept.data)
                file.chmod(mode | 0o200)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(kept.data)
            status = file.stat()
            if (status.st_uid, status.st_gid) != kept.owner:
                os.chown(path, *kept.owner)
            file.chmod(mode)
            os.utime(path, ns=kept.times)
        except (OSError, PlaceError):
            return False
        return True

    def _save(self, file: Path, before: bytes) -> None:
        """Keep the changed content, unless there is nothing in it."""
        data = file.read_bytes()
        if not data or data == before:
            return
        copy = _folder() / f"{blake2b(data, digest_size=4).hexdigest()}-{file.name}"
        write_whole(copy, data, PRIVATE)
        self.saved[str(file)] = str(copy)


def _folder() -> Path:
    """Where changed content is kept."""
    return runs_folder().parent / "changed"


def _state(status: os.stat_result) -> State:
    return status.st_size, status.st_mode, status.st_ino, status.st_mtime_ns, status.st_ctime_ns
