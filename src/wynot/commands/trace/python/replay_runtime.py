"""What replayed programs call: the trace, cut into calls, and the part of it that is to run."""

from __future__ import annotations

import array
import hashlib
import json
import marshal
import os
import sys
from bisect import bisect_left, bisect_right
from itertools import compress, islice
from typing import Any
from weakref import ref

from .instrument_replay import ReplayInstrumenter

NONE = -1
ROOM = 10
"""Frames of our own on top of a program's."""
_frame = sys._getframe


class ReplayTrace:
    """A recorded trace, and which of its events are to run."""

    def __init__(self, trace: bytes, plan: bytes) -> None:
        line, _, rest = trace.partition(b"\n")
        self.head = json.loads(line)
        self._rest = memoryview(rest).cast("i")
        self.statements, self.order = self._read("events"), self._read("events")
        self.functions, self.parents, self.ends = self._read("calls"), self._read("calls"), self._read("calls")
        self.mask = self.masked(plan)
        self._waiting: dict[int, dict[int, list[int]]] = {}

    def masked(self, plan: bytes) -> bytearray:
        """Of each event: whether a plan has it."""
        bounds = [int(word) for word in plan.split()]
        mask = bytearray(len(self.statements))
        for low, high in zip(bounds[::2], bounds[1::2]):  # noqa: B905 - not before 3.10
            mask[low:high] = b"\x01" * (high - low)
        return mask

    def _read(self, what: str) -> Any:
        count = self.head[what]
        values, self._rest = self._rest[:count], self._rest[count:]
        return array.array("i", values.tobytes())

    def call(self, parent: int, function: int) -> int:
        """The number of the next call of a function that this event makes; -1, if it was never made."""
        waiting = self._waiting.get(parent)
        if waiting is None:
            waiting = self._waiting[parent] = {}
            for which in range(bisect_right(self.parents, parent) - 1, bisect_left(self.parents, parent) - 1, -1):
                waiting.setdefault(self.functions[which], []).append(which)
        calls = waiting.get(function)
        return calls.pop() if calls else NONE

    def events(self, which: int) -> Any:
        """The events of a call, in the order of time."""
        return self.order[self.ends[which - 1] if which else 0 : self.ends[which]] if which != NONE else ()

    def kept(self, which: int, mask: bytearray) -> list[int]:
        """Those of them that are to run."""
        events = self.events(which)
        return list(compress(events, map(mask.__getitem__, events)))


class ReplayedCall:
    """A call under way."""

    __slots__ = ("__weakref__", "at", "depth", "node", "place", "rest", "rounds", "statements", "value", "which")

    def __init__(self, which: int, rest: list[int], statements: Any, depth: int) -> None:
        self.which, self.rest, self.statements, self.depth = which, rest, statements, depth
        self.place, self.node = 0, NONE
        self.rounds: dict[int, Any] = {}
        self.value: Any = None

    def look(self) -> None:
        """See what comes next."""
        self.at = self.statements[self.rest[self.place]] if self.place < len(self.rest) else NONE

    def go(self) -> bool:
        """The next event runs now."""
        self.node = self.rest[self.place]
        self._on()
        return True

    def _on(self) -> None:
        self.place += 1
        self.look()

    def skip(self, low: int, high: int) -> None:
        """Leave out what cannot be reached any more."""
        while low <= self.at < high:
            self._on()

    def reopen(self, statement: int) -> None:
        """What comes now belongs to a statement that ran before."""
        for place in range(self.place - 1, -1, -1):
            if self.statements[self.rest[place]] == statement:
                self.node = self.rest[place]
                return

    def taken(self) -> Any:
        """The value that a `with` gave."""
        value, self.value = self.value, None
        return value


class Nothing:
    """A context that does nothing."""

    def __enter__(self) -> Nothing:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    async def __aenter__(self) -> Nothing:
        return self

    async def __aexit__(self, *error: object) -> None:
        pass


class ReplayedItems:
    """An asynchronous iterator that is asked for once only."""

    def __init__(self, items: Any) -> None:
        self.inner = type(items).__aiter__(items)

    def __aiter__(self) -> ReplayedItems:
        return self

    def __anext__(self) -> Any:
        return type(self.inner).__anext__(self.inner)


class PythonReplay:
    """A replay under way."""

    rewriter = ReplayInstrumenter

    def __init__(self, trace: bytes, plan: bytes, codes: str | None = None) -> None:
        self.trace = ReplayTrace(trace, plan)
        self._folder = codes
        self.codes: set[int] = set()
        self.writing = False
        """Whether we ourselves are writing a file."""
        self.limit = sys.getrecursionlimit()
        self.calls: dict[int, Any] = {}
        self._places = {path: (base, first) for path, base, first in self.trace.head["files"]}
        self.names = {
            "__wynot_enter__": self.enter,
            "__wynot_nothing__": Nothing(),
            "__wynot_iter__": islice,  # asks for the iterator once, and is one itself: a `for` asks each time
            "__wynot_aiter__": ReplayedItems,
        }

    def deepen(self) -> None:
        """We need some room beyond the depth at which the program's own calls end."""
        really = sys.setrecursionlimit

        def set_limit(limit: int) -> None:
            really(limit + ROOM)
            self.limit = limit

        set_limit(self.limit)
        sys.setrecursionlimit = set_limit
        sys.getrecursionlimit = lambda: self.limit

    def places(self, path: str) -> tuple[int, int]:
        """Where the numbers of a file begin; those of a file that was not recorded match nothing."""
        return self._places.get(path, (1 << 29, 1 << 29))

    def _kept(self, path: str, source: bytes) -> str:
        return os.path.join(self._folder or "", hashlib.blake2b(path.encode() + source, digest_size=16).hexdigest())

    def known(self, path: str, source: bytes) -> Any:
        """The code of a file that another replay has rewritten before."""
        if self._folder is not None and os.path.exists(self._kept(path, source)):
            with open(self._kept(path, source), "rb") as file:
                return marshal.load(file)  # noqa: S302 - we wrote it
        return None

    def add(self, path: str, source: bytes, _numbering: ReplayInstrumenter, code: Any) -> None:
        """A file was rewritten: the next replay need not do it again."""
        if self._folder is not None:
            self.writing = True
            name = f"{self._kept(path, source)}.{os.getpid()}"
            with open(name, "wb") as file:
                marshal.dump(code, file)
            os.replace(name, self._kept(path, source))
            self.writing = False

    def own(self, code: Any) -> None:
        """Remember the code of a file: its frames are calls."""
        self.codes.add(id(code))
        for constant in code.co_consts:
            if hasattr(constant, "co_consts"):
                self.own(constant)

    def enter(self, function: int) -> ReplayedCall:
        """A call begins."""
        frame = _frame(1)
        caller = frame.f_back
        node, depth = NONE, 1
        while caller is not None:
            if id(caller.f_code) in self.codes:
                found = self.calls.get(id(caller))
                call = found() if found is not None else None
                if call is not None:
                    node, depth = call.node, depth + call.depth
                    break
            caller, depth = caller.f_back, depth + 1
        which = self.trace.call(node, function)
        if which == NONE and depth > self.limit - ROOM:
            raise RecursionError("maximum recursion depth exceeded")  # as the recorded run did, more or less here
        call = self.begun(which, depth)
        self.calls[id(frame)] = ref(call)
        call.look()
        return call

    def begun(self, which: int, depth: int) -> ReplayedCall:
        """A call."""
        return ReplayedCall(which, self.trace.kept(which, self.trace.mask), self.trace.statements, depth)
