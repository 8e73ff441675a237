"""UndefinedBehaviorSanitizer: its `runtime error`s, and the crash, if it came to one."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import llvm_frames, native, paragraph
from wynot.oracles.signature import Diagnosis

name = "ubsan"

_ERROR = re.compile(r"^(?P<place>\S+?:\d+):\d+: (?P<kind>runtime error): (?P<message>.*)$", re.MULTILINE)
_DEADLY = re.compile(r"^==\d+==ERROR: UndefinedBehaviorSanitizer: (?P<kind>[\w-]+)", re.MULTILINE)


def read(text: str) -> Diagnosis | None:
    """The crash, for it ended the program; else the first error."""
    if deadly := _DEADLY.search(text):
        return Diagnosis(name, deadly["kind"], "", *native(llvm_frames(paragraph(text, deadly.end()))))
    error = _ERROR.search(text)
    if error is None:
        return None
    # The stack, if asked for (print_stacktrace=1), follows at once.
    follows = text.startswith("\n    #0 ", error.end())
    frames = native(llvm_frames(paragraph(text, error.end()))).frames if follows else ()
    return Diagnosis(name, error["kind"], error["message"], frames, error["place"])
