"""What `gdb --batch -nx -ex run -ex bt` says about a crash, for programs that say nothing themselves."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import StackFrame, native
from wynot.oracles.signature import Diagnosis

name = "gdb"

_SIGNAL = re.compile(
    r"^(?:Program|Thread \d+.*) (?:received|terminated with) signal (?P<kind>SIG\w+), (?P<message>.*)\.$", re.MULTILINE
)
_FRAME = re.compile(
    r"^#\d+ +(?:(?P<address>0x[0-9a-f]+) in )?(?P<function>.+?)(?: \(.*\))?"
    r"(?: at (?P<place>\S+:\d+)| from (?P<home>\S+))?$",
    re.MULTILINE,
)


def read(text: str) -> Diagnosis | None:
    """The signal and the backtrace up to `main`, without the C library's part in it."""
    signal = _SIGNAL.search(text)
    if signal is None:
        return None
    stack = native(_frame(line) for line in _FRAME.finditer(text, signal.end()))
    return Diagnosis(name, signal["kind"], signal["message"], *stack)


def _frame(line: re.Match[str]) -> StackFrame:
    """Under gdb, programs run at fixed addresses, so that an address names a function that has lost its name."""
    known = "" if line["function"] == "??" else line["function"]
    return StackFrame(known, line["place"] or "", line["home"] or hex(int(line["address"] or "0", 16)))
