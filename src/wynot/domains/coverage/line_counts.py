"""How often lines are executed, and which lines cannot be executed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple, Self

from wynot.core.folder import EntryKind, Folder
from wynot.domains.coverage.unexecuted_python import PYTHON_SUFFIXES, idle_of

# Lines of C and its relatives in which there is nothing to execute: blank ones, and comments.


C_SUFFIXES = (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".inc", ".C", ".H", ".y", ".l")
_PIECE = re.compile(
    rb"""(?P<comment> /\*.*?\*/ | //(?:\\\r?\n|[^\n])* )
       | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.VERBOSE | re.DOTALL,
)


def silent_lines(source: bytes) -> frozenset[int]:
    r"""The lines without code.

    >>> sorted(silent_lines(b'/* one\n two */ int x;\n\n// four\nchar *s = "/*";\n'))
    [1, 3, 4]
    """
    code = _PIECE.sub(lambda found: b"\n" * found[0].count(b"\n") if found["comment"] else found[0], source)
    lines = code.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    return frozenset(number for number, line in enumerate(lines, 1) if not line.strip())


# What a run has executed of a tree of sources, and whether a change lies there (1999, section 10).
#
# Changes to code that a failing run never executes are set aside first. To err on one side is cheap and on the other
# side is not: what cannot be told counts as executed.


class ExecutedLines(NamedTuple):
    """The lines of a file that were executed, and those that were not."""

    lines: frozenset[int]
    idle: frozenset[int]


@dataclass(frozen=True, slots=True)
class ExecutedFiles:
    """The files that a run has read, and for some of them the lines.

    >>> run = ExecutedFiles(frozenset({"a.py", "b.c"}), {"a.py": frozenset({1, 2})}, {"a.py": frozenset({3, 4})})
    >>> run.touches("a.py", 3, 2), run.touches("a.py", 2, 2), run.touches("b.c", 3, 1), run.touches("c.c", 1, 1)
    (False, True, True, False)
    """

    files: frozenset[str]
    """All files that the run may have read: what is not among these it has not read."""
    lines: Mapping[str, frozenset[int]] | None = None
    """The lines that were executed, for the files of which that is known."""
    idle: Mapping[str, frozenset[int]] | None = None
    """The lines that were not, or that belong to such a line; all others may have been."""

    def touches(self, path: str, start: int, count: int) -> bool:
        """Whether the run may have executed any of these lines; of no lines, what is around the place behind `start`.

        Lines are counted from 1.
        """
        if path not in self.files:
            return False
        idle = (self.idle or {}).get(path)
        if not idle:
            return True
        lines = range(start, start + count) if count else range(max(start, 1), start + 2)
        return not all(line in idle for line in lines)

    def as_json(self) -> dict[str, Any]:
        """For the journal."""
        return {"files": sorted(self.files), "lines": _plain(self.lines), "idle": _plain(self.idle)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """From the journal."""
        lines, idle = (
            t and {path: frozenset(found) for path, found in t.items()} for t in (data["lines"], data["idle"])
        )
        return cls(frozenset(data["files"]), lines, idle)


def _plain(table: Mapping[str, frozenset[int]] | None) -> dict[str, list[int]] | None:
    return None if table is None else {path: sorted(found) for path, found in sorted(table.items())}


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
        if not path.endswith(PYTHON_SUFFIXES):
            silent = silent_lines(sources[path]) if path.endswith(C_SUFFIXES) else frozenset[int]()
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
