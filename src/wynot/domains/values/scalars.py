"""The ends of a nested value: strings to cut, numbers to make smaller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from wynot.core.config import Config
from wynot.domains.values.deconstruct import fingerprint, parts, rebuilt
from wynot.domains.values.nested_value import length

Way = tuple[int, ...]
"""From the outside to a part: its number among the parts, at each level."""


def leaves(value: Any, way: Way = (), around: frozenset[int] = frozenset()) -> Iterator[tuple[Way, Any]]:
    """All parts that have no parts themselves, and the way to each. What is in a set is left alone.

    >>> list(leaves({"a": [1, "b"]}))
    [((0, 0), 1), ((0, 1), 'b')]
    """
    found = parts(value) if id(value) not in around else []
    if not found:
        yield way, value
    elif type(value) not in {set, frozenset}:
        for number, (_, part) in enumerate(found):
            yield from leaves(part, (*way, number), around | {id(value)})


def replaced(value: Any, way: Way, new: Any) -> Any:
    """The value with another part at the end of the way.

    >>> replaced({"a": [1, "b"]}, (0, 1), "c")
    {'a': [1, 'c']}
    """
    if not way:
        return new
    found = parts(value)
    step, part = found[way[0]]
    found[way[0]] = (step, replaced(part, way[1:], new))
    return rebuilt(value, found)


@dataclass(frozen=True, slots=True)
class ScalarPieces:
    """A string (or bytes) in a value, as a row of pieces that can be left out."""

    value: Any
    way: Way
    pieces: Sequence[Any]
    nothing: Any
    """The empty string, or no bytes."""

    def __len__(self) -> int:
        return len(self.pieces)

    def render(self, config: Config) -> Any:
        """The value with only these pieces of the string."""
        kept = (piece for start, stop in config.intervals() for piece in self.pieces[start:stop])
        return replaced(self.value, self.way, self.nothing.join(kept))

    def digest(self, candidate: Any) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return fingerprint(candidate)

    def size(self, candidate: Any) -> int:
        """How much there is to read."""
        return length(candidate)


def cuts(text: str | bytes) -> Iterator[list[Any]]:
    """The pieces of a string, coarse to fine: its lines, if there are some, then its characters."""
    lines: list[Any] = list(text.splitlines(keepends=True))
    if len(lines) > 1:
        yield lines
    yield [text[at : at + 1] for at in range(len(text))]


def simpler(value: Any) -> Iterator[Any]:
    """What may stand in the place of a number, the simplest first.

    >>> list(simpler(9)), list(simpler(2.5)), list(simpler(True))
    ([0, 1, 5, 7, 8], [0.0, 1.0, 2.0], [False])
    """
    kind = type(value)
    if kind is bool:
        yield from [False] * value
    elif kind is int:
        sign = -1 if value < 0 else 1
        size = abs(value)
        steps = (size - (size >> shift) for shift in range(1, size.bit_length()))
        yield from dict.fromkeys([n for n in (0, 1) if n < size] + [sign * n for n in steps if 1 < n < size])
        if value < 0:
            yield -value
    elif kind is float and isfinite(value):
        yield from dict.fromkeys(n for n in (0.0, 1.0, float(int(value))) if abs(n) < abs(value))
