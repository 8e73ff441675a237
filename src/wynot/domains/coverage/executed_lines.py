"""What a run has executed of a tree of sources, and whether a change lies there (1999, section 10).

Changes to code that a failing run never executes are set aside first. To err on one side is cheap and on the other
side is not: what cannot be told counts as executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self


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
