"""Folders on disk: read once, written as they were read.

Links are kept as links and never followed; modes are kept (the nine bits for reading, writing and executing); times
and owners are not, and files that were one under two names become two.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from wynot.core.folder import Entry, Folder, Kind
from wynot.errors import UsageError

PERMISSIONS = 0o777
_OPEN = 0o700
_SPECIAL = (
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_folder(path: Path) -> Folder:
    """All that is in a folder."""
    entries: dict[str, Entry | bytes] = {}
    waiting = [""]
    while waiting:
        below = waiting.pop()
        for name, entry in _entries(path, below):
            entries[name] = entry
            if entry.kind is Kind.FOLDER:
                waiting.append(f"{name}/")
    return Folder.of(entries)


def _entries(root: Path, below: str) -> Iterator[tuple[str, Entry]]:
    """What stands directly in one of the folders below the root."""
    here = root / below
    try:
        with os.scandir(here) as found:
            for each in found:
                here = Path(each.path)
                yield below + each.name, _entry(each)
    except OSError as error:
        raise UsageError(f"cannot read {here}: {error.strerror}", f"see who may: ls -ld {here}") from None


def _entry(each: os.DirEntry[str]) -> Entry:
    mode = each.stat(follow_symlinks=False).st_mode
    if stat.S_ISLNK(mode):
        return Entry(Kind.LINK, os.fsencode(os.readlink(each.path)), PERMISSIONS)  # noqa: PTH115 - as it is
    if stat.S_ISDIR(mode):
        return Entry(Kind.FOLDER, mode=mode & PERMISSIONS)
    if stat.S_ISREG(mode):
        return Entry(Kind.FILE, Path(each.path).read_bytes(), mode & PERMISSIONS)
    what = next((what for is_one, what in _SPECIAL if is_one(mode)), "nothing that can be copied")
    raise UsageError(
        f"{each.path} is {what}: a folder to reduce holds files, folders and links",
        f"give a copy of the folder without it, or remove it: rm {each.path}",
    )


def write_folder(folder: Folder, path: str) -> None:
    """Write a folder where nothing is yet."""
    umask = os.umask(0)
    os.umask(umask)
    closed: list[tuple[str, int]] = []
    os.mkdir(path)  # noqa: PTH102 - here and below: a third of the time, for each file of each test
    for name, (kind, data, mode) in folder.entries.items():
        target = f"{path}/{name}"
        if kind is Kind.FILE:
            _write_file(target, data, mode, umask)
        elif kind is Kind.LINK:
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
    if kind is Kind.FILE:
        _write_file(target, data, mode, PERMISSIONS)
    elif kind is Kind.LINK:
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
