"""Groups of related changes: adjacent hunks, shared identifiers, unbalanced brackets."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from wynot.core.config import Config
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.text.tokens import IDENTIFIER

# Stretches of changes that lie side by side: cut where nothing has changed for long, between files best of all.
#
# What was made together mostly stands together, in one file or in one folder, and so does what only makes sense as a
# whole (a table of numbers, say). A cut in the widest gap seldom goes through such a thing, whatever the language.


_FILES = 1 << 40
"""Two files are farther apart than any lines of one."""
_MIDDLE = 3
"""A cut leaves at least one part in so many on either side."""


class AdjacentRuns:
    r"""Changes in the order of their numbers, which go by path and position.

    >>> from wynot.domains.changes.change import ChangeKind
    >>> here = [Change("a", "a", ChangeKind.HUNK, at, 1, at, 1, b"x\n", b"y\n") for at in (1, 4, 9, 90, 95)]
    >>> AdjacentRuns(here, Config.full(5)).halves(Config.full(5))
    [Config(0-2), Config(3-4)]
    """

    def __init__(self, changes: Sequence[Change], counting: Config) -> None:
        self.changes = changes
        self.counting = frozenset(counting)
        """Those that count; others go where they lie."""

    def halves(self, config: Config) -> list[Config]:
        """Two stretches, each with a fair part of those that count; none, where it cannot be cut."""
        members = list(config)
        before, ways = 0, []
        whole = sum(each in self.counting for each in members)
        for place, each in enumerate(members):
            if place and 0 < before < whole and whole <= _MIDDLE * min(before, whole - before) + 1:
                ways.append((self._gap(members[place - 1], each), -abs(2 * before - whole), place))
            before += each in self.counting
        if not ways:
            return []
        place = max(ways)[2]
        return [Config.of(members[:place]), Config.of(members[place:])]

    def parts(self, config: Config, halving: int) -> list[Config]:
        """Cut so many times in two."""
        parts = [config]
        for _ in range(halving):
            parts = [half for part in parts for half in (self.halves(part) or [part])]
        return parts

    def _gap(self, one: int, other: int) -> int:
        """How far it is from one change to the next."""
        first, second = self.changes[one], self.changes[other]
        if first.path == second.path:
            return second.old_at - first.old_at - first.old_count
        shared = 0
        for left, right in zip(first.path.split("/"), second.path.split("/"), strict=False):
            if left != right:
                break
            shared += 1
        return _FILES - shared


# Changes that share identifiers: lexical criteria. In a group, those that have a rare word in common go together.


LOOKED_AT = 1 << 20
"""How many bytes of each side of a change are read."""
SHARE = 4
"""A word that more than one in so many changes of a group have says nothing."""


def words(change: Change) -> frozenset[str]:
    r"""The identifiers in what a change adds and removes.

    >>> edit = Change("a.c", "a.c", ChangeKind.HUNK, removed=b"int i = old(x);\n", added=b"int i = new_one(x);\n")
    >>> sorted(words(edit))
    ['i', 'int', 'new_one', 'old', 'x']
    """
    if change.kind not in {ChangeKind.HUNK, ChangeKind.ADDED, ChangeKind.DELETED}:
        return frozenset()
    sides = (change.removed[:LOOKED_AT], change.added[:LOOKED_AT])
    if b"\0" in sides[0] or b"\0" in sides[1]:
        return frozenset()
    found = {match[0] for side in sides for match in IDENTIFIER.finditer(side)}
    return frozenset(word.decode(errors="surrogateescape") for word in found)


def sharing(changes: Sequence[Change], keys: Sequence[Hashable]) -> list[tuple[str, ...]]:
    """Within those that have the same key: a word for each bunch of changes that hang together by rare words."""
    together: dict[Hashable, list[int]] = defaultdict(list)
    for number, key in enumerate(keys):
        together[key].append(number)
    found: list[tuple[str, ...]] = [()] * len(changes)
    for numbers in together.values():
        if len(numbers) > 2:
            for bunch, word in _bunches(changes, numbers):
                for number in bunch:
                    found[number] = (word,)
    return found


def _bunches(changes: Sequence[Change], numbers: Sequence[int]) -> Iterator[tuple[list[int], str]]:
    """Those that hang together, with the word that most of them share; the rarest words count first."""
    having: dict[str, list[int]] = defaultdict(list)
    for number in numbers:
        for word in words(changes[number]):
            if len(word) > 1:
                having[word].append(number)
    most = max(2, len(numbers) // SHARE)
    bunch_of = {number: [number] for number in numbers}
    names: dict[int, str] = {}
    for word, each in sorted(having.items(), key=lambda item: (len(item[1]), item[0])):
        if not 2 <= len(each) <= most:
            continue
        for other in each[1:]:
            one, two = sorted((bunch_of[each[0]], bunch_of[other]), key=len, reverse=True)
            if one is not two and len(one) + len(two) <= max(most, 2):
                one += two
                bunch_of.update((number, one) for number in two)
                names[id(one)] = word
    bunches = {id(bunch): bunch for bunch in bunch_of.values() if len(bunch) > 1}
    for key, bunch in bunches.items():
        yield sorted(bunch), names[key]


# Changes that close only together what they open: brackets, and the conditions of a preprocessor.
#
# A hunk that opens a block which another one closes does not parse without it, whatever the language. No name tells
# that, but counting does: from the first hunk of a file that leaves something open to the one that closes it.


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
                yield from _balanced_bunches([(number, _depth(sign, texts[number])) for number in numbers])


def _depth(sign: re.Pattern[bytes], sides: tuple[bytes, bytes]) -> int:
    """How much more the new side leaves open than the old one."""
    removed, added = (sum(1 if match[1] else -1 for match in sign.finditer(_LITERAL.sub(b"", side))) for side in sides)
    return added - removed


def _balanced_bunches(depths: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
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
