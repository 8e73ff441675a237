"""How often the lines of files were executed, and which file of a tree a reported path means."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePosixPath, PureWindowsPath

from wynot.core.folder import EntryKind, Folder
from wynot.domains.coverage.c_comments import SUFFIX as COMMENTED
from wynot.domains.coverage.c_comments import silent_lines
from wynot.domains.coverage.executed_lines import ExecutedFiles
from wynot.domains.coverage.unexecuted_python import SUFFIX, idle_of


class PathSuffixes:
    """Finds files by the longest end of a path.

    >>> tree = PathSuffixes(["src/a.c", "lib/a.c", "b.c"])
    >>> tree.find("/home/me/project/src/a.c"), tree.find("../b.c"), tree.find("a.c"), tree.find("/usr/include/x.h")
    ('src/a.c', 'b.c', None, None)
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for path in paths:
            parts = tuple(path.split("/"))
            self._by_name[parts[-1]].append(parts)

    def find(self, given: str) -> str | None:
        """The file of the tree; None if there is none, or if it could be several.

        One of the two paths must end with the other: two files are not the same because they have the same name.
        """
        parts = _parts(given)
        if not parts:
            return None
        common = [own for own in self._by_name.get(parts[-1], ()) if _ends(parts, own)]
        longest = max((min(len(own), len(parts)) for own in common), default=0)
        best = [own for own in common if min(len(own), len(parts)) == longest]
        return "/".join(best[0]) if len(best) == 1 else None


def _ends(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one of these ends with the other."""
    least = min(len(one), len(other))
    return one[-least:] == other[-least:]


def _parts(given: str) -> tuple[str, ...]:
    path = PureWindowsPath(given) if "\\" in given and "/" not in given else PurePosixPath(given)
    parts: list[str] = []
    for part in path.parts[1:] if path.anchor else path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != "..":
            parts.append(part)
    return tuple(parts)


class UnreadableError(ValueError):
    """A file of coverage that is not what it seems to be."""


@dataclass(slots=True)
class LineCounts:
    """The counts of one file."""

    lines: Counter[int] = field(default_factory=Counter)
    """How often each line was executed that can be; 0 for those that were not."""
    functions: set[tuple[int, int]] = field(default_factory=set)
    """First and last lines of functions."""

    def add(self, line: int, count: int) -> None:
        """Count a line; one that is there several times, as templates are, is executed if any of them is."""
        self.lines[line] += max(0, count)

    @property
    def executed(self) -> frozenset[int]:
        """The lines that were executed."""
        return frozenset(line for line, count in self.lines.items() if count)

    def idle(self) -> frozenset[int]:
        """The lines that were not executed, and what lies between them within a function, or is all of a function.

        Other lines that cannot be executed may be types or macros that others use: they are not idle.

        >>> sorted(LineCounts(Counter({3: 1, 5: 0, 9: 0, 11: 0}), {(8, 12)}).idle())
        [5, 8, 9, 10, 11, 12]
        """
        idle = {line for line, count in self.lines.items() if not count}
        known = sorted(self.lines)
        for first, last in self.functions:
            inside = known[bisect_left(known, first) : bisect_right(known, last)]
            if inside and idle.issuperset(inside):
                idle.update(range(first, last + 1))
            for one, next_one in pairwise(inside):
                if one in idle and next_one in idle:
                    idle.update(range(one, next_one))
        return frozenset(idle)


Table = defaultdict[str, LineCounts]
"""The counts of files, by the paths that a tool gave them."""


def new_table() -> Table:
    """A table without files."""
    return defaultdict(LineCounts)


def executed_of(table: Mapping[str, LineCounts], tree: Folder) -> ExecutedFiles:
    """What follows for a tree. Files that nobody has counted may have been executed."""
    sources = tree.files
    suffixes = PathSuffixes(sources)
    unread: set[str] = set()
    lines: dict[str, frozenset[int]] = {}
    idle: dict[str, frozenset[int]] = {}
    for path, counts in merged(table, suffixes).items():
        lines[path] = counts.executed
        if not path.endswith(SUFFIX):
            silent = silent_lines(sources[path]) if path.endswith(COMMENTED) else frozenset[int]()
            idle[path] = counts.idle() | silent
        elif lines[path]:
            idle[path] = idle_of(sources[path], lines[path])
        else:
            unread.add(path)  # not even imported
    files = (path for path, entry in tree.entries.items() if entry.kind is not EntryKind.FOLDER)
    return ExecutedFiles(frozenset(files) - unread, lines, idle)


def merged(table: Mapping[str, LineCounts], suffixes: PathSuffixes) -> dict[str, LineCounts]:
    """The counts of the files of a tree; of those that were counted under several paths, all together."""
    found: dict[str, LineCounts] = {}
    for given, counts in table.items():
        path = suffixes.find(given)
        if path is None:
            continue
        into = found.setdefault(path, LineCounts())
        for line, count in counts.lines.items():
            into.add(line, count)
        into.functions |= counts.functions
    return found


def whole_numbers(texts: Iterable[str]) -> list[int]:
    """These as numbers; what is none is an error of the file."""
    try:
        return [int(float(text)) for text in texts]
    except (ValueError, OverflowError):
        raise UnreadableError("a number is none") from None
