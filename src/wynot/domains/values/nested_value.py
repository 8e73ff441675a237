"""A nested value as a tree of deltas: items, entries, keyword arguments. One that is absent takes all in it along."""

from __future__ import annotations

from typing import Any, NamedTuple

from wynot.core.config import Config
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.domains.values.deconstruct import fingerprint, may_go, parts, rebuilt


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
