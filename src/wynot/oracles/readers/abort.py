"""The last words of a C or C++ program: failed assertions, the C library's checks, exceptions that nobody caught."""

from __future__ import annotations

import re

from wynot.oracles.normalise import clean_frame
from wynot.oracles.signature import Diagnosis

name = "abort"

_ASSERTION = re.compile(
    r"^(?:\S+: )?(?P<place>[^\s:]+:\d+): (?:(?P<function>.+): )?Assertion [`'](?P<message>.*)' failed\.$",
    re.MULTILINE,
)
_BSD = re.compile(
    r"^Assertion failed: \((?P<message>.*)\), function (?P<function>.+), file (?P<file>.+), line (?P<line>\d+)\.$",
    re.MULTILINE,
)
_CHECK = re.compile(
    r"^(?:\*\*\* (?P<kind>\S.*) \*\*\*: terminated"
    r"|(?P<heap>(?:free|(?:m|re|c)alloc|munmap_chunk|malloc_consolidate|memalign)\(\): .*"
    r"|corrupted .*|double free or corruption .*))$",
    re.MULTILINE,
)
_TERMINATE = re.compile(
    r"^terminate called (?:after throwing an instance of '(?P<kind>.*)'(?:\n  what\(\):  (?P<message>.*))?"
    r"|(?P<other>without an active exception|recursively))$",
    re.MULTILINE,
)


def read(text: str) -> Diagnosis | None:
    """Without a stack: the name of the function, if at all, comes with the assertion."""
    if failed := assertion(text):
        return failed
    if said := _TERMINATE.search(text):
        return Diagnosis(name, said["kind"] or f"terminate called {said['other']}", said["message"] or "")
    if said := _CHECK.search(text):
        return Diagnosis(name, said["kind"] or said["heap"])
    return None


def assertion(text: str) -> Diagnosis | None:
    """A failed assertion, as the C libraries of Linux and of the BSDs and macOS tell it."""
    if said := _ASSERTION.search(text):
        frames = (clean_frame(said["function"]),) if said["function"] else ()
        return Diagnosis(name, "Assertion failed", said["message"], frames, said["place"])
    if said := _BSD.search(text):
        place = f"{said['file']}:{said['line']}"
        return Diagnosis(name, "Assertion failed", said["message"], (clean_frame(said["function"]),), place)
    return None
