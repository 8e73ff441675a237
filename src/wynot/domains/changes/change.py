"""A change between two versions, and a file with some of its changes applied."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from io import BytesIO
from itertools import accumulate
from typing import NamedTuple

from wynot.core.folder import Entry, Folder
from wynot.core.folder import EntryKind as What


class ChangeKind(Enum):
    """What has changed."""

    HUNK = "hunk"
    ADDED = "added"
    DELETED = "deleted"
    RENAMED = "renamed"
    BINARY = "binary"
    MODE = "mode"
    LINK = "link"
    """A link leads elsewhere, or what was a file, a link or an empty folder has become another of these."""


@dataclass(frozen=True, slots=True)
class Change:
    """One delta. Lines are numbered as in "@@ -a,b +c,d @@": where a side has none, the line before is named.

    >>> Change("a.c", "a.c", ChangeKind.HUNK, 8, 0, 9, 1, b"", b"int x;").header
    '@@ -8,0 +9,1 @@'
    """

    path: str
    """In the new folder; where it is not there, in the old one."""
    old_path: str
    kind: ChangeKind
    old_start: int = 0
    old_count: int = 0
    new_start: int = 0
    new_count: int = 0
    removed: bytes = b""
    added: bytes = b""
    """The exact bytes; all of a file, or where a link leads to, if it is no hunk."""
    old_mode: int = 0
    new_mode: int = 0
    """As git has them, kind and all: 100644, 100755, 120000 for a link, 40000 for a folder; 0 where there is none."""
    moved: tuple[tuple[str, str], ...] = ()
    """The old and the new path of each file, where several have moved together; the paths above are their folders'."""

    @property
    def old_at(self) -> int:
        """How many lines stand before the first one removed, or before what is added."""
        return self.old_start - 1 if self.old_count else self.old_start

    @property
    def new_at(self) -> int:
        """How many lines stand before the first one added, or before where the removed ones were."""
        return self.new_start - 1 if self.new_count else self.new_start

    @property
    def parts(self) -> Sequence[Change]:
        """The same, file by file.

        >>> [each.header for each in Change("b", "a", ChangeKind.RENAMED, moved=(("a/x", "b/x"), ("a/y", "b/y"))).parts]
        ['renamed from a/x', 'renamed from a/y']
        """
        return [Change(now, was, self.kind) for was, now in self.moved] if self.moved else (self,)

    @property
    def back(self) -> Change:
        """The change that takes it back, from the new folder to the old one.

        >>> Change("b", "a", ChangeKind.HUNK, 1, 2, 3, 4, b"x", b"y").back.header
        '@@ -3,4 +1,2 @@'
        """
        return Change(
            self.old_path, self.path, _BACK.get(self.kind, self.kind),
            self.new_start, self.new_count, self.old_start, self.old_count,
            self.added, self.removed, self.new_mode, self.old_mode,
            tuple((now, was) for was, now in self.moved),
        )  # fmt: skip

    @property
    def header(self) -> str:
        """What it is, in one line; for hunks always with the counts."""
        was, now = _WHAT[self.old_mode >> 12], _WHAT[self.new_mode >> 12]
        return {
            ChangeKind.HUNK: f"@@ -{self.old_start},{self.old_count} +{self.new_start},{self.new_count} @@",
            ChangeKind.ADDED: f"added {now}",
            ChangeKind.DELETED: f"deleted {was}",
            ChangeKind.RENAMED: f"{f'{len(self.moved)} files moved' if self.moved else 'renamed'} from {self.old_path}",
            ChangeKind.BINARY: "binary file",
            ChangeKind.MODE: f"mode {self.old_mode & 0o777:o} -> {self.new_mode & 0o777:o}",
            ChangeKind.LINK: "changed link" if was == now else f"{was} became {now}",
        }[self.kind]


_BACK = {ChangeKind.ADDED: ChangeKind.DELETED, ChangeKind.DELETED: ChangeKind.ADDED}
_WHAT = {0: "file", 0o10: "file", 0o12: "link", 0o4: "folder"}


def hunk(path: str, old_path: str, old: tuple[int, int, bytes], new: tuple[int, int, bytes]) -> Change:
    """A hunk; each side by how many lines stand before it, how many it has, and these lines."""
    (old_at, old_count, removed), (new_at, new_count, added) = old, new
    old_start, new_start = old_at + bool(old_count), new_at + bool(new_count)
    return Change(path, old_path, ChangeKind.HUNK, old_start, old_count, new_start, new_count, removed, added)


# A file with some of its changes applied, by lines.


# A text by its lines, which are numbered from 0. Only a newline ends one.


def rows(data: bytes) -> list[bytes]:
    r"""The lines of a text, with their ends.

    >>> rows(b"a\r\nb\rc\n\nd")
    [b'a\r\n', b'b\rc\n', b'\n', b'd']
    """
    return BytesIO(data).readlines()


class FileLines:
    r"""The lines of a text, found once and cut out when they are asked for.

    >>> text = FileLines(b"a\r\nb\rc\n\nd")
    >>> len(text), text.cut(1, 3), text.offset(4)
    (4, b'b\rc\n\n', 9)
    """

    __slots__ = ("_ends", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._ends = array("Q", accumulate(map(len, rows(data))))

    def __len__(self) -> int:
        return len(self._ends)

    def offset(self, line: int) -> int:
        """How many bytes stand before a line; for the line after the last one, all."""
        return self._ends[line - 1] if line else 0

    def cut(self, start: int, stop: int) -> bytes:
        """The lines from one number to another."""
        return self.data[self.offset(start) : self.offset(stop)]

    @property
    def unended(self) -> bool:
        """Whether the last line has no end."""
        return bool(self.data) and not self.data.endswith(b"\n")


# One file with its changes: the edits of its lines, and what becomes of it if only some are applied.
#
# A line that is not the last must end: if some hunks are left out, a line without an end can come to stand before
# another one, and then it gets one.


class LineEdit(NamedTuple):
    """Lines of the old text, from one number to another, and what stands there instead."""

    start: int
    stop: int
    text: bytes


def edits(old: FileLines, hunks: Iterable[Change]) -> list[LineEdit]:
    """What these hunks do to the lines of the old text, in order."""
    placed = sorted(hunks, key=lambda each: (each.old_at, each.new_at, each.old_count))
    found: list[LineEdit] = []
    for each in placed:
        edit = LineEdit(each.old_at, each.old_at + each.old_count, each.added)
        if found and found[-1].stop == edit.start:
            edit = LineEdit(found[-1].start, edit.stop, joined(found.pop().text, edit.text))
        found.append(edit)
    return _ended(old, found)


def _ended(old: FileLines, found: list[LineEdit]) -> list[LineEdit]:
    """With an end to each line but the last."""
    for place, edit in enumerate(found):
        if edit.stop < len(old) and edit.text and not edit.text.endswith(b"\n"):
            found[place] = edit._replace(text=edit.text + b"\n")
    last = len(old) - 1
    if found and old.unended and found[-1].start > last and found[-1].text:
        found.append(LineEdit(last, last + 1, joined(old.cut(last, last + 1), found.pop().text)))
    return found


def joined(first: bytes, second: bytes) -> bytes:
    r"""Both, one below the other.

    >>> joined(b"a", b"b"), joined(b"a\n", b"b"), joined(b"a", b"")
    (b'a\nb', b'a\nb', b'a')
    """
    return first + b"\n" + second if first and second and not first.endswith(b"\n") else first + second


def edited(old: FileLines, found: Iterable[LineEdit]) -> bytes:
    """The text after these edits."""
    pieces: list[bytes] = []
    at = 0
    for start, stop, text in found:
        pieces += (old.data[at : old.offset(start)], text)
        at = old.offset(stop)
    pieces.append(old.data[at:])
    return b"".join(pieces)


_KINDS = {0o100000: What.FILE, 0o120000: What.LINK, 0o40000: What.FOLDER}


@dataclass(frozen=True, slots=True)
class FileFate:
    """What became of a file: where it was and is, and how it got from one to the other."""

    old_path: str
    was: Entry | None
    path: str
    now: Entry | None
    edits: Sequence[LineEdit] = ()
    """How the lines have changed, where they have."""


class ChangedFile:
    """A file (or link, or empty folder) of which something has changed."""

    __slots__ = ("_lines", "_was", "changes", "numbers", "old_path", "path")

    def __init__(self, was: Entry | None, changes: Mapping[int, Change]) -> None:
        self.numbers = tuple(changes)
        self.changes = tuple(changes.values())
        self.path, self.old_path = self.changes[0].path, self.changes[0].old_path
        self._was = was
        self._lines: FileLines | None = None

    def fate(self, applied: Iterable[Change]) -> FileFate:
        """What becomes of it with these changes."""
        entry, path = self._was, self.old_path
        hunks = []
        for change in applied:
            match change.kind:
                case ChangeKind.HUNK:
                    hunks.append(change)
                case ChangeKind.DELETED:
                    return FileFate(self.old_path, self._was, self.old_path, None)
                case ChangeKind.ADDED | ChangeKind.LINK:
                    entry = Entry(kind_of(change.new_mode), change.added, permissions(change.new_mode))
                case ChangeKind.RENAMED:
                    path = change.path
                case ChangeKind.MODE if entry is not None:
                    entry = entry._replace(mode=permissions(change.new_mode))
                case ChangeKind.BINARY if entry is not None:
                    entry = entry._replace(data=change.added)
        if not hunks or entry is None:
            return FileFate(self.old_path, self._was, path, entry)
        if self._lines is None or self._lines.data is not entry.data:
            self._lines = FileLines(entry.data)
        old = self._lines
        done = edits(old, hunks)
        return FileFate(self.old_path, self._was, path, entry._replace(data=edited(old, done)), done)


def kind_of(mode: int) -> What:
    """What git's mode says that this is."""
    return _KINDS[mode & 0o170000]


def permissions(mode: int) -> int:
    """The nine bits of a mode as git has it; a link has all."""
    return 0o777 if kind_of(mode) is What.LINK else mode & 0o777


def changed(old: Folder, changes: Sequence[Change]) -> Iterator[ChangedFile]:
    """The files of which something has changed, in the order of their first changes."""
    found: dict[str, dict[int, Change]] = {}
    for number, change in enumerate(changes):
        for part in change.parts:
            found.setdefault(part.path, {})[number] = part
    for each in found.values():
        yield ChangedFile(old.entries.get(next(iter(each.values())).old_path), each)
