"""A trace as a tree: an event holds the events of the calls that it makes; a loop holds its rounds.

Leaving an event out leaves out all that happens during it. Numbers are given in the order of time, which is preorder.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.domains.traces.event_log import ADVANCE, NONE, START, WHILE, EventLog, RecordedRun, Statement


@dataclass(frozen=True, slots=True)
class TraceTree:
    """A trace as a domain: a candidate is the plan of a replay, the intervals of events that are executed."""

    recorded: RecordedRun
    events: EventLog
    shape: TreeShape
    nodes: array[int]
    """The node of each event."""
    ranks: array[int]
    """How many events come before each node, and in all."""

    def __len__(self) -> int:
        return len(self.nodes)

    def kept(self, config: Config) -> Config:
        """The events that are present."""
        bounds: list[int] = []
        for start, end in config.intervals():
            low, high = self.ranks[start], self.ranks[end]
            if bounds and bounds[-1] == low:
                bounds[-1] = high
            elif low < high:
                bounds += (low, high)
        return Config(tuple(bounds))

    def render(self, config: Config) -> bytes:
        """The plan of a replay."""
        return plan_of(self.kept(config))

    def digest(self, candidate: bytes) -> bytes:
        """The key of its outcome."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How many events are executed."""
        return len(kept_in(candidate))

    def statement(self, event: int) -> Statement:
        """The statement that an event executes."""
        return self.recorded.statements[self.events.statements[event]]

    def without(self, config: Config, nodes: Sequence[Sequence[int]], kept: Config) -> Config:
        """A configuration less those of these groups of nodes whose ranks are not kept."""
        absent = Config.full(len(nodes)) - kept
        lasts = self.shape.lasts
        starts = sorted(node for a, b in absent.intervals() for group in nodes[a:b] for node in group)
        bounds: list[int] = []
        end = -1
        for node in starts:
            if node < end:
                continue  # it is below one that is gone already
            if node == end and bounds:
                bounds[-1] = end = lasts[node]
            else:
                end = lasts[node]
                bounds += (node, end)
        return config - Config(tuple(bounds))

    def groups(self, config: Config, key: Callable[[int], int]) -> list[list[int]]:
        """The nodes of the events that are present, grouped by what their statements have in common."""
        found: dict[int, list[int]] = {}
        for event in self.kept(config):
            found.setdefault(key(self.events.statements[event]), []).append(self.nodes[event])
        return list(found.values())

    def singles(self, config: Config) -> list[list[int]]:
        """The nodes of the events that are present, each by itself."""
        return [[self.nodes[event]] for event in self.kept(config)]


def plan_of(kept: Config) -> bytes:
    r"""A plan: the intervals of the events to be executed.

    >>> plan_of(Config.of([0, 1, 4]))
    b'0 2\n4 5\n'
    """
    return b"".join(b"%d %d\n" % pair for pair in kept.intervals())


def kept_in(plan: bytes) -> Config:
    """The events of a plan."""
    return Config(tuple(map(int, plan.split())))


def trace_of(recorded: RecordedRun, events: EventLog) -> TraceTree:
    """The tree of a recorded run."""
    return _Growing(recorded, events).tree()


class _Growing:
    """Makes the nodes: one for each event, one for each loop, one for each round of a loop."""

    def __init__(self, recorded: RecordedRun, events: EventLog) -> None:
        self.recorded, self.events = recorded, events
        self.parents = array("i", [NONE])
        self.nodes = array("i")
        self.open: dict[int, list[_Loop]] = {}
        """The loops that are open in each stretch."""
        self.chains: dict[int, tuple[int, ...]] = {}

    def tree(self) -> TraceTree:
        for event, number in enumerate(self.events.statements):
            above = self.events.parents[event]
            top = 0 if above == NONE else self.nodes[above]
            self.nodes.append(self._node(self._place(self.events.stretches[event], number, top)))
        shape = shape_of(self.parents, array("i", [1]) * len(self.parents))
        return TraceTree(self.recorded, self.events, shape, self.nodes, self._ranks())

    def _ranks(self) -> array[int]:
        ranks = array("i", bytes(4 * (len(self.parents) + 1)))
        for node in self.nodes:
            ranks[node + 1] = 1
        total = 0
        for place, one in enumerate(ranks):
            total += one
            ranks[place] = total
        return ranks

    def _node(self, parent: int) -> int:
        self.parents.append(parent)
        return len(self.parents) - 1

    def _chain(self, loop: int) -> tuple[int, ...]:
        """A loop with all that it is in, the outermost first."""
        if loop == NONE:
            return ()
        if loop not in self.chains:
            self.chains[loop] = (*self._chain(self.recorded.statements[loop].loop), loop)
        return self.chains[loop]

    def _place(self, stretch: int, number: int, top: int) -> int:
        """The node that an event belongs below: a round of a loop, a loop, or the event above."""
        statement = self.recorded.statements[number]
        loop = {START: number, ADVANCE: number - 1, WHILE: number}.get(statement.kind, statement.loop)
        opened = self.open.setdefault(stretch, [])
        chain = self._chain(loop)
        depth = sum(1 for _ in takewhile(lambda pair: pair[0].loop == pair[1], zip(opened, chain, strict=False)))
        if statement.kind == START:
            depth = min(depth, len(chain) - 1)  # it begins anew
        del opened[depth:]
        for each in chain[depth:]:
            opened.append(_Loop(each, self._node(_within(opened, top))))
        if statement.kind == START:
            return opened[-1].node
        if opened and (opened[-1].round == NONE or statement.kind in {ADVANCE, WHILE}):
            opened[-1].round = self._node(opened[-1].node)
        return _within(opened, top)


class _Loop:
    """A loop that is open: its node, and that of its round."""

    __slots__ = ("loop", "node", "round")

    def __init__(self, loop: int, node: int) -> None:
        self.loop, self.node, self.round = loop, node, NONE


def _within(opened: list[_Loop], top: int) -> int:
    if not opened:
        return top
    return opened[-1].node if opened[-1].round == NONE else opened[-1].round
