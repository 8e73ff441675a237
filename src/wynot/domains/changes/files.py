"""One file with its changes: what becomes of it if only some are applied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wynot.core.folder import Entry, Folder
from wynot.core.folder import Kind as What
from wynot.domains.changes.change import Change, Kind
from wynot.domains.changes.edits import Edit, edited, edits
from wynot.domains.changes.lines import Lines

_KINDS = {0o100000: What.FILE, 0o120000: What.LINK, 0o40000: What.FOLDER}


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a file: where it was and is, and how it got from one to the other."""

    old_path: str
    was: Entry | None
    path: str
    now: Entry | None
    edits: Sequence[Edit] = ()
    """How the lines have changed, where they have."""


class Changed:
    """A file (or link, or empty folder) of which something has changed."""

    __slots__ = ("_lines", "_was", "changes", "numbers", "old_path", "path")

    def __init__(self, was: Entry | None, changes: Mapping[int, Change]) -> None:
        self.numbers = tuple(changes)
        self.changes = tuple(changes.values())
        self.path, self.old_path = self.changes[0].path, self.changes[0].old_path
        self._was = was
        self._lines: Lines | None = None

    def fate(self, applied: Iterable[Change]) -> Fate:
        """What becomes of it with these changes."""
        entry, path = self._was, self.old_path
        hunks = []
        for change in applied:
            match change.kind:
                case Kind.HUNK:
                    hunks.append(change)
                case Kind.DELETED:
                    return Fate(self.old_path, self._was, self.old_path, None)
                case Kind.ADDED | Kind.LINK:
                    entry = Entry(kind_of(change.new_mode), change.added, permissions(change.new_mode))
                case Kind.RENAMED:
                    path = change.path
                case Kind.MODE if entry is not None:
                    entry = entry._replace(mode=permissions(change.new_mode))
                case Kind.BINARY if entry is not None:
                    entry = entry._replace(data=change.added)
        if not hunks or entry is None:
            return Fate(self.old_path, self._was, path, entry)
        if self._lines is None or self._lines.data is not entry.data:
            self._lines = Lines(entry.data)
        old = self._lines
        done = edits(old, hunks)
        return Fate(self.old_path, self._was, path, entry._replace(data=edited(old, done)), done)


def kind_of(mode: int) -> What:
    """What git's mode says that this is."""
    return _KINDS[mode & 0o170000]


def permissions(mode: int) -> int:
    """The nine bits of a mode as git has it; a link has all."""
    return 0o777 if kind_of(mode) is What.LINK else mode & 0o777


def changed(old: Folder, changes: Sequence[Change]) -> Iterator[Changed]:
    """The files of which something has changed, in the order of their first changes."""
    found: dict[str, dict[int, Change]] = {}
    for number, change in enumerate(changes):
        for part in change.parts:
            found.setdefault(part.path, {})[number] = part
    for each in found.values():
        yield Changed(old.entries.get(next(iter(each.values())).old_path), each)
