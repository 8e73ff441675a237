"""Which commits each change comes from: what git's log says, replayed line by line."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wynot.core.folder import Folder
from wynot.domains.changes.change import Change, ChangeKind, FileLines
from wynot.domains.changes.diff_folders import Span, skip, span_of
from wynot.domains.changes.git_patch import unquoted

FORMAT = "%x00%H%x1f%P%x1f%an%x1f%aI%x1f%s"
"""What git's log is to say of each commit before its diff, which is to have no context."""
_NOTED = {ChangeKind.MODE: b"old mode", ChangeKind.RENAMED: b"rename to", ChangeKind.DELETED: b"deleted file"}
_FROM, _TO = b"rename from ", b"rename to "


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit, as people know it."""

    sha: str
    parents: tuple[str, ...]
    author: str
    date: str
    """When it was written: 2024-02-29T12:00:00+01:00."""
    subject: str

    def as_json(self) -> dict[str, str]:
        """What is told of it."""
        return {"sha": self.sha, "author": self.author, "date": self.date, "subject": self.subject}


@dataclass(frozen=True, slots=True)
class History:
    """Commits, oldest first, and for each change the numbers of those that it comes from, oldest first."""

    commits: tuple[Commit, ...]
    origins: tuple[tuple[int, ...], ...]
    replayed: _Replayed | None = field(default=None, repr=False, compare=False)
    """What the log has told of each line."""

    def behind(self, change: Change) -> tuple[int, ...]:
        """The numbers of the commits that a change comes from, be it a part of one of those above."""
        return self.replayed.origins(change) if self.replayed is not None else ()

    @property
    def ages(self) -> tuple[int, ...]:
        """The number of the last commit that each change comes from; where none is known, one more than there are."""
        return tuple(max(each, default=len(self.commits)) for each in self.origins)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The names of the commits that each change comes from, oldest first."""
        return tuple(tuple(self.commits[each].sha for each in origin) for origin in self.origins)

    @property
    def days(self) -> tuple[str, ...]:
        """The day on which each change was last worked on; empty where that is not known."""
        return tuple(self.commits[origin[-1]].date[:10] if origin else "" for origin in self.origins)


@dataclass(slots=True)
class TouchedFile:
    """A file of one commit, and which of its lines have become others."""

    path: str
    old_path: str
    notes: set[bytes] = field(default_factory=set)
    spans: list[Span] = field(default_factory=list)


def history(
    log: Iterable[tuple[Commit, Sequence[TouchedFile]]], old: Folder, new: Folder, changes: Sequence[Change]
) -> History:
    """What commits, oldest first, have to do with the changes."""
    commits: list[Commit] = []
    files = _Files(old)
    for commit, touched in log:
        for each in touched:
            files.touch(each, len(commits))
        commits.append(commit)
    replayed = _Replayed(files, new, {part.path for change in changes for part in change.parts})
    return History(tuple(commits), tuple(map(replayed.origins, changes)), replayed)


class _Replayed:
    """What is left of a log that was replayed: where each line of the changed files comes from."""

    def __init__(self, files: _Files, new: Folder, paths: set[str]) -> None:
        self._gone, self._touches = files.gone, files.touches
        self._lines = {
            path: array("q", rows)
            for path, rows in files.lines.items()
            if path in paths and path in new.entries and len(FileLines(new.entries[path].data)) == len(rows)
        }

    def origins(self, change: Change) -> tuple[int, ...]:
        """The numbers of the commits that a change comes from, oldest first."""
        if change.kind is ChangeKind.HUNK and change.path in self._lines:
            rows = self._lines[change.path][change.new_at : change.new_at + change.new_count]
            gone = self._gone.get(change.old_path, {})
            old = range(change.old_at, change.old_at + change.old_count)
            found = {-1 - row for row in rows if row < 0} | {gone[each] for each in old if each in gone}
            if found:
                return tuple(sorted(found))
        return tuple(sorted({commit for part in change.parts for commit in self._touched(part)}))

    def _touched(self, change: Change) -> set[int]:
        """The commits that had to do with a file, those rather that did to it what the change does."""
        touches = self._touches.get(change.path) or self._touches.get(change.old_path) or []
        wanted = _NOTED.get(change.kind)
        noted = {commit for commit, notes in touches if wanted is None or wanted in notes}
        return noted or {commit for commit, _ in touches}


class _Files:
    """The files while the log is replayed: where each of their lines comes from."""

    def __init__(self, old: Folder) -> None:
        self._old = old
        self.lines: dict[str, list[int]] = {}
        """For each line its number in the old folder, or -1 less the number of the commit that brought it."""
        self.gone: dict[str, dict[int, int]] = defaultdict(dict)
        """By old path: the commit that took each line of the old folder away."""
        self.names: dict[str, str] = {}
        """What a file was called in the old folder, if it is called something else now."""
        self.touches: dict[str, list[tuple[int, set[bytes]]]] = defaultdict(list)

    def touch(self, file: TouchedFile, commit: int) -> None:
        """Replay what a commit did to a file."""
        if file.old_path != file.path:
            self.lines[file.path] = self._lines(file.old_path)
            self.lines.pop(file.old_path, None)
            self.names[file.path] = self.names.get(file.old_path, file.old_path)
            self.touches[file.path] += self.touches.get(file.old_path, [])
        self.touches[file.path].append((commit, file.notes))
        rows = self.lines[file.path] = self._lines(file.path)
        gone = self.gone[self.names.get(file.path, file.path)]
        for a, b, c, d in reversed(file.spans):
            gone.update((row, commit) for row in rows[a:b] if row >= 0)
            rows[a:b] = [-1 - commit] * (d - c)

    def _lines(self, path: str) -> list[int]:
        if path in self.lines:
            return self.lines[path]
        entry = self._old.entries.get(path)
        return list(range(len(FileLines(entry.data)))) if entry is not None else []


def touched_by(changes: Sequence[Change]) -> list[TouchedFile]:
    """The files that changes are about."""
    found: dict[str, TouchedFile] = {}
    for change in (part for each in changes for part in each.parts):
        file = found.setdefault(change.path, TouchedFile(change.path, change.old_path))
        if change.kind is ChangeKind.HUNK:
            ends = (change.old_at + change.old_count, change.new_at + change.new_count)
            file.spans.append((change.old_at, ends[0], change.new_at, ends[1]))
        elif change.kind is ChangeKind.ADDED:
            file.spans.append((0, 0, 0, len(FileLines(change.added))))
        elif change.kind in _NOTED:
            file.notes.add(_NOTED[change.kind])
    return list(found.values())


def read_log(log: Iterable[bytes]) -> Iterator[tuple[Commit, Sequence[TouchedFile]]]:
    """The commits of a log, given line by line, each with the files that it touches."""
    commit: Commit | None = None
    touched: list[TouchedFile] = []
    rows = iter(log)
    for row in rows:
        if row.startswith(b"\0"):
            if commit is not None:
                yield commit, touched
            commit, touched = _commit(row), []
        elif row.startswith(b"diff --git "):
            path = _path(row)
            touched.append(TouchedFile(path, path))
        elif touched:
            _note(touched[-1], row, rows)
    if commit is not None:
        yield commit, touched


def _commit(row: bytes) -> Commit:
    sha, parents, author, date, subject = row[1:].decode(errors="replace").split("\x1f", 4)
    return Commit(sha, tuple(parents.split()), author, date, subject)


def _path(row: bytes) -> str:
    r"""The path in the first line of a file's diff, where it stands twice; if it was renamed, more follows.

    >>> _path(b"diff --git a/b c.txt b/b c.txt"), _path(b'diff --git "a/\\344" "b/\\344"')
    ('b c.txt', '\udce4')
    """
    both = row.removeprefix(b"diff --git ")
    return unquoted(both[: len(both) // 2]).partition("/")[2]


def _note(file: TouchedFile, row: bytes, rows: Iterator[bytes]) -> None:
    """What one line of a file's diff says; the lines of a hunk are left out."""
    if span := span_of(row):
        file.spans.append(span)
        skip(span, rows)
    elif row.startswith(_FROM):
        file.old_path = unquoted(row.removeprefix(_FROM))
    elif row.startswith(_TO):
        file.path = unquoted(row.removeprefix(_TO))
        file.notes.add(_TO.strip())
    else:
        file.notes.update(note for note in _NOTED.values() if row.startswith(note))
