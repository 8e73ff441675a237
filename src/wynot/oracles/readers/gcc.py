"""GCC's internal compiler errors, of every language it compiles."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import StackFrame, native
from wynot.oracles.signature import Diagnosis

name = "gcc"

# `error: internal compiler error` is rustc's.
_ERROR = re.compile(r"^(?!error: )(?:\S.*?: )?(?P<kind>internal compiler error): (?P<said>.*)$", re.MULTILINE)
_PLACE = re.compile(r"(?:^|,? )in (?P<function>[^,\s]+), at (?P<place>\S+:\d+)$")
_FRAME = re.compile(r"^0x[0-9a-f]+ (?P<function>.+)\n\t(?P<place>\S+:\d+)$", re.MULTILINE)


def read(text: str) -> Diagnosis | None:
    """The first one; a crash that GCC itself noticed is told by its backtrace, where there is one."""
    error = _ERROR.search(text)
    if error is None:
        return None
    said = error["said"]
    frames = [
        StackFrame("" if frame["function"] == "???" else frame["function"], frame["place"])
        for frame in _FRAME.finditer(text, error.end())
    ]
    if place := _PLACE.search(said):
        frames.insert(0, StackFrame(place["function"], place["place"]))
        said = said[: place.start()]
    stack = native(frames)
    return Diagnosis(name, error["kind"], said, stack.frames, stack.place)
