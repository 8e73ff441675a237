"""Folders on disk: read once, written as they were read; paths without links.

Links are kept as links and never followed; modes are kept (the nine bits for reading, writing and executing); times
and owners are not, and files that were one under two names become two.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path

from wynot.core.folder import Entry, EntryKind, Folder
from wynot.core.text import pasted
from wynot.errors import UsageError

PERMISSIONS = 0o777
_OPEN = 0o700
_SPECIAL = (
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_folder(path: Path, without: Container[str] = ()) -> Folder:
    """All that is in a folder, but for what has one of these names, on any level."""
    entries: dict[str, Entry | bytes] = {}
    waiting = [""]
    while waiting:
        below = waiting.pop()
        for name, entry in _entries(path, below, without):
            entries[name] = entry
            if entry.kind is EntryKind.FOLDER:
                waiting.append(f"{name}/")
    return Folder.of(entries)


def _entries(root: Path, below: str, without: Container[str]) -> Iterator[tuple[str, Entry]]:
    """What stands directly in one of the folders below the root."""
    here = root / below
    try:
        with os.scandir(here) as found:
            for each in found:
                if each.name not in without:
                    here = Path(each.path)
                    yield below + each.name, _entry(each.path, each.stat(follow_symlinks=False).st_mode)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise UsageError(
                f"a path in {root} is too long for the system: more than {len(str(here)):,} characters",
                f"give a folder further inside, or a flatter copy; see: find {pasted(root)} -depth | head -1 | wc -c",
            ) from None
        raise UsageError(
            f"cannot read {here}: {error.strerror}", f"check the permissions: ls -ld {pasted(here)}"
        ) from None


def walk(top: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """As `os.walk`, which calls itself once for each level in older versions of Python: folders may be deeper."""
    waiting = [top]
    while waiting:
        above = waiting.pop()
        folders: list[str] = []
        others: list[str] = []
        with suppress(OSError), os.scandir(above) as found:
            for each in found:
                (folders if _is_folder(each) else others).append(each.name)
        yield above, folders, others
        below = [os.path.join(above, name) for name in reversed(folders)]  # noqa: PTH118 - as `os.walk`
        waiting += [path for path in below if not os.path.islink(path)]  # noqa: PTH114


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def read_entry(path: Path) -> Entry | None:
    """What is at a path; None if there is nothing."""
    try:
        return _entry(str(path), path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}", f"check the permissions: ls -ld {pasted(path)}"
        ) from None


def _entry(path: str, mode: int) -> Entry:
    if stat.S_ISLNK(mode):
        return Entry(EntryKind.LINK, os.fsencode(os.readlink(path)), PERMISSIONS)  # noqa: PTH115 - as it is
    if stat.S_ISDIR(mode):
        return Entry(EntryKind.FOLDER, mode=mode & PERMISSIONS)
    if stat.S_ISREG(mode):
        return Entry(EntryKind.FILE, Path(path).read_bytes(), mode & PERMISSIONS)
    what = next((what for is_one, what in _SPECIAL if is_one(mode)), "nothing that can be copied")
    raise UsageError(
        f"{path} is {what}: a folder to reduce holds files, folders and links",
        f"give a copy of the folder without it, or remove it: rm {pasted(path)}",
    )


def write_folder(folder: Folder, path: str) -> None:
    """Write a folder where nothing is yet."""
    umask = os.umask(0)
    os.umask(umask)
    closed: list[tuple[str, int]] = []
    os.mkdir(path)  # noqa: PTH102 - here and below: a third of the time, for each file of each test
    for name, (kind, data, mode) in folder.entries.items():
        target = f"{path}/{name}"
        if kind is EntryKind.FILE:
            _write_file(target, data, mode, umask)
        elif kind is EntryKind.LINK:
            os.symlink(data, os.fsencode(target))  # noqa: PTH211 - bytes, as they were read
        else:
            os.mkdir(target, mode | _OPEN)  # noqa: PTH102
            if mode != (mode | _OPEN) & ~umask:
                closed.append((target, mode))
    for target, mode in reversed(closed):
        os.chmod(target, mode)  # noqa: PTH101


def write_entry(target: str, entry: Entry) -> None:
    """Write one entry where nothing is yet, in a folder that is there."""
    kind, data, mode = entry
    if kind is EntryKind.FILE:
        _write_file(target, data, mode, PERMISSIONS)
    elif kind is EntryKind.LINK:
        os.symlink(data, os.fsencode(target))  # noqa: PTH211
    else:
        os.mkdir(target, _OPEN)  # noqa: PTH102
        os.chmod(target, mode)  # noqa: PTH101


def _write_file(target: str, data: bytes, mode: int, umask: int) -> None:
    file = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        if mode & umask:
            os.fchmod(file, mode)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
    finally:
        os.close(file)


def real_path(path: Path) -> Path:
    """Follow all links of a path; one that leads back to itself stays as it is, where `Path.resolve` raises."""
    return Path(os.path.realpath(path))
