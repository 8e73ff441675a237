"""Crashes of Clang and of the other programs of LLVM: stack dumps, failed assertions, fatal errors."""

from __future__ import annotations

import re
from dataclasses import replace

from wynot.oracles.readers.abort import assertion
from wynot.oracles.readers.stack_frames import llvm_frames, native
from wynot.oracles.signature import Diagnosis

name = "clang"

_CRASH = re.compile(r"^(?:PLEASE (?:submit a bug report|ATTACH THE FOLLOWING)|Stack dump:$|LLVM ERROR: )", re.MULTILINE)
_UNREACHABLE = re.compile(
    r"^(?:(?P<message>.+)\n)?(?P<kind>UNREACHABLE executed)(?: at (?P<place>\S+:\d+))?!$", re.MULTILINE
)
_FATAL = re.compile(
    r"^(?:fatal error: (?P<kind>error in backend)|(?P<other>LLVM ERROR)): (?P<message>.*)$", re.MULTILINE
)


def read(text: str) -> Diagnosis | None:
    """The stack dump tells of what was being compiled too; that is the input's affair and is left out."""
    crash = _CRASH.search(text)
    if crash is None:
        return None
    stack = native(llvm_frames(text[crash.start() :]))
    if failed := assertion(text):
        return replace(failed, reader=name, frames=stack.frames or failed.frames)
    if said := _UNREACHABLE.search(text):
        return Diagnosis(name, said["kind"], said["message"] or "", stack.frames, said["place"] or stack.place)
    if said := _FATAL.search(text):
        return Diagnosis(name, said["kind"] or said["other"], said["message"], *stack)
    return Diagnosis(name, "crash", "", *stack)
