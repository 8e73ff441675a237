"""Python tracebacks: plain, chained, grouped, and without a stack (a SyntaxError)."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import collapse
from wynot.oracles.signature import Diagnosis

name = "python"

# Cython tells of its own crashes under another heading.
_HEAD = re.compile(
    r"^(?P<group> *\+ Exception Group )?"
    r"(?:Traceback \(most recent call last\):|Compiler crash traceback from this point on:)$",
    re.MULTILINE,
)
_FRAME = re.compile(r'^ +File "(?P<file>[^"\n]*)", line (?P<line>\d+)(?:, in (?P<function>.+))?$', re.MULTILINE)
_ERROR = re.compile(r"^(?P<kind>[^\W\d][\w.<>]*)(?:: (?P<message>.*))?$", re.MULTILINE)
_SYNTAX = re.compile(
    r'^  File "(?P<file>[^"\n]*)", line (?P<line>\d+)\n(?: .*\n){0,9}'
    r"(?P<kind>(?:Syntax|Indentation|Tab)Error): (?P<message>.*)$",
    re.MULTILINE,
)

_UNNAMED = re.compile(r"<(?!frozen )")
"""Code without a file, as `eval` and standard input have it: its lines may be those of the input."""


def read(text: str) -> Diagnosis | None:
    """The last exception of the output: of a chain, the one that ended the program."""
    heads = [head for head in _HEAD.finditer(text) if "Exception ignored in" not in _line_before(text, head.start())]
    if heads:
        trace = text[heads[-1].end() :]
        return _group(trace) if heads[-1]["group"] else _traceback(trace)
    if syntax := _SYNTAX.search(text):
        place = "" if _UNNAMED.match(syntax["file"]) else f"{syntax['file']}:{syntax['line']}"
        return Diagnosis(name, syntax["kind"], syntax["message"], place=place)
    return None


def _line_before(text: str, at: int) -> str:
    return text[text.rfind("\n", 0, max(0, at - 1)) + 1 : at]


def _traceback(trace: str) -> Diagnosis | None:
    """What follows a traceback's heading: indented lines, then the error. A message's first line is kept."""
    error = _ERROR.search(trace)
    if error is None:
        return None
    frames = list(_FRAME.finditer(trace, 0, error.start()))[::-1]
    functions = collapse([frame["function"] for frame in frames if frame["function"]])
    place = next((f"{frame['file']}:{frame['line']}" for frame in frames if not _UNNAMED.match(frame["file"])), "")
    return Diagnosis(name, error["kind"], error["message"] or "", functions, place)


def _group(trace: str) -> Diagnosis | None:
    """The group with its first exception, whose stack goes on in the group's own."""
    parts = [part.lstrip() for part in re.split(r"^ *\+[-+]+ .*$", trace, flags=re.MULTILINE)]
    outer, *inner = (_traceback(re.sub(r"^ *\| ?", "", part, flags=re.MULTILINE)) for part in parts)
    first = next((each for each in inner if each and "Group" not in each.kind), None)
    if outer is None or first is None:
        return outer
    message = f"{outer.message}: {first.kind}: {first.message}"
    return Diagnosis(name, outer.kind, message, collapse(first.frames + outer.frames), first.place)
