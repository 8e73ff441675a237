"""One change from an old folder to a new one, as frozen data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


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
