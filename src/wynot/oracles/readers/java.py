"""Java exceptions: the root cause; and crashes of the virtual machine itself."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import collapse
from wynot.oracles.signature import Diagnosis

name = "java"

_CLASS = r"(?P<kind>(?:[\w$]+\.)*[\w$]*(?:Exception|Error|Throwable|(?<=\.)[A-Z][\w$]*))(?:: (?P<message>.*))?$"
_HEAD = re.compile(rf'^(?:Exception in thread "[^"\n]*" |Caused by: )?{_CLASS}', re.MULTILINE)
_FRAME = re.compile(
    r"^\tat (?:[\w.@-]*/)*(?P<function>[\w.$<>]+?)(?:/0x[0-9a-f]+(?P<rest>[\w.$<>]*))?\((?P<place>[^()\n]*)\)",
    re.MULTILINE,
)
_VM = re.compile(
    r"^# A fatal error has been detected by the Java Runtime Environment:\n#\n"
    r"#  (?P<kind>\w[\w ]*?) \((?:(?P<place>\S+:\d+)\))?.*(?:\n#.*)*?"
    r"\n# Problematic frame:\n# \w +(?:\[[^\]\n]*\] *)?(?P<function>[^+\n]*)",
    re.MULTILINE,
)


def read(text: str) -> Diagnosis | None:
    """Of the first stack trace, the last `Caused by:` (those of suppressed exceptions are indented, and left out)."""
    if crash := _VM.search(text):
        return Diagnosis(name, crash["kind"], "", tuple(crash["function"].split()[:1]), crash["place"] or "")
    start = _FRAME.search(text)
    heads = [] if start is None else list(_HEAD.finditer(text, 0, start.start()))
    if start is None or not heads:
        return None
    end = text.find("\nException in thread ", start.start())
    trace = text[heads[-1].start() : end if end >= 0 else len(text)]
    cause = [head for head in _HEAD.finditer(trace) if head.start() == 0 or head[0].startswith("Caused by: ")][-1]
    return _exception(cause, trace[cause.end() :])


def _exception(head: re.Match[str], trace: str) -> Diagnosis:
    functions: list[str] = []
    place = ""
    for frame in _FRAME.finditer(trace):
        if not functions and ":" in frame["place"]:
            place = frame["place"]
        functions.append(frame["function"] + (frame["rest"] or ""))
    return Diagnosis(name, head["kind"], head["message"] or "", collapse(functions), place)
