"""Steps of a native program under gdb: record them, replay them with other values."""

from __future__ import annotations

import array
import json
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from typing import Any

import gdb

# Strange values for what was not set: numbers that nothing gives, pointers that lead nowhere but back.
#
# A variable on the stack whose assignment is skipped holds whatever was there, 0 as likely as not. A replay must not
# depend on that, nor crash on it: so unset numbers are odd, and unset pointers point into a page full of pointers into
# itself. Runs inside gdb.


ROOM = 1 << 16
ODD = b"\x5b"


def make_room() -> int:
    """A page of our own in the program, which has just been started; 0: there is none."""
    if gdb.selected_frame().architecture().name() != "i386:x86-64":
        return 0
    inferior, pc = gdb.selected_inferior(), int(gdb.newest_frame().pc())
    names = ("rax", "rdi", "rsi", "rdx", "r10", "r8", "r9", "rcx", "r11", "rip")
    before = {name: int(gdb.parse_and_eval(f"(unsigned long long) ${name}")) for name in names}
    code = bytes(inferior.read_memory(pc, 2))
    inferior.write_memory(pc, b"\x0f\x05")
    wanted = {"rax": 9, "rdi": 0, "rsi": ROOM, "rdx": 3, "r10": 0x22, "r8": (1 << 64) - 1, "r9": 0}
    for name, value in wanted.items():
        gdb.execute(f"set ${name} = {value}", to_string=True)
    gdb.execute("stepi", to_string=True)
    room = int(gdb.parse_and_eval("(unsigned long long) $rax"))
    inferior.write_memory(pc, code)
    for name, value in before.items():
        gdb.execute(f"set ${name} = {value}", to_string=True)
    if room > 1 << 62:
        return 0
    middle = room + ROOM // 2
    inferior.write_memory(room, middle.to_bytes(8, "little") * (ROOM // 8))
    return middle


def _value(kind: Any, room: int) -> Any:
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_PTR:
        return room.to_bytes(8, "little") if room else None
    if kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_CHAR):
        return ODD * kind.sizeof
    return None


def make_strange(room: int) -> None:
    """Give odd values to the variables of the newest frame, before it begins."""
    frame = gdb.newest_frame()
    try:
        block = frame.block()
    except RuntimeError:
        return
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.is_variable and not symbol.is_argument and symbol.needs_frame:
                value = symbol.value(frame)
                odd = _value(value.type, room)
                if value.address is not None and odd is not None:
                    gdb.selected_inferior().write_memory(int(value.address), odd)
        if block.function is not None:
            return
        block = block.superblock


def strange_result(room: int) -> None:
    """A function that returns without a result."""
    if room:
        gdb.execute(f"set $rax = {room}", to_string=True)


EXIT, ENTER, NONE = -1, 16, -1


def _pc() -> int:
    return int(gdb.newest_frame().pc())


def _base() -> int:
    """What a call is known by: where the stack of its caller ends."""
    older = gdb.newest_frame().older()
    return int(older.read_register("sp")) if older is not None else 1 << 62  # main


class NativeFrame:
    """A call under way."""

    def __init__(self, function: Any, base: int, rest: list[int]) -> None:
        self.function, self.base, self.rest = function, base, rest
        self.place, self.node, self.line, self.fresh = 0, NONE, 0, True


class NativeSteps(ABC):
    """What recording and replay have in common: the calls."""

    def __init__(self, lines: Any) -> None:
        self.lines, self.trouble = lines, ""
        self.frames: list[NativeFrame] = []

    def stop(self) -> bool | None:
        """The program has stopped at the beginning of a line, or of a function."""
        pc, base = _pc(), _base()
        if pc in self.lines.by_entry:
            self._drop(base, below=True)
            self.lines.watch(self.lines.by_entry[pc])
            self.enter(self.lines.by_entry[pc], base)
            return None
        function = self.lines.by_address.get(pc)
        if function is None:
            return None
        self._drop(base, below=False)
        if not self.frames or self.frames[-1].base != base:
            self.enter(function, base)  # it was jumped into
        return self.line(self.frames[-1], pc)

    def _drop(self, base: int, *, below: bool) -> None:
        """Calls whose part of the stack is free again are over."""
        while self.frames and (self.frames[-1].base < base or (below and self.frames[-1].base <= base)):
            self.left(self.frames.pop())

    def begin(self) -> None:  # noqa: B027 - most need nothing here
        """The program is there, and has not done anything yet."""

    @abstractmethod
    def enter(self, function: Any, base: int) -> None:
        """A call begins."""

    def left(self, _frame: NativeFrame) -> None:  # noqa: B027 - most need nothing here
        """A call is over."""

    @abstractmethod
    def line(self, frame: NativeFrame, pc: int) -> bool | None:
        """A line of a call begins; False ends the run."""


class NativeRecording(NativeSteps):
    """Writes down what happens."""

    def __init__(self, lines: Any, options: dict[str, Any]) -> None:
        super().__init__(lines)
        self.path, self.limit = options["recording"], min(options["limit"], 200_000)
        self.marks = array.array("i")
        self.numbers: dict[int, int] = {}

    def enter(self, function: Any, base: int) -> None:
        """A call begins."""
        self.marks.append(-(ENTER + 2 * function.number))
        self.frames.append(NativeFrame(function, base, []))

    def left(self, _frame: NativeFrame) -> None:
        """A call is over."""
        self.marks.append(EXIT)

    def line(self, frame: NativeFrame, pc: int) -> bool | None:
        """A line of a call begins; False ends the run."""
        function = frame.function
        if pc in function.exits:
            frame.line = 0
            return None
        line = function.entries[pc]
        if line != frame.line:
            frame.line = line
            self.marks.append(self.numbers.setdefault(pc, len(self.numbers)))
        if len(self.marks) > self.limit:
            self.trouble = "long"
            return False
        return None

    def write(self) -> None:
        """The recording; each address that begins an event is a statement."""
        rows = []
        for pc in self.numbers:
            function = self.lines.by_address[pc]
            rows.append((function.file, function.entries[pc], function.number))
        files = []
        for number, path in enumerate(self.lines.files):
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    source = file.read()
            except OSError:
                source = ""
            files.append({"path": path, "source": source, "number": number})
        head = {
            "files": files, "rows": rows, "titles": [f.name for f in self.lines.functions], "trouble": self.trouble,
            "count": len(self.marks), "pcs": list(self.numbers),
        }  # fmt: skip
        with open(self.path, "wb") as out:
            out.write(json.dumps(head).encode() + b"\n")
            self.marks.tofile(out)


class NativeReplay(NativeSteps):
    """Lets the trace decide what runs next."""

    def __init__(self, lines: Any, options: dict[str, Any], plan: str) -> None:
        super().__init__(lines)
        with open(options["recording"], "rb") as file:
            self.pcs = json.loads(file.readline())["pcs"]
        with open(options["trace"], "rb") as file:
            head = json.loads(file.readline())
            arrays = [array.array("i") for _ in range(5)]
            for values, what in zip(arrays, ("events", "events", "calls", "calls", "calls"), strict=True):
                values.fromfile(file, head[what])
        self.statements, self.order, self.functions, self.parents, self.ends = arrays
        with open(plan, encoding="ascii") as text:
            bounds = [int(word) for word in text.read().split()]
        self.kept: set[int] = set()
        for low, high in zip(bounds[::2], bounds[1::2], strict=True):
            self.kept.update(range(low, high))
        self.waiting: dict[tuple[int, int], list[int]] = {}
        self.strange = options.get("strange", True)
        self.jumped = self.room = 0

    def begin(self) -> None:
        """The program is there, and has not done anything yet."""
        if self.strange:
            self.room = make_room()

    def _call(self, node: int, function: int) -> list[int]:
        key = node, function
        if key not in self.waiting:
            calls = range(bisect_left(self.parents, node), bisect_right(self.parents, node))
            self.waiting[key] = [call for call in reversed(calls) if self.functions[call] == function]
        if not self.waiting[key]:
            return []
        call = self.waiting[key].pop()
        events = self.order[self.ends[call - 1] if call else 0 : self.ends[call]]
        return [event for event in events if event in self.kept]

    def enter(self, function: Any, base: int) -> None:
        """A call begins."""
        node = self.frames[-1].node if self.frames else NONE
        self.frames.append(NativeFrame(function, base, self._call(node, function.number)))

    def line(self, frame: NativeFrame, pc: int) -> bool | None:
        """A line of a call begins; False ends the run."""
        jumped, self.jumped = self.jumped, 0
        if pc == jumped:
            return None  # the breakpoint at the place that was jumped to
        if frame.fresh:
            frame.fresh = False
            if self.strange:
                make_strange(self.room)
        line = frame.function.entries[pc]
        if line == frame.line and pc not in frame.function.exits:
            return None  # still the same event
        if frame.place < len(frame.rest):
            frame.node = frame.rest[frame.place]
            frame.place += 1
            target = self.pcs[self.statements[frame.node]]
            frame.line = frame.function.entries[target]
        else:
            if pc in frame.function.exits:
                return None
            target, frame.line = min(frame.function.exits), 0
            if self.strange:
                strange_result(self.room)
        if target != pc:
            gdb.execute(f"set $pc = {target:#x}", to_string=True)
            self.jumped = target
        return None

    def write(self) -> None:
        """Nothing is written."""
