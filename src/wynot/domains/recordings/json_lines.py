"""Recordings of one JSON object a line: those of X11, those of web pages, and any other that has a `type`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from wynot.domains.recordings.devtools import web_steps
from wynot.domains.recordings.recorded_steps import RecordedStep, Recording, RecordingError, of_the_user

X11 = "wynot-x11"
_PRESS = {"key_press", "button_press"}
_RELEASE = {"key_release", "button_release"}
_WEB = {
    "navigate",
    "goto",
    "open",
    "click",
    "change",
    "fill",
    "keyDown",
    "keyUp",
    "press",
    "hover",
    "doubleClick",
    "scroll",
}


def read_lines(text: str) -> Recording:
    """A recording of JSON lines; a first line with a `format` is its head and stays."""
    entries = _entries(text)
    head = entries.pop(0) if entries and "format" in entries[0] and "type" not in entries[0] else None
    kinds = {str(entry.get("type")) for entry in entries}
    if head is not None and head["format"] == X11:
        form, found = "x11", [_x11(entry) for entry in entries]
    elif kinds & _WEB:
        form, found = "web", web_steps(entries)
    else:
        form, found = "lines", [_any(entry) for entry in entries]
    steps, induced = of_the_user(found)

    def write(kept: Sequence[RecordedStep]) -> bytes:
        rows = [*([head] if head is not None else []), *(step.raw for step in kept)]
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()

    return Recording(form, steps, write, induced)


def _entries(text: str) -> list[dict[str, Any]]:
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise RecordingError(f"line {number} is no valid JSON ({error})") from None
        if not isinstance(entry, dict):
            raise RecordingError(f"line {number} is no JSON object")
        entries.append(entry)
    return entries


def _x11(entry: dict[str, Any]) -> RecordedStep:
    kind = str(entry.get("type"))
    what = str(entry.get("keysym") or entry.get("keycode") or "") if kind.startswith("key") else ""
    if kind.startswith("button"):
        what = f"button {entry.get('button')}"
    where = f" at {entry.get('x')},{entry.get('y')}" if kind.startswith(("button", "motion")) else ""
    name = f"{kind.replace('_', ' ').removeprefix('button ').removeprefix('key ')} {what}{where}"
    return RecordedStep(
        entry, kind, " ".join(name.split()), str(entry.get("window", "")),
        press=what if kind in _PRESS else "", release=what if kind in _RELEASE else "",
    )  # fmt: skip


def _any(entry: dict[str, Any]) -> RecordedStep:
    kind = str(entry.get("type", ""))
    return RecordedStep(entry, kind, json.dumps(entry, ensure_ascii=False)[:80], str(entry.get("place", "")))
