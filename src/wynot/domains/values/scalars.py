"""Python values as deltas: lists, nested values, scalars."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Generic, NamedTuple, TypeVar

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.domains.values.deconstruct import fingerprint, may_go, parts, rebuilt

# A list of anything as deltas: for Python callers.


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ItemList(Generic[Item]):
    """Deltas are the items of a list; a candidate is the configuration with its sub-list, in order."""

    items: Sequence[Item]

    def __len__(self) -> int:
        return len(self.items)

    def render(self, config: Config) -> tuple[Config, list[Item]]:
        """The items that are present."""
        return config, [item for a, b in config.intervals() for item in self.items[a:b]]

    def digest(self, candidate: tuple[Config, list[Item]]) -> bytes:
        """Items need not be comparable: the configuration is the key."""
        return digest(array("Q", candidate[0].bounds).tobytes())

    def size(self, candidate: tuple[Config, list[Item]]) -> int:
        """How many items there are."""
        return len(candidate[1])


# A nested value as a tree of deltas: items, entries, keyword arguments. One that is absent takes all in it along.


class _Node(NamedTuple):
    value: Any
    step: Any
    free: bool


class NestedValue:
    """Deltas of a value; node 0 is the value itself."""

    def __init__(self, value: Any) -> None:
        self.nodes: list[_Node] = []
        above: list[int] = []
        self._walk(value, None, -1, above, frozenset(), free=False)
        self.shape: TreeShape = shape_of(above, [1] * len(above))

    def _walk(
        self, value: Any, step: Any, parent: int, above: list[int], around: frozenset[int], *, free: bool
    ) -> None:
        here = len(self.nodes)
        self.nodes.append(_Node(value, step, free))
        above.append(parent)
        holder = self.nodes[parent].value if parent >= 0 else None
        if id(value) in around or type(holder) in {set, frozenset}:
            return  # it holds itself; or without a part it might be the same as another item
        for place, part in parts(value):
            self._walk(part, place, here, above, around | {id(value)}, free=may_go(value, place))

    def __len__(self) -> int:
        return len(self.nodes)

    def cuttable(self, node: int) -> bool:
        """Whether a part may be left out."""
        return self.nodes[node].free

    def render(self, config: Config) -> Any:
        """The value with only these parts."""
        return self._built(0, config)

    def _built(self, node: int, config: Config) -> Any:
        value = self.nodes[node].value
        children = list(self.shape.children(node))
        if not children:
            return value
        return rebuilt(value, [(self.nodes[c].step, self._built(c, config)) for c in children if c in config])

    def digest(self, candidate: Any) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return fingerprint(candidate)

    def size(self, candidate: Any) -> int:
        """How much there is to read."""
        return length(candidate)


def length(value: Any, around: frozenset[int] = frozenset()) -> int:
    """How much there is to read in a value: characters of its strings, and one for each part."""
    own = len(value) + 1 if type(value) in {str, bytes} else 1
    if id(value) in around:
        return own  # it holds itself
    found = parts(value)
    return own + sum(length(part, around | {id(value)}) for _, part in found) if found else own


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
