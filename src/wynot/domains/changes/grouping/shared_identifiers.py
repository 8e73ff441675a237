"""Changes that share identifiers: lexical criteria. In a group, those that have a rare word in common go together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.text.lexical import IDENTIFIER

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
