"""Files that are at another place; and what is left for git to compare."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from wynot.core.folder import Entry, EntryKind, Folder
from wynot.domains.changes.directory_renames import relocated

LOOKED_AT = 8000
"""A file with a NUL among so many bytes is no text; git's own rule."""


def moves(old: Folder, new: Folder, paths: Sequence[str]) -> dict[str, str]:
    """The old path of each file that is just as it was at another place; one of the same name rather than others.

    >>> old, new = Folder.of({"a": b"1", "b/c": b"1"}), Folder.of({"d/c": b"1", "e": b"2"})
    >>> moves(old, new, ["a", "b/c", "d/c", "e"])
    {'d/c': 'b/c'}
    """
    lost: dict[bytes, list[str]] = defaultdict(list)
    for path in paths:
        if path not in new.entries and (data := _content(old, path)):
            lost[data].append(path)
    found: dict[str, str] = {}
    for path in paths:
        if path not in old.entries and (data := _content(new, path)) and lost.get(data):
            name = path.rpartition("/")[2]
            was = next((each for each in lost[data] if each.rpartition("/")[2] == name), lost[data][0])
            lost[data].remove(was)
            found[path] = was
    return found


@lru_cache(maxsize=1)
def all_moves(old: Folder, new: Folder, paths: tuple[str, ...]) -> Mapping[str, str]:
    """The old path of each file that is known to be at another place, without a comparison of all with all.

    What git is to compare and what has changed are asked for one after the other: the answer is kept.
    """
    same = moves(old, new, paths)
    return same | relocated(old, new, same, paths)


def _content(folder: Folder, path: str) -> bytes:
    entry = folder.entries.get(path)
    return entry.data if entry is not None and entry.kind is EntryKind.FILE else b""


def to_compare(old: Folder, new: Folder, paths: tuple[str, ...]) -> tuple[dict[int, bytes], dict[int, bytes]]:
    """The texts that git is to compare, by the numbers of their paths: those in both, and those in one alone.

    A file that has moved with its folder is in both, by its new path.
    """
    moved = all_moves(old, new, paths)
    gone = set(moved.values())
    before, after = {}, {}
    for number, path in enumerate(paths):
        was, now = old.entries.get(moved.get(path, path)), new.entries.get(path)
        if path in gone or not all(entry is None or _is_text(entry) for entry in (was, now)):
            continue
        if (was.data if was is not None else b"") == (now.data if now is not None else b""):
            continue
        if was is not None:
            before[number] = was.data
        if now is not None:
            after[number] = now.data
    return before, after


def _is_text(entry: Entry) -> bool:
    return entry.kind is EntryKind.FILE and b"\0" not in entry.data[:LOOKED_AT]
