"""The states of files: user files that a program may write to, and output of an earlier run."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from stat import S_IMODE, S_ISLNK, S_ISREG
from typing import IO

from wynot.core.run_events import Listener, Note
from wynot.engine.files.output_file import PRIVATE, make_folder, write_whole
from wynot.engine.journal import runs_folder
from wynot.errors import PlaceError

# Files of the user that a program may write to: their state before it runs, and their content, to put it back.
#
# A look at a file that did not change costs one `stat`. Its content is compared only if its times differ, and a file
# whose content is the same counts as unchanged. Who changed a file cannot be seen: it may be the user, in an editor. So
# the changed content is kept before the file is put back.
#
# While a command runs for the first time, and may change anything that it names, the contents are on disk as well
# (`on_disk`): should this process be killed, its guardian puts them back (`restore_after`). If both were killed, the
# next start reports what has changed and where the content before is (`changed_by_killed`): the user may have edited it
# since.


MOST_BYTES = 256 << 20
"""Contents of all files together that are kept in memory; larger files are watched, but cannot be restored."""

MAX_SAVED = 100
"""Changed files that are kept; the oldest are removed."""

State = tuple[int, int, int, int, int]
"""Size, mode, inode, and the times of the last change, of the content and of the state: anybody can set the former."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file or a link as it was."""

    state: State
    data: bytes | None
    """Of a link, the path that it has; None: too large to be kept."""
    times: tuple[int, int]
    """When it was read and written last."""
    owner: tuple[int, int]

    @property
    def link(self) -> bool:
        """Whether it is a symbolic link."""
        return S_ISLNK(self.state[1])


class UserFiles:
    """Regular files, by their real paths, and the links that lead to them; other paths are ignored."""

    def __init__(self, paths: Iterable[str | Path], room: int = MOST_BYTES) -> None:
        self._kept: dict[str, FileState] = {}
        self._absent: set[str] = set()
        self.saved: dict[str, str] = {}
        """Files that were put back, and where their changed content is."""
        self._room = room
        self.add(paths)

    def add(self, paths: Iterable[str | Path]) -> None:
        """Keep these, too, as they are now."""
        for path in dict.fromkeys(each for given in paths for each in _and_link(given)):
            if path not in self._kept:
                self._room -= self._keep(path, self._room)

    def _keep(self, path: str, room: int) -> int:
        """Keep the file, if it is one; gives the bytes that this takes."""
        try:
            status = os.lstat(path)
            if not S_ISREG(status.st_mode) and not S_ISLNK(status.st_mode):
                return 0
            data = _content(path, status) if status.st_size <= room else None
        except FileNotFoundError:
            self._absent.add(path)
            return 0
        except OSError:  # what cannot be read cannot be compared
            return 0
        times, owner = (status.st_atime_ns, status.st_mtime_ns), (status.st_uid, status.st_gid)
        self._kept[path] = FileState(_state(status), data, times, owner)
        return len(data or b"")

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def paths(self) -> list[str]:
        """The files that are watched."""
        return list(self._kept)

    def changed(self) -> list[str]:
        """The files that are no longer what they were, or are gone."""
        return [path for path, kept in self._kept.items() if self._differs(path, kept)]

    def written(self) -> list[str]:
        """The files that something has written to, or set the rights or times of; the same bytes, too."""
        return [path for path, kept in self._kept.items() if _state_at(path) != kept.state]

    def appended(self, path: str) -> bool:
        """Whether a file has grown, and still begins with what it held."""
        before = self._kept[path].data
        try:
            data = Path(path).read_bytes()
        except OSError:
            return False
        return before is not None and len(data) > len(before) and data.startswith(before)

    def take(self, paths: Iterable[str]) -> UserFiles:
        """Only these, as they were; they are no longer watched here."""
        taken = UserFiles(())
        taken._kept = {path: self._kept.pop(path) for path in paths}
        return taken

    def _differs(self, path: str, kept: FileState) -> bool:
        """Whether the content differs, or the rights; the same bytes written again are no change."""
        try:
            status = os.lstat(path)
            state = _state(status)
            if state == kept.state:
                return False
            if kept.data is None:
                return state[:-1] != kept.state[:-1]
            if state[:2] != kept.state[:2] or _content(path, status) != kept.data:
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
        """Put back what has changed, and the times of what was only written again; gives what could not be put back."""
        before = len(self.saved)
        lost = [path for path in self.changed() if not self._restored(path, self._kept[path])]
        for path, kept in self._kept.items():
            if kept.state[3] != kept.times[1]:
                with suppress(OSError):
                    os.utime(path, ns=kept.times, follow_symlinks=False)
        if len(self.saved) > before:
            saved = sorted(_folder().iterdir(), key=lambda each: each.stat().st_mtime_ns)
            for old in saved[: -max(MAX_SAVED, len(self.saved))]:
                old.unlink(missing_ok=True)
        return lost

    @contextmanager
    def on_disk(self) -> Iterator[None]:
        """Meanwhile all is on disk as well; in the end, what has changed is put back in any case.

        Where it cannot be written, it is only in memory.
        """
        pack = self._packed()
        try:
            yield
        finally:
            self.restore()
            if pack is not None:
                Path(pack.name).unlink(missing_ok=True)
                pack.close()

    def _packed(self) -> IO[bytes] | None:
        """One file with all contents, after a line about them. It is locked as long as this process lives."""
        kept = {path: each for path, each in self._kept.items() if each.data is not None}
        if not kept:
            return None
        head = [
            [os.fsencode(path).hex(), len(each.data or b""), each.state, each.times, each.owner]
            for path, each in kept.items()
        ]
        try:
            make_folder(_packs(), private=True)
            prefix = f"{os.getpid()}-"
            pack = tempfile.NamedTemporaryFile(dir=_packs(), prefix=prefix, delete=False)  # noqa: SIM115 - closed by who asks
            fcntl.flock(pack, fcntl.LOCK_EX)
            pack.writelines((json.dumps(head).encode(), b"\n", *(each.data or b"" for each in kept.values())))
            pack.flush()
        except OSError:
            return None
        return pack

    @classmethod
    def unpacked(cls, pack: IO[bytes]) -> UserFiles:
        """The files of a pack, as they were."""
        files = cls(())
        for path, size, state, times, owner in json.loads(pack.readline()):
            data = pack.read(size)
            if len(data) < size:  # the process was killed while it wrote this, before it ran anything
                return cls(())
            kept = FileState(_five(*state), data, (times[0], times[1]), (owner[0], owner[1]))
            files._kept[os.fsdecode(bytes.fromhex(path))] = kept
        return files

    def keep(self, paths: Iterable[str]) -> str:
        """Keep the content that these had, and leave them as they are; gives where it is: a file, or a folder."""
        places = []
        for path in paths:
            data = self._kept[path].data
            if data is not None and not self._kept[path].link:
                with suppress(PlaceError):
                    places.append(keep_content(path, data))
        return str(_folder()) if len(places) > 1 else "".join(places)

    @property
    def unkept(self) -> list[str]:
        """The files that are too large to be put back."""
        return [path for path, kept in self._kept.items() if kept.data is None]

    @property
    def kept_in(self) -> str:
        """Where the changed content is of what was put back: a file, or a folder if there are several; or nothing."""
        paths = list(self.saved.values())
        return str(_folder()) if len(paths) > 1 else "".join(paths)

    def _restored(self, path: str, kept: FileState) -> bool:
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
                if kept.link:
                    file.unlink()
                else:
                    file.chmod(mode | 0o200)
            file.parent.mkdir(parents=True, exist_ok=True)
            if kept.link:
                file.symlink_to(os.fsdecode(kept.data))
            else:
                file.write_bytes(kept.data)
            status = file.lstat()
            if (status.st_uid, status.st_gid) != kept.owner:
                os.chown(path, *kept.owner, follow_symlinks=False)
            if not kept.link:
                file.chmod(mode)
            os.utime(path, ns=kept.times, follow_symlinks=False)
        except (OSError, PlaceError):
            return False
        return True

    def _save(self, file: Path, before: bytes) -> None:
        """Keep the changed content, unless there is nothing in it."""
        data = file.read_bytes()
        if not data or data == before:
            return
        self.saved[str(file)] = keep_content(str(file), data)


def keep_content(path: str, data: bytes) -> str:
    """Keep content of a file; gives where it is."""
    copy = _folder() / f"{blake2b(data, digest_size=4).hexdigest()}-{os.path.basename(path)}"  # noqa: PTH119
    write_whole(copy, data, PRIVATE)
    return str(copy)


def _folder() -> Path:
    """Where changed content is kept."""
    return runs_folder().parent / "changed"


def _packs() -> Path:
    """Where contents are while a command runs for the first time."""
    return runs_folder().parent / "first-runs"


def restore_after(pid: int) -> None:
    """Put back what the first run of a process has changed, which was killed just now."""
    for path, files in _left(f"{pid}-*"):
        if not files.restore():
            path.unlink(missing_ok=True)


def changed_by_killed() -> list[tuple[str, str]]:
    """The files that have changed since first runs whose process was killed, and where their content before is."""
    found: list[tuple[str, str]] = []
    for path, files in _left("*"):
        found += [(each, files.keep([each])) for each in files.changed()]
        path.unlink(missing_ok=True)
    return found


def _left(pattern: str) -> Iterator[tuple[Path, UserFiles]]:
    """What killed processes have left on disk, and the files that it is about."""
    for path in _packs().glob(pattern):
        with suppress(OSError, PlaceError), path.open("rb") as pack:
            fcntl.flock(pack, fcntl.LOCK_EX | fcntl.LOCK_NB)  # else its process is alive
            try:
                files = UserFiles.unpacked(pack)
            except ValueError:  # it was not written to its end
                files = UserFiles(())
            yield path, files


def _and_link(path: str | Path) -> tuple[str, ...]:
    """The real path; before it the path of the link, if it is one."""
    real = os.path.realpath(path)
    if not os.path.islink(path):  # noqa: PTH114 - there may be many
        return (real,)
    folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - a path below a link may be another one
    return f"{os.path.realpath(folder)}/{name}", real


def _content(path: str, status: os.stat_result) -> bytes:
    """The bytes of a file, or the path of a link."""
    return os.fsencode(Path(path).readlink()) if S_ISLNK(status.st_mode) else Path(path).read_bytes()


def _five(size: int, mode: int, inode: int, changed: int, status: int) -> State:
    return size, mode, inode, changed, status


def _state(status: os.stat_result) -> State:
    return status.st_size, status.st_mode, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def _state_at(path: str) -> State | None:
    """The state of a file; None where there is none."""
    try:
        return _state(os.lstat(path))
    except OSError:
        return None


# A file that stands where a result will be written. If wynot did not write it, its content is kept elsewhere.


def keep_if_not_ours(paths: Iterable[Path], listener: Listener) -> None:
    """Keep the content of files that a result will overwrite, unless wynot has written them."""
    for path in paths:
        try:
            data = path.read_bytes() if path.is_file() else b""
        except OSError:
            continue
        if data and _recorded(path) != _digest(data):
            kept = keep_content(os.fspath(path), data)
            listener(Note(f"{path} exists: a copy is kept in {kept}"))


def note_ours(path: Path) -> None:
    """Note that what stands there now is a result: the next one may replace it."""
    with contextlib.suppress(OSError, PlaceError):
        if path.is_file():
            write_whole(_record(path), _digest(path.read_bytes()).encode(), PRIVATE)


def _recorded(path: Path) -> str:
    try:
        return _record(path).read_text()
    except OSError:
        return ""


def _record(path: Path) -> Path:
    name = blake2b(os.fsencode(path.absolute()), digest_size=8).hexdigest()
    return runs_folder().parent / "outputs" / f"{name}.digest"


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
