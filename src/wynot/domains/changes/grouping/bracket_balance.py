"""Changes that close only together what they open: brackets, and the conditions of a preprocessor.

A hunk that opens a block which another one closes does not parse without it, whatever the language. No name tells
that, but counting does: from the first hunk of a file that leaves something open to the one that closes it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from wynot.domains.changes.change import Change, ChangeKind

MOST = 12
"""More hunks than so many are not supposed to be about one block."""
_LITERAL = re.compile(rb"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'")
_SIGNS = (
    re.compile(rb"(\{)|\}"),
    re.compile(rb"(\()|\)"),
    re.compile(rb"(\[)|\]"),
    re.compile(rb"(?m)^[ \t]*#[ \t]*(?:(if)|endif)"),
)


def together(changes: Sequence[Change], texts: Sequence[tuple[bytes, bytes]]) -> Iterator[list[int]]:
    r"""Hunks that go together; `texts`: what each removes and adds, without comments.

    >>> first = Change("a.c", "a.c", ChangeKind.HUNK, 1, 1, 1, 1, b"f();\n", b"if (x) {\n")
    >>> second = Change("a.c", "a.c", ChangeKind.HUNK, 9, 0, 9, 1, b"", b"}\n")
    >>> list(together([first, second], [(b"f();\n", b"if (x) {\n"), (b"", b"}\n")]))
    [[0, 1]]
    """
    files: dict[str, list[int]] = defaultdict(list)
    for number, change in enumerate(changes):
        if change.kind is ChangeKind.HUNK:
            files[change.path].append(number)
    for numbers in files.values():
        numbers.sort(key=lambda number: changes[number].old_at)
        if len(numbers) > 1:
            for sign in _SIGNS:
                yield from _bunches([(number, _depth(sign, texts[number])) for number in numbers])


def _depth(sign: re.Pattern[bytes], sides: tuple[bytes, bytes]) -> int:
    """How much more the new side leaves open than the old one."""
    removed, added = (sum(1 if match[1] else -1 for match in sign.finditer(_LITERAL.sub(b"", side))) for side in sides)
    return added - removed


def _bunches(depths: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """From one that leaves something open to the one where nothing is left; what never closes is no bunch."""
    bunch: list[int] = []
    left = 0
    for number, depth in depths:
        if depth:
            bunch.append(number)
            left += depth
            if not left:
                if len(bunch) <= MOST:
                    yield bunch
                bunch = []
