"""A folder with some changes applied, and changes split into smaller ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from wynot.core.config import Config
from wynot.core.folder import Entry, Folder, parents
from wynot.core.folder import EntryKind as What
from wynot.domains.changes.change import Change, ChangedFile, ChangeKind, FileLines, changed, hunk
from wynot.domains.text.pair_edits import differences

# The finer level: the single lines of a hunk, or of a new file; the single files of a folder that has moved.


def lines_of(change: Change) -> tuple[Change, ...]:
    r"""The lines of a change, each a change of its own; all together are the same as the change.

    A line that stands for another one is one change, and so is each line without a counterpart. A new file is an empty
    one and its lines. Files that have moved together do so one by one. What has no lines is left as it is.

    >>> [each.header for each in lines_of(hunk("f", "f", (4, 1, b"a\n"), (4, 3, b"b\nc\nd\n")))]
    ['@@ -5,1 +5,1 @@', '@@ -5,0 +6,1 @@', '@@ -5,0 +7,1 @@']
    """
    if change.moved:
        return tuple(change.parts)
    if change.kind is ChangeKind.HUNK:
        return tuple(_lines(change)) if max(change.old_count, change.new_count) > 1 else (change,)
    if change.kind is ChangeKind.ADDED and change.added and b"\0" not in change.added and change.new_mode >> 12 == 0o10:
        whole = FileLines(change.added)
        content = hunk(change.path, change.old_path, (0, 0, b""), (0, len(whole), change.added))
        return (replace(change, added=b""), *_lines(content))
    return (change,)


def _lines(change: Change) -> Iterator[Change]:
    """The lines that differ, within a hunk; in a merged one some may not."""
    before, after = FileLines(change.removed), FileLines(change.added)
    old = [before.cut(each, each + 1) for each in range(len(before))]
    new = [after.cut(each, each + 1) for each in range(len(after))]
    for span in differences(old, new):
        paired = min(span.old_stop - span.old_start, span.new_stop - span.new_start)
        both = [(span.old_start + each, 1, span.new_start + each, 1) for each in range(paired)]
        gone = [(each, 1, span.new_stop, 0) for each in range(span.old_start + paired, span.old_stop)]
        come = [(span.old_stop, 0, each, 1) for each in range(span.new_start + paired, span.new_stop)]
        for a, removed, c, added in (*both, *gone, *come):
            yield hunk(
                change.path,
                change.old_path,
                (change.old_at + a, removed, before.cut(a, a + removed)),
                (change.new_at + c, added, after.cut(c, c + added)),
            )


KEPT = 4
"""How many versions of each file are remembered."""
_MOVING = {ChangeKind.ADDED, ChangeKind.DELETED, ChangeKind.RENAMED, ChangeKind.LINK}

Version = tuple[str, Entry, bytes] | None
"""Where a file is, what it is, and what tells it apart; None if there is none."""


class PatchedFolder:
    """Deltas: the changes from an old folder to a new one. None gives the old one, all the new one.

    Any changes can go with any others. Where a file is to be in the place of a folder, the folder stays as long as
    there is something in it.
    """

    def __init__(self, old: Folder, new: Folder, changes: Sequence[Change]) -> None:
        self.old, self.new = old, new
        self.changes = tuple(changes)
        self.files = tuple(changed(old, self.changes))
        self._cache: list[OrderedDict[bytes, Version]] = [OrderedDict() for _ in self.files]
        self._moving = [any(change.kind in _MOVING for change in file.changes) for file in self.files]
        self._walk = _walk(old, new)
        self._loose = _loose(old, new)
        self._inside = _inside(self._walk, self._loose)

    def __len__(self) -> int:
        return len(self.changes)

    def render(self, config: Config) -> Folder:
        """The old folder with these changes."""
        entries, digests = dict(self.old.entries), dict(self.old.digests)
        moving = False
        arrived: list[tuple[str, Entry, bytes]] = []
        for number, version in self._versions(config):
            if self._moving[number]:
                moving = True
                entries.pop(self.files[number].old_path, None)
            if version is not None:
                arrived.append(version)
        for path, entry, digest in arrived:
            entries[path] = entry
            digests[path] = digest
        return self._settled(entries, digests) if moving else Folder(entries, digests)

    def _versions(self, config: Config) -> Iterator[tuple[int, Version]]:
        """What has become of each file that some of these changes are about."""
        flags = bytearray(len(self.changes))
        for start, stop in config.intervals():
            flags[start:stop] = b"\1" * (stop - start)
        for number, file in enumerate(self.files):
            first, last = file.numbers[0], file.numbers[-1] + 1
            key = bytes(flags[first:last])
            if 1 in key:
                if last - first != len(file.numbers):
                    key = bytes(flags[each] for each in file.numbers)
                    if 1 not in key:
                        continue
                yield number, self._version(number, file, key)

    def _version(self, number: int, file: ChangedFile, key: bytes) -> Version:
        """What has become of a file with the changes that are marked."""
        known = self._cache[number]
        if key in known:
            known.move_to_end(key)
            return known[key]
        fate = file.fate(change for change, here in zip(file.changes, key, strict=True) if here)
        version: Version = None
        if fate.now is not None:
            version = self._named(fate.path, fate.now)
        known[key] = version
        if len(known) > KEPT:
            known.popitem(last=False)
        return version

    def _named(self, path: str, entry: Entry) -> Version:
        """With its digest; what is as in the new folder is not kept twice."""
        there = self.new.entries.get(path)
        return (path, entry, entry.digest(path)) if entry != there else (path, there, self.new.digests[path])

    def _settled(self, entries: dict[str, Entry], digests: dict[str, bytes]) -> Folder:
        """With the folders that are needed for what is in them, and no others; in the order of a walk."""
        needed = {folder for path, folders in self._inside if path in entries for folder in folders}
        for path, (entry, digest) in self._loose.items():
            if path in needed:
                entries[path], digests[path] = entry, digest
            elif path in entries and entries[path] is entry:
                del entries[path]
        ordered = {path: entries[path] for path in self._walk if path in entries}
        return Folder(ordered, {path: digests[path] for path in ordered})

    def digest(self, candidate: Folder) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return candidate.digest()

    def size(self, candidate: Folder) -> int:
        """How large a candidate is, in bytes."""
        return candidate.size


def _walk(old: Folder, new: Folder) -> list[str]:
    """All paths that may be there, in the order of a walk."""
    return sorted(old.entries.keys() | new.entries.keys(), key=lambda path: path.split("/"))


def _loose(old: Folder, new: Folder) -> dict[str, tuple[Entry, bytes]]:
    """The folders that are only in one of them, and there because of what is in them."""
    found = {}
    for one, other in ((old, new), (new, old)):
        inhabited = {path.rpartition("/")[0] for path in one.entries}
        for path, entry in one.entries.items():
            there = other.entries.get(path)
            if entry.kind is What.FOLDER and path in inhabited and (there is None or there.kind is not What.FOLDER):
                found[path] = entry, one.digests[path]
    return found


def _inside(walk: list[str], loose: dict[str, tuple[Entry, bytes]]) -> list[tuple[str, list[str]]]:
    """What is in those folders, and in which; the folders themselves do not count."""
    folders = ((path, [each for each in parents(path) if each in loose]) for path in walk if path not in loose)
    return [(path, above) for path, above in folders if above]
