"""Recordings of Chrome's DevTools (the Recorder panel, exported as JSON), and JSON lines with such steps."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from wynot.domains.recordings.recorded_steps import RecordedStep, Recording, RecordingError, of_the_user

PINNED = frozenset({"setViewport", "emulateNetworkConditions"})
_OWN = {"goto": "navigate", "fill": "change", "open": "navigate"}
"""Short words that JSON lines may use."""


def read_devtools(text: str) -> Recording:
    """A Recorder export."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise RecordingError(f"no valid JSON ({error})") from None
    if not isinstance(document, dict) or not isinstance(document.get("steps"), list):
        raise RecordingError("no recording of DevTools: it has no list of steps")
    steps, induced = of_the_user(web_steps(document["steps"]))

    def write(kept: Sequence[RecordedStep]) -> bytes:
        raw = [step.raw for step in kept]
        return (json.dumps({**document, "steps": raw}, indent=2, ensure_ascii=False) + "\n").encode()

    return Recording("devtools", steps, write, induced)


def web_steps(entries: list[Any]) -> list[RecordedStep]:
    """The steps of a page's recording; the first page to be opened stays."""
    steps: list[RecordedStep] = []
    opened = False
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("type"), str):
            raise RecordingError(f"a step has no type: {json.dumps(entry)[:80]}")
        kind: str = _OWN.get(entry["type"]) or entry["type"]
        first = kind == "navigate" and not opened
        opened = opened or first
        steps.append(_step(entry, kind, pinned=first or kind in PINNED))
    return steps


def _step(entry: dict[str, Any], kind: str, *, pinned: bool) -> RecordedStep:
    target = target_of(entry)
    key = str(entry.get("key", ""))
    detail = key or str(entry.get("url", "")) or target
    value = f" = {entry['value']!r}" if "value" in entry else ""
    return RecordedStep(
        entry, kind, f"{kind} {detail}{value}".strip(), _place(target),
        press=key if kind == "keyDown" else "", release=key if kind == "keyUp" else "", pinned=pinned,
    )  # fmt: skip


def target_of(entry: dict[str, Any]) -> str:
    """The element of a step, by the selector that people read best."""
    if isinstance(entry.get("selector"), str):
        return str(entry["selector"])
    for chain in entry.get("selectors") or []:
        words = [chain] if isinstance(chain, str) else chain
        if words and not str(words[-1]).startswith(("aria/", "xpath/", "pierce/", "text/")):
            return " >> ".join(map(str, words))
    for chain in entry.get("selectors") or []:
        return str(chain if isinstance(chain, str) else chain[-1])
    return ""


def _place(target: str) -> str:
    """The outermost element that a selector names, by the first part of its name: a dialogue's steps share it.

    >>> _place("#gift-dialog > input"), _place("#gift-ok"), _place("#add-7")
    ('#gift', '#gift', '#add-7')
    """
    words = target.replace(">>", " ").split()
    return re.sub(r"(?<=\w)[-_][A-Za-z]+$", "", words[0]) if words else ""
