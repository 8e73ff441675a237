"""Lines that give a name to something, in a text whose grammar is not known.

`ctypedef cython.floating real` ends with a name, and what it stands for comes before; `real = floating` begins with
one. A name that occurs but once elsewhere can give way to that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from wynot.domains.flat import Region
from wynot.domains.lexical import IDENTIFIER, NAME
from wynot.domains.tree.changes import Change, applied

_LINE = re.compile(rb"[^\n]+\n?")
_GIVING = re.compile(
    rb"\s*(?:\S+[^\S\n]+)+(?P<before>[\w$][^\s;]*)[^\S\n]+(?P<last>%(name)s)\s*;?\s*"
    rb"|\s*(?:\S+[^\S\n]+)?(?P<first>%(name)s)\s*:?=\s*(?P<after>[\w$][^\s;]*)\s*;?\s*" % {b"name": NAME}
)  # fmt: skip
LONGEST = 300
"""Lines longer than this (in bytes) say more than a name."""


class Standin(NamedTuple):
    """A name, what stands in for it, and the text without the former."""

    name: bytes
    other: bytes
    text: bytes


def aliases(data: bytes) -> Iterator[Standin]:
    r"""What the lines of a text call by another name, the last line first.

    >>> [(each.name, each.other, each.text) for each in aliases(b"type a.b c\nuse c\n")]
    [(b'c', b'a.b', b'use a.b\n')]
    """
    uses: dict[bytes, list[Region]] = {}
    for word in IDENTIFIER.finditer(data):
        uses.setdefault(word.group(), []).append(word.span())
    for line in reversed([line for line in _LINE.finditer(data) if len(line.group()) <= LONGEST]):
        match = _GIVING.fullmatch(line.group())
        if match is None:
            continue
        name, other = match["last"] or match["first"], match["before"] or match["after"]
        elsewhere = [use for use in uses.get(name, ()) if not line.start() <= use[0] < line.end()]
        if len(elsewhere) == 1:
            changes = [Change(line.start(), line.end(), b""), Change(*elsewhere[0], other)]
            yield Standin(name, other, applied(data, sorted(changes)))
