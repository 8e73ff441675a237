"""The finer level: the single lines of a hunk, or of a new file; the single files of a folder that has moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wynot.domains.changes.change import Change, ChangeKind, hunk
from wynot.domains.changes.file_lines import FileLines
from wynot.domains.text.sequence_diff import differences


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
