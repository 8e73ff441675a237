"""Valgrind: the signal that ended the program, or the first error of memcheck."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import StackFrame, native
from wynot.oracles.signature import Diagnosis

name = "valgrind"

# An error stands one space from the margin, what explains it two, its stack four.
_ERROR = re.compile(
    r"^==\d+== (?P<kind>\S.*)\n(?:==\d+==  \S.*\n)?(?P<stack>==\d+==    at 0x.*(?:\n==\d+==    by 0x.*)*)", re.MULTILINE
)
_FRAME = re.compile(
    r"(?:at|by) 0x[0-9A-F]+: (?P<function>.+?)(?: \((?P<place>[^()\s]+:\d+)\)| \(in (?P<home>[^()]+)\))?$"
)
_SIGNAL = re.compile(r"Process terminating with default action of signal \d+ \((?P<kind>\w+)\)")


def read(text: str) -> Diagnosis | None:
    """Errors that did not end the program are told only where none did."""
    errors = list(_ERROR.finditer(text))
    if not errors:
        return None
    for error in errors:
        if signal := _SIGNAL.match(error["kind"]):
            return Diagnosis(name, signal["kind"], error["kind"], *native(_frames(error["stack"])))
    return Diagnosis(name, errors[0]["kind"], "", *native(_frames(errors[0]["stack"])))


def _frames(stack: str) -> list[StackFrame]:
    found = (_FRAME.search(line) for line in stack.splitlines())
    return [
        StackFrame("" if frame["function"] == "???" else frame["function"], frame["place"] or "", frame["home"] or "")
        for frame in found
        if frame
    ]
