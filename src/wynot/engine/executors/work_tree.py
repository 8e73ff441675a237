"""Work trees that stay between tests, so that builds are incremental."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

from wynot.core.artifact import Placed
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.engine.executors.sandbox import Sandbox, place_error, remove_any, remove_entry
from wynot.engine.files.folder_io import write_entry, write_folder
from wynot.engine.files.removal import mounts_at

# Work trees that last: between tests only the files that differ are written, and what builds have made stays.
#
# A tree looks to each test as if it had been laid out for it alone, with three exceptions that make tests fast: files
# keep their times as long as their content stays, what a build has made is still there, and so is Python's bytecode.
# Whatever a test itself has changed, removed or left is put right before the next one.
#
# Times are what `make` goes by. All that is written at once has one time, which is later than that of anything built
# before, and earlier than that of anything built after. It is also a time that no file system gives by itself (one
# nanosecond before the tick of its clock), so that whatever is changed later can be told by its time.


SECOND = 10**9
BYTECODE = "__pycache__"
_Sign = tuple[int, int, int, int]
"""What tells that a file is as it was: the times of its content and of its state, its number, its mode."""


class _LostError(Exception):
    """A test has made something else of a folder: the tree has to be laid out from the beginning."""


class WorkTree:
    """A folder on disk that becomes one folder after the other."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder: Folder | None = None
        self._laid: dict[str, _Sign] = {}
        """All that belongs to the folder; the folder itself has no name."""
        self._made: dict[str, _Sign] = {}
        """All that a build has made."""
        self._newest = 0
        self.written = 0
        """Files, links and folders written so far."""

    def become(self, folder: Folder) -> None:
        """Lay out this folder, by as few changes as possible."""
        if self._folder is not None and not mounts_at(self._path):
            with suppress(OSError, _LostError):
                self._change(self._folder, folder)
                return
        self._begin(folder)

    def forget(self) -> None:
        """From now on nothing is known of what is there: the next folder is laid out from the beginning."""
        self._folder = None

    def keep(self) -> None:
        """What is there now beside the folder was made by a build, and stays as long as nothing else changes it."""
        if self._folder is None or mounts_at(self._path):
            self.forget()
            return
        with suppress(OSError, _LostError):
            before = self._made
            self._made = {path: _sign(state) for path, state in self._others(self._opened())}
            self._drop_bytecode(path for path, sign in self._made.items() if before.get(path) != sign)
            self._newest = max((self._newest, *(sign[0] for sign in self._made.values())))
            latest = max((sign[1] for sign in self._made.values()), default=0)
            self._later_than(min(latest, self._now()))
            return
        self.forget()

    def reads(self) -> frozenset[str]:
        """The files that were read, or changed, since they were written."""
        folder = self._folder or Folder({})
        return frozenset(
            path for path, entry in folder.entries.items() if entry.kind is EntryKind.FILE and self._read(path)
        )

    def _read(self, path: str) -> bool:
        try:
            state = os.lstat(self._at(path))
        except OSError:
            return True
        return _sign(state) != self._laid[path] or state.st_atime_ns != state.st_mtime_ns - SECOND

    def _begin(self, folder: Folder) -> None:
        """Lay out the whole folder."""
        self._folder = None
        remove_any(self._path)
        stamp = self._stamp(self._now())
        write_folder(folder, self._path)
        self.written += len(folder.entries) + 1
        self._made = {}
        with suppress(OSError):  # in folders that are closed to their owner: then this tree does not last
            paths = ("", *folder.entries)
            self._laid = dict(zip(paths, [self._stamped(path, stamp) for path in reversed(paths)][::-1], strict=True))
            self._folder = folder

    def _change(self, old: Folder, new: Folder) -> None:
        """Put right what a test has changed, and write what differs."""
        begun = self._now()
        spoilt = self._swept()
        before, after = old.entries, new.entries
        gone = [path for path in before if path not in after]
        other = [path for path, entry in after.items() if path in spoilt or before.get(path) != entry]
        self._folder = None  # should anything go wrong from here on
        if gone or other:
            self._rewrite(gone, other, new, self._stamp(self._later_than(begun)))
        self._folder = new

    def _rewrite(self, gone: list[str], other: list[str], new: Folder, stamp: int) -> None:
        for path in reversed(gone):
            self._remove(path)
        for path in other:
            self._write(path, new.entries[path])
        self._drop_bytecode((*gone, *other))
        touched = {path.rpartition("/")[0] for path in (*gone, *other)}
        folders = {path for path in other if new.entries[path].kind is EntryKind.FOLDER}
        for path in other:
            self._laid[path] = self._stamped(path, stamp)
        for path in touched | folders:
            if not path or path in new.entries:
                self._laid[path] = self._stamped(path, stamp)

    def _write(self, path: str, entry: Entry) -> None:
        target = self._at(path)
        if entry.kind is EntryKind.FOLDER and path in self._laid and stat.S_ISDIR(self._laid[path][3]):
            os.chmod(target, entry.mode)  # noqa: PTH101 - here and below, paths are text: it is a third of the time
        else:
            self._remove(path)
            write_entry(target, entry)
        self.written += 1

    def _remove(self, path: str) -> None:
        """Remove whatever is there; a link is removed itself, and nothing is written to what a test has linked."""
        self._laid.pop(path, None)
        self._made.pop(path, None)
        remove_any(self._at(path))

    def _drop_bytecode(self, paths: Iterable[str]) -> None:
        """Remove the bytecode of these sources: Python compares times by the second."""
        stale: dict[str, set[str]] = {}
        for path in paths:
            if path.endswith(".py"):
                above, _, name = path.rpartition("/")
                stale.setdefault(f"{above}/{BYTECODE}" if above else BYTECODE, set()).add(name[:-3])
        for folder, names in stale.items():
            with suppress(FileNotFoundError, NotADirectoryError), os.scandir(self._at(folder)) as found:
                for each in found:
                    dots = (at for at, sign in enumerate(each.name) if sign == ".")
                    if any(each.name[:at] in names for at in dots):
                        os.unlink(each.path)  # noqa: PTH108

    def _swept(self) -> set[str]:
        """Remove what does not belong here; gives the files and links that are not as they were written."""
        spoilt: set[str] = set()
        opened = self._opened(spoilt)
        made: dict[str, _Sign] = {}
        strays: list[str] = []
        for path, state in self._others(opened):
            sign = _sign(state)
            known = self._made.get(path)
            if known is not None and (known == sign or (known[2:] == sign[2:] and stat.S_ISDIR(sign[3]))):
                made[path] = known
            else:
                self._remove(path)
                strays.append(path)
        self._drop_bytecode(strays)
        self._made = made
        for path in opened:
            self._laid[path] = self._settled(path)
        return spoilt

    def _opened(self, spoilt: set[str] | None = None) -> list[str]:
        """The folders in which something was made or removed; other entries that have changed are added to `spoilt`."""
        opened: list[str] = []
        for path, sign in self._laid.items():
            try:
                now = _sign(os.lstat(f"{self._path}/{path}" if path else self._path))
            except (FileNotFoundError, NotADirectoryError):
                now = (0, 0, 0, 0)
            if now == sign:
                continue
            if stat.S_ISDIR(sign[3]):
                if now[2:] != sign[2:]:
                    raise _LostError
                opened.append(path)
            elif spoilt is not None:
                spoilt.add(path)
        return opened

    def _others(self, opened: list[str]) -> Iterator[tuple[str, os.stat_result]]:
        """What is there beside the folder: in the folders that have changed, and where builds have made something."""
        known = {path.rpartition("/")[0] for path in self._made}
        waiting = list({*opened, *(path for path in known if path in self._laid)})
        while waiting:
            below = waiting.pop()
            with os.scandir(self._at(below)) as found:
                names = [(f"{below}/{each.name}" if below else each.name, each) for each in found]
            for path, each in names:
                if path in self._laid or (each.name == BYTECODE and each.is_dir(follow_symlinks=False)):
                    continue
                state = each.stat(follow_symlinks=False)
                yield path, state
                if stat.S_ISDIR(state.st_mode) and os.path.lexists(each.path):
                    waiting.append(path)

    def _settled(self, path: str) -> _Sign:
        """Give a folder whose content was put right a time that tells when it changes again."""
        state = os.lstat(self._at(path))
        return self._stamped(path, state.st_mtime_ns - 1)

    def _stamped(self, path: str, stamp: int) -> _Sign:
        """Give an entry its time; that of its last reading is earlier, so that the next one will show."""
        target = self._at(path)
        os.utime(target, ns=(stamp - SECOND, stamp), follow_symlinks=False)
        return _sign(os.lstat(target))

    def _stamp(self, now: int) -> int:
        self._newest = max(now - 1, self._newest + 1)
        return self._newest

    def _later_than(self, moment: int) -> int:
        """Wait for the next tick of the file system's clock: some milliseconds."""
        while (now := self._now()) <= moment:
            time.sleep(0.001)
        return now

    def _now(self) -> int:
        """The time that a file written now gets."""
        above = os.path.dirname(self._path)  # noqa: PTH120
        os.utime(above)
        return os.stat(above).st_mtime_ns  # noqa: PTH116

    def _at(self, path: str) -> str:
        return f"{self._path}/{path}" if path else self._path


def _sign(state: os.stat_result) -> _Sign:
    return state.st_mtime_ns, state.st_ctime_ns, state.st_ino, state.st_mode


# A worker's folders where trees stay between tests.


class LastingSandbox(Sandbox):
    """A worker's folders; the trees in the one where tests run last."""

    def __init__(self, root: str, number: int) -> None:
        super().__init__(root, number)
        self.trees: dict[str, WorkTree] = {}

    def lay(self, files: tuple[tuple[str, Placed], ...]) -> None:
        """Write these files and folders into the work folder, which holds nothing else."""
        wanted = {name for name, data in files if isinstance(data, Folder)}
        self._tidy(wanted)
        for name, data in files:
            if not isinstance(data, Folder):
                self._write(name, data)
                continue
            tree = self.trees.setdefault(name, WorkTree(f"{self.work}/{name}"))
            try:
                tree.become(data)
            except OSError as error:
                tree.forget()
                raise place_error(data, self.work, error) from error

    def reads(self, name: str) -> frozenset[str]:
        """The files of a folder that were read since it was laid out."""
        return self.trees[name].reads() if name in self.trees else frozenset()

    def _tidy(self, wanted: set[str]) -> None:
        """Remove all but these trees."""
        if os.path.islink(self.temp) or os.path.islink(self.work) or self._mounted():  # noqa: PTH114
            self.trees.clear()
            self.renew(self.temp)
            self.renew(self.work)
        for folder, kept in ((self.temp, set[str]()), (self.work, wanted & self.trees.keys())):
            if not _cleared(folder, kept):
                self.trees = {} if folder == self.work else self.trees
                self.renew(folder)
        self.trees = {name: tree for name, tree in self.trees.items() if name in wanted}

    def _mounted(self) -> bool:
        """Whether a test has left a mount point."""
        return bool(mounts_at(self._root)) and bool(mounts_at(self.work) or mounts_at(self.temp))

    def keep(self) -> None:
        """What the last run has made stays."""
        for tree in self.trees.values():
            tree.keep()

    def afresh(self) -> None:
        """The next test finds nothing of the ones before it."""
        for tree in self.trees.values():
            tree.forget()

    def clean(self) -> None:
        """Trees are put right when they are needed again."""


def _cleared(folder: str, kept: set[str]) -> bool:
    """Remove all from a folder but these names; False where that cannot be done."""
    try:
        with os.scandir(folder) as entries:
            return not [each for entry in entries if entry.name not in kept for each in remove_entry(entry)]
    except OSError:
        return False
