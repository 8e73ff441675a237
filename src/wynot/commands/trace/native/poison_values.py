"""Strange values for what was not set: numbers that nothing gives, pointers that lead nowhere but back.

A variable on the stack whose assignment is skipped holds whatever was there, 0 as likely as not. A replay must not
depend on that, nor crash on it: so unset numbers are odd, and unset pointers point into a page full of pointers into
itself. Runs inside gdb.
"""

from __future__ import annotations

from typing import Any

import gdb

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
