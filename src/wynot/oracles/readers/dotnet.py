"""Unhandled exceptions of .NET: the root cause. Written by the documented form, not tried on real output."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import collapse
from wynot.oracles.signature import Diagnosis

name = "dotnet"

_HEAD = re.compile(r"^Unhandled [Ee]xception(?:\.|:) ?\n?(?=[\w.+`]+(?: \([^)\n]*\))?: )", re.MULTILINE)
_ERROR = re.compile(
    r"(?:\A|---> )(?:\(Inner Exception #\d+\) )?(?P<kind>[\w.+`]+)(?: \([^)\n]*\))?: (?P<message>.*?)(?= ---> |$)",
    re.MULTILINE,
)
_FRAME = re.compile(
    r"^ +at (?P<function>[^(\n]+?) ?\([^)\n]*\)(?:.* in (?P<file>\S.*?):(?:line )?(?P<line>\d+))?", re.MULTILINE
)


def read(text: str) -> Diagnosis | None:
    """The innermost exception is told last, and its stack comes first."""
    head = _HEAD.search(text)
    if head is None:
        return None
    first = _FRAME.search(text, head.end())
    end = text.find("--- End of inner exception", head.end())
    errors = list(_ERROR.finditer(text[head.end() : first.start() if first else len(text)]))
    frames = list(_FRAME.finditer(text, head.end(), end if end >= 0 else len(text)))
    place = f"{frames[0]['file']}:{frames[0]['line']}" if frames and frames[0]["file"] else ""
    error = errors[-1] if first else errors[0]
    return Diagnosis(name, error["kind"], error["message"], collapse([frame["function"] for frame in frames]), place)
