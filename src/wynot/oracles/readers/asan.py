"""AddressSanitizer and its kin: LeakSanitizer, MemorySanitizer, ThreadSanitizer."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import StackTrace, llvm_frames, native, paragraph
from wynot.oracles.signature import Diagnosis

name = "asan"

_ERROR = re.compile(
    r"^(?:==\d+==)?(?:ERROR|WARNING): (?:HW)?(?:Address|Leak|Memory|Thread)Sanitizer: "
    r"(?:(?P<kind>[A-Za-z-]+(?= on | \(|$)|[a-z]+ [a-z ]+?(?= \(|$)))?",
    re.MULTILINE,
)
_SUMMARY = re.compile(
    r"^SUMMARY: \w+Sanitizer: (?P<kind>[\w-]+)", re.MULTILINE
)  # where the report's head is a sentence
_DETAIL = re.compile(
    r"^(?:==\d+==)? *(?P<message>(?:READ|WRITE|Read|Write|Atomic \w+) of size \d+|(?:Direct|Indirect) leak of \d+"
    r"|The signal is caused by .*?(?=\.$))",
    re.MULTILINE,
)
_STACK = re.compile(r"^ *#0 ", re.MULTILINE)


def read(text: str) -> Diagnosis | None:
    """The first report: what, and the stack of the access; where memory was allocated or freed is left out."""
    error = _ERROR.search(text)
    named = error if error is None or error["kind"] else _SUMMARY.search(text, error.end())
    if error is None or named is None:
        return None
    detail = _DETAIL.search(text, error.end())
    first = _STACK.search(text, error.end())
    stack = native(llvm_frames(paragraph(text, first.start()))) if first else StackTrace()
    return Diagnosis(name, named["kind"], detail["message"] if detail else "", *stack)
