"""Texts read by tree-sitter, from what is known of other texts where that saves time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import tree_sitter

from wynot.domains.syntax.incremental_validity import differing
from wynot.domains.syntax.parse_limits import parse
from wynot.domains.syntax.syntax_tree import EditedRange

SMALL = 4096
"""Texts up to this size are parsed anew: it takes no longer than looking for what has changed."""


class ParsedVersion(NamedTuple):
    """A text and its syntax tree."""

    data: bytes
    tree: tree_sitter.Tree


def regrown(parser: tree_sitter.Parser, known: ParsedVersion, data: bytes) -> tree_sitter.Tree | None:
    """The tree of a text from that of another one; None where that would take as long as to read it anew.

    Only where neither has errors: what tree-sitter makes of one with errors can depend on where it comes from.
    """
    if len(data) <= SMALL or len(data) * 2 < len(known.data) or known.tree.root_node.has_error:
        return None
    place = differing(known.data, data)
    if (place[2] - place[0]) * 2 > len(data):
        return None
    tree = reparsed(parser, known, data, place)
    return None if tree.root_node.has_error else tree


def reparsed(
    parser: tree_sitter.Parser, known: ParsedVersion, data: bytes, place: tuple[int, int, int]
) -> tree_sitter.Tree:
    """Read a text that differs from a known one at one place."""
    start, old_end, new_end = place
    tree = known.tree.copy()
    point = _point(data, start)  # the same in both
    ends = _beyond(point, known.data[start:old_end]), _beyond(point, data[start:new_end])
    tree.edit(start, old_end, new_end, point, *ends)
    return parse(parser, data, tree)


def edited(
    parser: tree_sitter.Parser, known: ParsedVersion, data: bytes, places: Sequence[EditedRange]
) -> tree_sitter.Tree:
    """Read a text that differs from a known one at some places, in order."""
    tree = known.tree.copy()
    at, grown, point = 0, 0, (0, 0)
    for start, end, now in places:
        begin = start + grown
        point = _beyond(point, data[at:begin])
        after = _beyond(point, data[begin:now])
        tree.edit(begin, end + grown, now, point, _beyond(point, known.data[start:end]), after)
        at, grown, point = now, now - end, after
    return parse(parser, data, tree)


def _beyond(point: tuple[int, int], text: bytes) -> tuple[int, int]:
    """The row and column after a text that begins at a point."""
    rows = text.count(b"\n")
    return point[0] + rows, len(text) - text.rfind(b"\n") - 1 if rows else point[1] + len(text)


def _point(data: bytes, at: int) -> tuple[int, int]:
    """A position as row and column."""
    return data.count(b"\n", 0, at), at - data.rfind(b"\n", 0, at) - 1
