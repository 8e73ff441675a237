"""How often the lines of a file were executed, whoever has counted; and what follows for a tree of sources."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from wynot.core.folder import Folder, Kind
from wynot.domains.coverage.comments import SUFFIX as COMMENTED
from wynot.domains.coverage.comments import silent_lines
from wynot.domains.coverage.executed import Executed
from wynot.domains.coverage.python import SUFFIX, idle_of
from wynot.domains.coverage.suffixes import Suffixes


class UnreadableError(ValueError):
    """A file of coverage that is not what it seems to be."""


@dataclass(slots=True)
class Counts:
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

        >>> sorted(Counts(Counter({3: 1, 5: 0, 9: 0, 11: 0}), {(8, 12)}).idle())
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


Table = defaultdict[str, Counts]
"""The counts of files, by the paths that a tool gave them."""


def new_table() -> Table:
    """A table without files."""
    return defaultdict(Counts)


def executed_of(table: Mapping[str, Counts], tree: Folder) -> Executed:
    """What follows for a tree. Files that nobody has counted may have been executed."""
    sources = tree.files
    suffixes = Suffixes(sources)
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
    files = (path for path, entry in tree.entries.items() if entry.kind is not Kind.FOLDER)
    return Executed(frozenset(files) - unread, lines, idle)


def merged(table: Mapping[str, Counts], suffixes: Suffixes) -> dict[str, Counts]:
    """The counts of the files of a tree; of those that were counted under several paths, all together."""
    found: dict[str, Counts] = {}
    for given, counts in table.items():
        path = suffixes.find(given)
        if path is None:
            continue
        into = found.setdefault(path, Counts())
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
