"""What git says of files that differ, read. The files are named by numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_FILE = re.compile(rb"\+\+\+ \D*(\d+)\s*$")
_FROM = re.compile(rb"rename from \D*(\d+)$")
_TO = re.compile(rb"rename to \D*(\d+)$")

Span = tuple[int, int, int, int]
"""Lines of the old file from the first number to the second are those of the new one from the third to the fourth."""


def read(diff: bytes) -> tuple[dict[int, list[Span]], dict[int, int]]:
    r"""The hunks of each new file; and for files with another name, the old number by the new one.

    >>> read(b"rename from old/3\nrename to new/1\n--- old/3\n+++ new/1\n@@ -2 +1,0 @@ f()\n--- x\n")
    ({1: [(1, 2, 1, 1)]}, {1: 3})
    """
    spans: dict[int, list[Span]] = {}
    renamed: dict[int, int] = {}
    was = now = 0
    rows = iter(diff.split(b"\n"))
    for row in rows:
        if span := span_of(row):
            spans.setdefault(now, []).append(span)
            skip(span, rows)
        elif found := _FILE.match(row):
            now = int(found[1])
        elif found := _FROM.match(row):
            was = int(found[1])
        elif found := _TO.match(row):
            renamed[int(found[1])] = was
    return spans, renamed


def span_of(row: bytes) -> Span | None:
    """What the header of a hunk says; where a side is empty, git names the line before it."""
    found = _HUNK.match(row)
    if found is None:
        return None
    old, old_count, new, new_count = (1 if group is None else int(group) for group in found.groups())
    old -= bool(old_count)
    new -= bool(new_count)
    return old, old + old_count, new, new + new_count


def skip(span: Span, rows: Iterator[bytes]) -> None:
    """Go on behind the lines of a hunk; one may be a note that there is no newline, which counts for none."""
    left = span[1] - span[0] + span[3] - span[2]
    while left and (row := next(rows, None)) is not None:
        left -= 0 if row.startswith(b"\\") else 2 if row.startswith(b" ") else 1
