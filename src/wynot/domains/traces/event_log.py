"""What a recorder writes: one flat list of numbers, and what it means.

A number from 0 on is a statement that is executed now. Below 0 are marks: a call begins or ends, a generator or
coroutine is left or entered again, what follows belongs to a statement that ran before. They say in which call a
statement was executed, and by which event that call was made.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass
from typing import Any, NamedTuple

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
