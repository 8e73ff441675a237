"""Hunks applied to a text, by their position in the old one.

A line that is not the last must end: if some hunks are left out, a line without an end can come to stand before
another one, and then it gets one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wynot.domains.changes.change import Change
from wynot.domains.changes.lines import Lines


class Edit(NamedTuple):
    """Lines of the old text, from one number to another, and what stands there instead."""

    start: int
    stop: int
    text: bytes


def edits(old: Lines, hunks: Iterable[Change]) -> list[Edit]:
    """What these hunks do to the lines of the old text, in order."""
    placed = sorted(hunks, key=lambda each: (each.old_at, each.new_at, each.old_count))
    found: list[Edit] = []
    for each in placed:
        edit = Edit(each.old_at, each.old_at + each.old_count, each.added)
        if found and found[-1].stop == edit.start:
            edit = Edit(found[-1].start, edit.stop, joined(found.pop().text, edit.text))
        found.append(edit)
    return _ended(old, found)


def _ended(old: Lines, found: list[Edit]) -> list[Edit]:
    """With an end to each line but the last."""
    for place, edit in enumerate(found):
        if edit.stop < len(old) and edit.text and not edit.text.endswith(b"\n"):
            found[place] = edit._replace(text=edit.text + b"\n")
    last = len(old) - 1
    if found and old.unended and found[-1].start > last and found[-1].text:
        found.append(Edit(last, last + 1, joined(old.cut(last, last + 1), found.pop().text)))
    return found


def joined(first: bytes, second: bytes) -> bytes:
    r"""Both, one below the other.

    >>> joined(b"a", b"b"), joined(b"a\n", b"b"), joined(b"a", b"")
    (b'a\nb', b'a\nb', b'a')
    """
    return first + b"\n" + second if first and second and not first.endswith(b"\n") else first + second


def edited(old: Lines, found: Iterable[Edit]) -> bytes:
    """The text after these edits."""
    pieces: list[bytes] = []
    at = 0
    for start, stop, text in found:
        pieces += (old.data[at : old.offset(start)], text)
        at = old.offset(stop)
    pieces.append(old.data[at:])
    return b"".join(pieces)
