"""The changes between two folders, with renamed files and folders recognised."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from statistics import median

from wynot.core.folder import Entry, EntryKind, Folder, parents
from wynot.core.folder import EntryKind as What
from wynot.domains.changes.change import Change, ChangeKind, FileLines, hunk

# What git says of files that differ, read. The files are named by numbers.


_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_FILE = re.compile(rb"\+\+\+ \D*(\d+)\s*$")
_FROM = re.compile(rb"rename from \D*(\d+)$")
_TO = re.compile(rb"rename to \D*(\d+)$")

Span = tuple[int, int, int, int]
"""Lines of the old file from the first number to the second are those of the new one from the third to the fourth."""


def read(diff: bytes) -> tuple[dict[int, list[Span]], dict[int, int]]:
    r"""The hunks of each new file; and for files with another name, the old number by the new one.

    >>> read(b"rename from old/3\nrename to new/1\n--- old/3\n+++ new/1\n@@ -2 +1,0 @@ f()\n--- x\n")
    ({1: [(1, 2, 1, 1)]}, {1: 3})
    """
    spans: dict[int, list[Span]] = {}
    renamed: dict[int, int] = {}
    was = now = 0
    rows = iter(diff.split(b"\n"))
    for row in rows:
        if span := span_of(row):
            spans.setdefault(now, []).append(span)
            skip(span, rows)
        elif found := _FILE.match(row):
            now = int(found[1])
        elif found := _FROM.match(row):
            was = int(found[1])
        elif found := _TO.match(row):
            renamed[int(found[1])] = was
    return spans, renamed


def span_of(row: bytes) -> Span | None:
    """What the header of a hunk says; where a side is empty, git names the line before it."""
    found = _HUNK.match(row)
    if found is None:
        return None
    old, old_count, new, new_count = (1 if group is None else int(group) for group in found.groups())
    old -= bool(old_count)
    new -= bool(new_count)
    return old, old + old_count, new, new + new_count


def skip(span: Span, rows: Iterator[bytes]) -> None:
    """Go on behind the lines of a hunk; one may be a note that there is no newline, which counts for none."""
    left = span[1] - span[0] + span[3] - span[2]
    while left and (row := next(rows, None)) is not None:
        left -= 0 if row.startswith(b"\\") else 2 if row.startswith(b" ") else 1


# Files that are at another place; and what is left for git to compare.


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


# Folders that have moved: their files are the same ones at another place, however much has changed in them.
#
# Told apart by its content alone, a file that has moved and changed a lot is a deleted one and a new one. But where
# several files have gone from one folder and come to another under the same names, and most of them have most of their
# lines in common, the folder has moved (git's "directory renames"), and so have all of them.


FILES = 3
"""Fewer files tell nothing of their folder."""
ALIKE = 0.5
"""Of half the files, so much is the same."""
TIMES, LITTLE = 10, 1000
"""A file that is so many times as large as another, and so many bytes more, is another one."""
COMMON = 20
"""If more files have a name, it tells nothing."""
VAIN = 1000
"""After so many folders that have not moved, no more are looked at."""

Places = tuple[str, str]
"""From which folder to which."""
Pair = tuple[str, str]
"""A file that is gone, and one that has come."""


def places(was: str, now: str) -> Places:
    """From where to where a file has moved; as far up as the paths differ.

    >>> places("lib/yaml/type/int.js", "lib/type/int.js"), places("jinja2/nodes.py", "src/jinja2/nodes.py")
    (('lib/yaml', 'lib'), ('', 'src'))
    """
    old, new = was.split("/"), now.split("/")
    while old and new and old[-1] == new[-1]:
        old.pop()
        new.pop()
    return "/".join(old), "/".join(new)


def relocated(old: Folder, new: Folder, moved: Mapping[str, str], paths: Iterable[str]) -> dict[str, str]:
    r"""The old path of each file and link of a folder that has moved, but for those that are known to have `moved`.

    >>> text = b"one\ntwo\nthree\n"
    >>> old = Folder.of({"a/x": text, "a/y": text + b"1", "a/z": text + b"2"})
    >>> new = Folder.of({"b/x": text + b"3", "b/y": text + b"4", "b/z": b"5"})
    >>> relocated(old, new, {}, ["a/x", "a/y", "a/z", "b/x", "b/y", "b/z"])
    {'b/x': 'a/x', 'b/y': 'a/y', 'b/z': 'a/z'}
    """
    gone = {path for path in paths if path not in new.entries and old.entries[path].kind is not EntryKind.FOLDER}
    come = {path for path in paths if path not in old.entries and new.entries[path].kind is not EntryKind.FOLDER}
    found: dict[str, str] = {}
    settled = {*moved, *moved.values()}
    likely = _Likely(gone, come)
    vain = 0
    for place, counted in likely.places:
        if vain == VAIN:
            break
        if not any(_is_free(pair, moved, settled) for pair in counted):
            continue
        free = [pair for pair in (*counted, *likely.along(place)) if _is_free(pair, moved, settled)]
        if len(free) < FILES:
            continue
        if _is_move(old, new, free):
            fresh = {now: was for was, now in free if now not in moved and _may_be(old, new, was, now)}
            found |= fresh
            settled |= {*fresh, *fresh.values()}
        else:
            vain += 1
    return found


def _is_free(pair: Pair, moved: Mapping[str, str], settled: AbstractSet[str]) -> bool:
    """Whether nothing is known of either file, or just that the one has become the other."""
    was, now = pair
    return moved.get(now) == was or not (was in settled or now in settled)


class _Likely:
    """Where folders may have moved, those of most files first, and their files. Names that many have tell nothing."""

    def __init__(self, gone: AbstractSet[str], come: AbstractSet[str]) -> None:
        self._gone, self._come = gone, come
        named: dict[str, list[str]] = defaultdict(list)
        for path in sorted(gone):
            named[_name(path)].append(path)
        self._common = {name for name, paths in named.items() if len(paths) > COMMON}
        pairs: dict[Places, list[Pair]] = defaultdict(list)
        for now in sorted(come):
            for was in named.get(_name(now), ()) if _name(now) not in self._common else ():
                pairs[places(was, now)].append((was, now))
        enough = [each for each in pairs.items() if len(each[1]) >= FILES]
        self.places = sorted(enough, key=lambda each: -len(each[1]))

    def along(self, place: Places) -> Iterator[Pair]:
        """The files of names that tell nothing: they have moved if the others have."""
        before, after = self._commons
        was, now = place
        if len(before[was]) <= len(after[now]):
            pairs = ((path, _there(path, place)) for path in before[was])
        else:
            pairs = ((_there(path, (now, was)), path) for path in after[now])
        return (pair for pair in pairs if pair[0] in self._gone and pair[1] in self._come)

    @cached_property
    def _commons(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """These files by the folders they are in, however far down: those that are gone, and those that have come."""
        found: tuple[dict[str, list[str]], dict[str, list[str]]] = defaultdict(list), defaultdict(list)
        for folders, paths in zip(found, (self._gone, self._come), strict=True):
            for path in sorted(path for path in paths if _name(path) in self._common):
                for folder in ("", *parents(path)):
                    folders[folder].append(path)
        return found


def _there(path: str, place: Places) -> str:
    """The path that a file of the folder has if it has moved."""
    was, now = place
    rest = path[len(was) + 1 :] if was else path
    return f"{now}/{rest}" if now else rest


def _is_move(old: Folder, new: Folder, pairs: Iterable[Pair]) -> bool:
    """Whether most of these have most of their lines in common; a file with nothing in it is like any other."""
    sides = ((old.entries[was], new.entries[now]) for was, now in pairs)
    files = ((one.data, other.data) for one, other in sides if one.kind is other.kind is EntryKind.FILE)
    shares = [alike(one, other) for one, other in files if one or other]
    return len(shares) >= FILES and median(shares) >= ALIKE


def _may_be(old: Folder, new: Folder, was: str, now: str) -> bool:
    """Whether one may have become the other: not a file a link, nor a small file a large one."""
    one, other = old.entries[was], new.entries[now]
    less, more = sorted((len(one.data), len(other.data)))
    return one.kind is other.kind and more <= TIMES * less + LITTLE


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def alike(one: bytes, other: bytes) -> float:
    r"""The share of lines that both have, in any order; blank ones do not count.

    >>> alike(b"a\nb\nc", b"c\na\nd"), alike(b"", b"")
    (0.6666666666666666, 1.0)
    """
    if one == other:
        return 1.0
    first, second = (Counter(line for line in text.split(b"\n") if line.strip()) for text in (one, other))
    return 2 * (first & second).total() / max(1, first.total() + second.total())


# The changes between two folders. Which lines of a file differ is for git's diff engine to say.
#
# Files have no names there, but numbers: their place among those that differ. So no name needs quoting, and no file of
# the user's can tell git how to compare another.


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
