"""A file with some of its changes applied, by lines."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import accumulate
from typing import NamedTuple

from wynot.core.folder import Entry, Folder
from wynot.core.folder import EntryKind as What
from wynot.domains.changes.change import Change, ChangeKind

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
