"""A trace as a log of events and as a tree of calls and events."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.tree_shape import TreeShape, shape_of

# What a recorder writes: one flat list of numbers, and what it means.
#
# A number from 0 on is a statement that is executed now. Below 0 are marks: a call begins or ends, a generator or
# coroutine is left or entered again, what follows belongs to a statement that ran before. They say in which call a
# statement was executed, and by which event that call was made.


EXIT, OUT, REOPEN = -1, -2, -4
ENTER = 16
"""A call of function f is -(16 + 2f); if it can be left and entered again -(17 + 2f), and its own number follows."""
BACK = -(1 << 30)
"""From here down are those numbers; by itself, such a number says that the call is entered again."""
NONE = -1

LINE, HEADER, START, ADVANCE, WHILE = range(5)


class Statement(NamedTuple):
    """A statement of the program."""

    file: int
    line: int
    kind: int
    """A line; the header of an if or a with; the start of a for; its later rounds; the header of a while."""
    function: int
    loop: int
    """The header of the loop that it is in; -1: none."""


class SourceFile(NamedTuple):
    """A file of the program."""

    path: str
    source: str
    base: int
    """The number of its first statement..."""
    first: int
    """...and of its first function."""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A recorded run."""

    files: tuple[SourceFile, ...]
    statements: tuple[Statement, ...]
    functions: tuple[str, ...]
    marks: array[int]
    trouble: str = ""
    """What keeps the run from being replayed: threads, forks, too long."""


def read_recorded(data: bytes) -> RecordedRun:
    """What a recorder has written."""
    line, _, rest = data.partition(b"\n")
    head = json.loads(line)
    marks = array("i")
    marks.frombytes(rest[: head["count"] * marks.itemsize])
    files, statements, functions = [], list[Statement](), list[str]()
    for number, each in enumerate(head["files"]):
        files.append(SourceFile(each["path"], each["source"], each["base"], each["first"]))
        statements += [Statement(number, *words) for words in each["statements"]]
        functions += [title for title, _line in each["functions"]]
    return RecordedRun(tuple(files), tuple(statements), tuple(functions), marks, head["trouble"])


@dataclass(slots=True)
class CallLog:
    """The calls of a trace, in the order in which they began."""

    functions: array[int]
    parents: array[int]
    """The event that made the call; -1: none."""
    events: list[list[int]]


@dataclass(slots=True)
class EventLog:
    """The events of a trace in the order of time: what was executed, in which call, and what it was a part of."""

    statements: array[int]
    parents: array[int]
    """The event during which it happened; -1: none."""
    stretches: array[int]
    """Events with the same number ran one after the other in one frame."""
    calls: CallLog


class _Frame:
    """A call as it stands: `now` is the event under way."""

    __slots__ = ("call", "now", "parent", "stretch")

    def __init__(self, call: int, parent: int, stretch: int) -> None:
        self.call, self.parent, self.stretch, self.now = call, parent, stretch, parent


def events_of(recorded: RecordedRun) -> EventLog:
    """Replay the marks: who was called by whom, when."""
    return _Reading(recorded).run()


class _Reading:
    def __init__(self, recorded: RecordedRun) -> None:
        self.marks = iter(recorded.marks)
        calls = CallLog(array("i"), array("i"), [])
        self.events = EventLog(array("i"), array("i"), array("i"), calls)
        self.stack = [_Frame(NONE, NONE, 0)]
        self.stretch = 0
        self.resumable: dict[int, int] = {}

    def run(self) -> EventLog:
        events, stack = self.events, self.stack
        for mark in self.marks:
            frame = stack[-1]
            if mark >= 0:
                frame.now = len(events.statements)
                events.statements.append(mark)
                events.parents.append(frame.parent)
                events.stretches.append(frame.stretch)
                events.calls.events[frame.call].append(frame.now)
            elif mark <= BACK:
                self._push(self.resumable[mark], frame.now)
            elif mark <= -ENTER:
                self._enter(-ENTER - mark, frame.now)
            elif mark == REOPEN:
                frame.now = self._last(frame, next(self.marks))
            elif len(stack) > 1:
                stack.pop()
        return events

    def _enter(self, code: int, parent: int) -> None:
        calls = self.events.calls
        call = len(calls.functions)
        calls.functions.append(code // 2)
        calls.parents.append(parent)
        calls.events.append([])
        if code % 2:
            self.resumable[next(self.marks)] = call
        self._push(call, parent)

    def _push(self, call: int, parent: int) -> None:
        self.stretch += 1
        self.stack.append(_Frame(call, parent, self.stretch))

    def _last(self, frame: _Frame, statement: int) -> int:
        """The last event of this statement in this call."""
        for event in reversed(self.events.calls.events[frame.call]):
            if self.events.statements[event] == statement:
                return event
        return frame.now


def replay_arrays(events: EventLog) -> list[bytes]:
    """The statements by time, and cut into calls; calls are found by the event that made them."""
    calls = events.calls
    order = sorted(range(len(calls.functions)), key=calls.parents.__getitem__)
    grouped, ends = array("i"), array("i")
    for call in order:
        grouped.extend(calls.events[call])
        ends.append(len(grouped))
    functions = array("i", (calls.functions[call] for call in order))
    parents = array("i", (calls.parents[call] for call in order))
    return [each.tobytes() for each in (events.statements, grouped, functions, parents, ends)]


def replay_file(recorded: RecordedRun, events: EventLog) -> bytes:
    """What a player needs."""
    head: dict[str, Any] = {
        "files": [[each.path, each.base, each.first] for each in recorded.files],
        "events": len(events.statements),
        "calls": len(events.calls.functions),
    }
    return b"".join((json.dumps(head).encode(), b"\n", *replay_arrays(events)))


# A trace as a tree: an event holds the events of the calls that it makes; a loop holds its rounds.
#
# Leaving an event out leaves out all that happens during it. Numbers are given in the order of time, which is preorder.


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
