"""The changes between two folders. Which lines of a file differ is for git's diff engine to say.

Files have no names there, but numbers: their place among those that differ. So no name needs quoting, and no file of
the user's can tell git how to compare another.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from wynot.core.folder import Entry, Folder
from wynot.core.folder import EntryKind as What
from wynot.domains.changes.change import Change, ChangeKind, hunk
from wynot.domains.changes.directory_renames import FILES, Places, places
from wynot.domains.changes.file_lines import FileLines
from wynot.domains.changes.file_renames import all_moves
from wynot.domains.changes.git_diff_output import Span, read

_TYPE = {What.FILE: 0o100000, What.LINK: 0o120000, What.FOLDER: 0o40000}


def differing(old: Folder, new: Folder) -> tuple[str, ...]:
    """The paths of what is not the same in both, in order.

    A folder that only one of them has counts if nothing is in it: others are there because of what is in them.
    """
    before, after = old.entries, new.entries
    inhabited = {path.rpartition("/")[0] for entries in (before, after) for path in entries}
    found = []
    for path in before.keys() | after.keys():
        was, now = before.get(path), after.get(path)
        if was == now or (was is None and _inhabited(now, path, inhabited)):
            continue
        if now is None and _inhabited(was, path, inhabited):
            continue
        found.append(path)
    return tuple(sorted(found, key=lambda path: path.split("/")))


def _inhabited(entry: Entry | None, path: str, inhabited: set[str]) -> bool:
    return entry is not None and entry.kind is What.FOLDER and path in inhabited


def changes_between(old: Folder, new: Folder, diff: bytes, *, apart: int = 2) -> tuple[Change, ...]:
    """The changes that make the new folder of the old one, by path and position.

    `diff` is what git said of those `differing`, by their numbers. Hunks with fewer than `apart` unchanged lines
    between them are one.
    """
    paths = differing(old, new)
    spans, renamed = read(diff)
    moved = {**all_moves(old, new, paths)} | {paths[now]: paths[was] for now, was in renamed.items()}
    gone = set(moved.values())
    found: list[Change] = list(_together(moved))
    along = {now for change in found for _, now in change.moved}
    for number, path in enumerate(paths):
        if path not in gone:
            changes = _changes(old, new, moved.get(path, path), path, merged(spans.get(number, ()), apart))
            found += (each for each in changes if each.kind is not ChangeKind.RENAMED or path not in along)
    return tuple(found)


def _together(moved: Mapping[str, str]) -> Iterator[Change]:
    """Files that have moved together, from one folder to another, have done so in one change."""
    by_place: dict[Places, list[tuple[str, str]]] = defaultdict(list)
    for now, was in moved.items():
        by_place[places(was, now)].append((was, now))
    for pairs in by_place.values():
        if len(pairs) >= FILES:
            old, new = (
                posixpath.commonpath([posixpath.dirname(each) for each in side]) for side in zip(*pairs, strict=True)
            )
            yield Change(new or ".", old or ".", ChangeKind.RENAMED, moved=tuple(sorted(pairs)))


def _changes(old: Folder, new: Folder, old_path: str, path: str, spans: Sequence[Span]) -> Iterator[Change]:
    """The changes of one file."""
    was, now = old.entries.get(old_path), new.entries.get(path)
    old_mode, new_mode = mode(was), mode(now)
    removed, added = was.data if was else b"", now.data if now else b""
    if was is None or now is None:
        kind = ChangeKind.ADDED if was is None else ChangeKind.DELETED
        yield Change(path, old_path, kind, removed=removed, added=added, old_mode=old_mode, new_mode=new_mode)
        return
    if path != old_path:
        yield Change(path, old_path, ChangeKind.RENAMED)
    if was.kind is not now.kind or (was.kind is What.LINK and removed != added):
        yield Change(
            path, old_path, ChangeKind.LINK, removed=removed, added=added, old_mode=old_mode, new_mode=new_mode
        )
        return
    if old_mode != new_mode:
        yield Change(path, old_path, ChangeKind.MODE, old_mode=old_mode, new_mode=new_mode)
    if removed != added and not spans:
        yield Change(path, old_path, ChangeKind.BINARY, removed=removed, added=added)
    elif spans:
        before, after = FileLines(removed), FileLines(added)
        for a, b, c, d in spans:
            yield hunk(path, old_path, (a, b - a, before.cut(a, b)), (c, d - c, after.cut(c, d)))


def mode(entry: Entry | None) -> int:
    """As git has it."""
    return 0 if entry is None else _TYPE[entry.kind] | (0 if entry.kind is What.LINK else entry.mode)


def merged(spans: Sequence[Span], apart: int) -> list[Span]:
    """Hunks that are close to each other made one.

    >>> merged([(0, 1, 0, 1), (2, 3, 2, 2), (5, 5, 4, 6)], 2)
    [(0, 3, 0, 2), (5, 5, 4, 6)]
    """
    found: list[Span] = []
    for span in spans:
        if found and span[0] - found[-1][1] < apart:
            found[-1] = (found[-1][0], span[1], found[-1][2], span[3])
        else:
            found.append(span)
    return found
