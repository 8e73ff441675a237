"""What a program says of its failure after the first line of the message: further lines, expected and actual values.

Readers give one line, which is what is compared where the input changes. Where it is constant, these lines count, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile, takewhile

from wynot.oracles.signature import Diagnosis

MAX_LINES = 200
"""Further lines of a message that are compared."""
FEW = 6
"""Lines of another kind between a message and the values that belong to it."""
_STACK = re.compile(r"\s+at \S")
_VALUE = re.compile(
    r"\s*(?:[-+]\s*\S|\?\s+[-+^]|\[[-+]|(?:expected|actual|received|got|want|wanted|found|left|right|operator)\b.*?[:=])",
    re.IGNORECASE,
)
_PYTEST = re.compile(r"E(?: |$)")
_RULE = re.compile(r"[-=_*]{10,}")
_HEADS = ("Traceback (", "During handling of", "The above exception")
_SHORTENED = re.compile(r"\.\.\.|…|, use '-v|^Diff is \d+ characters long", re.MULTILINE)


def details(diagnosis: Diagnosis, text: str) -> str:
    """The further lines, without indentation and trailing blanks."""
    lines = text.splitlines()
    at = _line_of(diagnosis, lines)
    if at is None:
        return ""
    after = lines[at + 1 : at + 1 + MAX_LINES]
    match diagnosis.reader:
        case "pytest":
            found = _while_pytest(after)
        case "python":
            found = iter([_statement(lines[:at])]) if not diagnosis.message else _python(after)
        case "node":
            found = _node(after)
        case "words":
            found = _values(after)
        case _:
            return ""
    return "\n".join(line.strip() for line in found if line.strip())


def shortened(diagnosis: Diagnosis) -> bool:
    """Whether the program has shortened the values that it shows."""
    return diagnosis.reader in {"pytest", "python"} and bool(
        _SHORTENED.search(diagnosis.message) or _SHORTENED.search(diagnosis.details)
    )


def silent(diagnosis: Diagnosis) -> bool:
    """Whether an assertion says nothing of its values."""
    return "assert" in diagnosis.kind.lower() and not diagnosis.message and diagnosis.reader != "words"


def _line_of(diagnosis: Diagnosis, lines: list[str]) -> int | None:
    """Where the first line of the message is: the last line with it, as readers take the last of several errors."""
    said = diagnosis.message or diagnosis.kind
    places = [place for place, line in enumerate(lines) if said and line.rstrip().endswith(said.rstrip())]
    if not places:
        return None
    return places[0] if diagnosis.reader in {"pytest", "words"} else places[-1]


def _while_pytest(after: list[str]) -> Iterator[str]:
    for line in after:
        if not _PYTEST.match(line):
            return
        yield line[1:]


def _python(after: list[str]) -> Iterator[str]:
    """The rest of the paragraph, and values below it."""
    ended = False
    for line in after:
        if _RULE.match(line) or line.startswith(_HEADS):
            return
        ended = ended or not line.strip()
        if not ended or _VALUE.match(line):
            yield line


def _statement(before: list[str]) -> str:
    """The statement that failed, as a traceback shows it: the last line before the error that is no row of marks."""
    return next((line for line in reversed(before) if line.strip(" ^~") and not line.startswith("  File")), "")


def _node(after: list[str]) -> Iterator[str]:
    """All up to the stack, and the properties of the error below it."""
    stack = next((place for place, line in enumerate(after) if _STACK.match(line)), 0)
    yield from after[:stack]
    rest = dropwhile(_STACK.match, after[stack:])
    if stack < len(after) and any(_STACK.match(line) and line.endswith("{") for line in after[stack:]):
        yield from takewhile(lambda line: line.startswith("  "), rest)


def _values(after: list[str]) -> Iterator[str]:
    """Lines with values up to the next thing that is said."""
    others = 0
    for line in after:
        if _VALUE.match(line):
            yield line
        elif line.strip() and not _STACK.match(line):
            others += 1
            if others > FEW:
                return
