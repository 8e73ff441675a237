"""Go panics and the runtime's fatal errors with their goroutine traces, and the Go compiler's internal errors."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import StackTrace, collapse, paragraph
from wynot.oracles.signature import Diagnosis

name = "go"

_PANIC = re.compile(r"^(?P<kind>panic|fatal error): (?P<message>.*)(?P<again>(?:\n\tpanic: .*)*)", re.MULTILINE)
_GOROUTINE = re.compile(r"^goroutine \d+ .*\[.*\]:$", re.MULTILINE)
_FRAME = re.compile(r"^(?P<function>\S.*)\([^()]*\)\n\t(?P<place>\S+:\d+)", re.MULTILINE)
_COMPILER = re.compile(r"^(?:\S+: )?(?P<kind>internal compiler error): (?P<message>.*)$", re.MULTILINE)
_BUG = "\nPlease file a bug report including a short program that triggers the error."
_MACHINERY = re.compile(r"runtime(?:/debug)?\.|panic$|cmd/compile/internal/base\.Fatal")


def read(text: str) -> Diagnosis | None:
    """The panic that ended the program (the last, where one was raised while another was handled)."""
    error = _COMPILER.search(text)
    if error and (_BUG in text or _GOROUTINE.search(text, error.end())):
        return Diagnosis(name, error["kind"], error["message"], *_stack(text, error.end()))
    first = _PANIC.search(text)
    goroutine = _GOROUTINE.search(text, first.end()) if first else None
    if goroutine is None:
        return None
    *_, panic = _PANIC.finditer(text, 0, goroutine.start())
    last = panic["again"].rpartition("\tpanic: ")[2] or panic["message"]
    return Diagnosis(name, panic["kind"], last.removesuffix(" [recovered]"), *_stack(text, panic.end()))


def _stack(text: str, start: int) -> StackTrace:
    """The goroutine that failed: the first one printed."""
    goroutine = _GOROUTINE.search(text, start)
    trace = paragraph(text, goroutine.end()) if goroutine else ""
    frames = [frame for frame in _FRAME.finditer(trace) if not _MACHINERY.match(frame["function"])]
    return StackTrace(collapse([frame["function"] for frame in frames]), frames[0]["place"] if frames else "")
