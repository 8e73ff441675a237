"""Which descendants may take a node's place. Found out by parsing, once for each kind of place and heir."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice

from wynot.domains.syntax.edits.edit_candidates import EditCandidates, Run

DEPTH = 4
"""How far below a node its heirs are looked for..."""
FAR = 16
"""...and from how far on in steps that double..."""
MOST = 12
"""...and how many of them are taken."""

_BEGIN = re.compile(rb"(?:do|begin|then)\b")
_END = b"end"
"""Words that are brackets."""


class HoistCandidates:
    """What may stand for each node of a tree: one node below it, or all children of one."""

    def __init__(self, places: EditCandidates) -> None:
        self._places, self._tree = places, places.tree

    def __call__(self, node: int) -> Sequence[Run]:
        """The nearest ones that fit."""
        return self._all[node]

    @cached_property
    def _all(self) -> Sequence[Sequence[Run]]:
        """Those of all nodes, in order: what fits must not depend on who is asked for first."""
        return [
            tuple(self._find(node)) if node and self._places.may_go(node) else () for node in range(len(self._tree))
        ]

    def _find(self, node: int) -> Iterator[Run]:
        return islice(chain(self._far(node), self._near(node)), MOST)

    def _far(self, node: int) -> Iterator[Run]:
        """In deep trees: nodes of the same kind far below, the farthest first; else each level takes a test."""
        for table in reversed(self._jumps):
            below = table[node]
            if below >= 0 and self._tree.kinds[below] == self._tree.kinds[node]:
                yield below, below

    @cached_property
    def _jumps(self) -> Sequence[Sequence[int]]:
        """For each node, which one is FAR, 2 FAR, 4 FAR ... levels below it, always by the largest child."""
        shape = self._tree.shape
        if max(shape.depths, default=0) < FAR:
            return ()
        table = array("q", [-1]) * len(shape)
        for node in range(len(shape) - 1, 0, -1):
            parent = shape.parents[node]
            if table[parent] < 0 or shape.weights[node] >= shape.weights[table[parent]]:
                table[parent] = node
        tables = [table]
        while any(node >= 0 for node in tables[-1]):
            last = tables[-1]
            tables.append(array("q", (last[node] if node >= 0 else -1 for node in last)))
        return tables[FAR.bit_length() - 1 : -1]

    def _near(self, node: int) -> Iterator[Run]:
        """Breadth first; below one that fits only if it is nothing but brackets around others."""
        front = [node]
        for _ in range(DEPTH):
            below: list[int] = []
            for each in front:
                children = list(self._tree.shape.children(each))
                run = (children[0], children[-1]) if len(children) > 1 else None
                if run and not self._fills(node, run) and self._places.fits(node, each, run):
                    yield run
                for child in children:
                    fits = self._places.fits(node, child, (child, child))
                    if fits:
                        yield child, child
                    if not fits or self._brackets(child):
                        below.append(child)
            front = below

    def _fills(self, node: int, run: Run) -> bool:
        """Whether a run is all there is to a node."""
        tree = self._tree
        return (tree.starts[run[0]], tree.ends[run[1]]) == (tree.starts[node], tree.ends[node])

    def _brackets(self, node: int) -> bool:
        data, start, end = self._tree.data, self._tree.starts[node], self._tree.ends[node]
        if data[end - 1] in b")}]":
            return data[start] in b"({["
        return data.endswith(_END, start, end) and _BEGIN.match(data, start, end) is not None
