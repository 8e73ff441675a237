"""Failures as pytest tells them, in each of its styles that tell more than a traceback."""

from __future__ import annotations

import re

from wynot.oracles.readers.stack_frames import collapse
from wynot.oracles.signature import Diagnosis

name = "pytest"

_KIND = re.compile(r"(?P<kind>[^\W\d][\w.<>]*)(?:: (?P<message>.*))?$")
_FAILURES = re.compile(r"^=+ (?:FAILURES|ERRORS) =+$", re.MULTILINE)
_HEADING = re.compile(r"^(?:_{3,} .+ _{3,}|=+ .+ =+)$", re.MULTILINE)
_TOLD = re.compile(r"^E {3,}(?P<told>\S.*)(?:\n(?:E .*|E)$)*", re.MULTILINE)
_ENDED = re.compile(r"^(?P<place>\S+:\d+): (?P<kind>[^\W\d][\w.]*)(?:: .*)?$", re.MULTILINE)
_PASSED = re.compile(r"^(?P<place>\S+:\d+): in (?P<function>\S+)$", re.MULTILINE)
_ENTRY = re.compile(r"^(?:_ ){3,}_?$", re.MULTILINE)
_DEF = re.compile(r"^[> ] {3,}(?:async )?def (?P<function>\w+)", re.MULTILINE)


def read(text: str) -> Diagnosis | None:
    """The first failure of the report."""
    report = _FAILURES.search(text)
    told = _TOLD.search(text, report.end()) if report else None
    if report is None or told is None:
        return None
    starts = [section.end() for section in _HEADING.finditer(text, report.end(), told.start())]
    stop = _HEADING.search(text, told.end())
    section = text[starts[-1] if starts else report.end() : stop.start() if stop else len(text)]
    said = list(_TOLD.finditer(section))[-1]["told"]
    ended, passed = _ENDED.search(section), list(_PASSED.finditer(section))
    names = [match["function"] for match in passed] or [
        match["function"] for entry in _ENTRY.split(section) if (match := _DEF.search(entry))
    ]
    error = None if said.startswith("assert ") else _KIND.match(said)
    kind = ended["kind"] if ended else error["kind"] if error else "AssertionError"
    message = (error["message"] or "") if error and error["kind"].endswith(kind) else said
    place = ended["place"] if ended else passed[-1]["place"] if passed else ""
    return Diagnosis(
        name, error["kind"] if error and ended and message != said else kind, message, collapse(names[::-1]), place
    )
