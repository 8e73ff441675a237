"""Node and V8: uncaught errors with their stack, anything else that was thrown, and V8's own fatal errors."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import StackFrame, StackTrace, collapse, native
from wynot.oracles.signature import Diagnosis

name = "node"

_LEAD = r"(?:\[\w+\] )?"  # tools that print an error with a word before every line
_AT = re.compile(
    rf"^{_LEAD}    at (?:async )?"
    r"(?:(?P<function>[^()\n]+?)(?: \[as [^\]\n]*\])? \((?P<inner>.*)\)|(?P<bare>\S+:\d+:\d+))(?: \{)?$",
    re.MULTILINE,
)
_HEAD = re.compile(
    rf"^{_LEAD}(?:\S.*?: |Uncaught )?"
    r"(?P<kind>[A-Z][\w$]*(?:Error|Exception|Rejection)|Error)(?: \[\w+\])?(?:: (?P<message>.*))?$",
    re.MULTILINE,
)
_BEFORE = re.compile(r"^(?P<message>\S.*)\n\Z", re.MULTILINE)
"""The line just before the stack: tools that catch an error print its message in words of their own."""
_SHOWN = re.compile(r"^(?P<place>\S+:\d+)\n.*\n\s*\^+\n+(?P<thrown>\S.*)", re.MULTILINE)
_VERSION = re.compile(r"^Node\.js v\d", re.MULTILINE)
_FATAL = re.compile(r"^(?P<kind>FATAL ERROR): (?P<message>.*)$", re.MULTILINE)
_CHECK = re.compile(r"^# (?P<kind>Fatal error) in (?P<file>.*), line (?P<line>\d+)\n# (?P<message>.*)$", re.MULTILINE)
_NATIVE = re.compile(r"^ *\d+: 0x[0-9a-f]+ (?P<function>\S.*) \[[^\]\n]*\]", re.MULTILINE)


def read(text: str) -> Diagnosis | None:
    """The error that was not caught: the outer one, where it has a cause."""
    if fatal := _CHECK.search(text):
        place = f"{fatal['file']}:{fatal['line']}" if fatal["file"] else ""
        return Diagnosis(name, fatal["kind"], fatal["message"], _native(text, fatal.end()), place)
    if fatal := _FATAL.search(text):
        # Where memory ran out at last is chance.
        frames = () if "out of memory" in fatal["message"] else _native(text, fatal.end())
        return Diagnosis(name, fatal["kind"], fatal["message"], frames)
    shown = _SHOWN.search(text)
    first = _AT.search(text)
    heads = list(_HEAD.finditer(text, shown.end("place") if shown else 0, first.start())) if first else []
    if heads:
        stack = _stack(text[heads[-1].end() :])
        return Diagnosis(
            name, heads[-1]["kind"], heads[-1]["message"] or "", stack.frames, stack.place or _place(shown)
        )
    if shown and _VERSION.search(text, shown.end()):
        return Diagnosis(name, "uncaught", shown["thrown"], (), shown["place"])
    if first and (before := _BEFORE.search(text, 0, first.start())):
        stack = _stack(text[first.start() :])
        return Diagnosis(name, "", before["message"], stack.frames, stack.place)
    return None


def _place(shown: re.Match[str] | None) -> str:
    return shown["place"] if shown and not shown["place"].startswith("node:") else ""


def _native(text: str, start: int) -> tuple[str, ...]:
    frames = native(StackFrame(frame["function"]) for frame in _NATIVE.finditer(text, start)).frames
    return tuple(frame for frame in frames if frame != "V8_Fatal")


def _stack(trace: str) -> StackTrace:
    """Without Node's own start-up and module loading."""
    functions, place = [], ""
    for frame in _AT.finditer(trace):
        where = frame["bare"] or frame["inner"]
        if not where.startswith("node:internal"):
            functions.append(frame["function"] or "<anonymous>")
            place = place or (where.rpartition(":")[0] if re.search(r":\d+:\d+$", where) else "")
    return StackTrace(collapse(functions), place)
