"""Formats of recordings: JSON lines, Chrome DevTools, Playwright scripts."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from typing import Any

from wynot.domains.recordings.recorded_steps import RecordedStep, Recording, RecordingError, of_the_user

# Recordings of one JSON object a line: those of X11, those of web pages, and any other that has a `type`.


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


# Recordings of Chrome's DevTools (the Recorder panel, exported as JSON), and JSON lines with such steps.


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


# Python scripts as `playwright codegen` writes them: each statement that acts on a page is a step.


_OPENING = (".goto(", ".new_page(", ".new_context(", ".launch(")
_CLOSING = (".close(", ".stop(")


def read_script(text: str) -> Recording:
    r"""A script; what is no step (imports, starting and closing the browser) is in every candidate.

    >>> found = read_script("page.goto('x')\npage.click('#a')\npage.fill('#b', 'c')\n")
    >>> [step.name for step in found.steps if not step.pinned], found.write(found.steps[:2])
    (["page.click('#a')", "page.fill('#b', 'c')"], b"page.goto('x')\npage.click('#a')\n")
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise RecordingError(f"no valid Python ({error})") from None
    lines = text.splitlines(keepends=True)
    statements = [node for body in _bodies(module) for node in body if _acts(node)]
    steps, opened = [], False
    for node in statements:
        source = ast.get_source_segment(text, node) or ""
        opening = ".goto(" in source and not opened
        opened = opened or opening
        span = (node.lineno - 1, node.end_lineno or node.lineno)
        steps.append(RecordedStep(span, "statement", " ".join(source.split())[:80], pinned=opening))
    if not steps:
        raise RecordingError("no script of Playwright: no statement acts on a page")

    def write(kept: Sequence[RecordedStep]) -> bytes:
        left = {step.raw for step in kept}
        gone = {line for step in steps if step.raw not in left for line in range(*step.raw)}
        return "".join(line for number, line in enumerate(lines) if number not in gone).encode()

    return Recording("playwright", tuple(steps), write)


def _bodies(module: ast.Module) -> list[list[ast.stmt]]:
    """The module itself, and the functions in it."""
    return [module.body, *(node.body for node in ast.walk(module) if isinstance(node, ast.FunctionDef))]


def _acts(node: ast.stmt) -> bool:
    """Whether a statement acts on a page, and is neither the opening nor the closing of one."""
    if not isinstance(node, ast.Expr | ast.Assign | ast.With):
        return False
    source = ast.unparse(node)
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    if not any(name.startswith("page") for name in names) or any(word in source for word in _CLOSING):
        return False
    return ".goto(" in source or not any(word in source for word in _OPENING)


def statements(text: str) -> list[str]:
    """The source of each step, for whoever replays them."""
    module = ast.parse(text)
    found = [node for body in _bodies(module) for node in body if _acts(node)]
    return [ast.unparse(node) for node in found]


def read_recording(name: str, data: bytes) -> Recording:
    """A recording by its name and content."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise RecordingError("it is no text") from None
    if name.endswith(".py"):
        return read_script(text)
    if text.lstrip().startswith("{") and not name.endswith((".jsonl", ".ndjson")) and _whole(text):
        return read_devtools(text)
    return read_lines(text)


def _whole(text: str) -> bool:
    """Whether it looks like one JSON document, not like one a line."""
    first = text.strip().partition("\n")[0].rstrip()
    return not (first.endswith("}") and "\n" in text.strip())
