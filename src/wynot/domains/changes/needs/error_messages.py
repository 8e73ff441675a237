"""What an error message speaks of: names, and places in files. Of compilers, linkers, interpreters, tracebacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAME = r"[A-Za-z_$\u0080-\uffff][\w$]*"
_WORD = re.compile(_NAME)
_QUOTED = re.compile(r"[`'\"\u2018\u201c]([^`'\"\u2018-\u201d\n]{1,200})[`'\"\u2019\u201d]")
_SAID = (
    re.compile(rf"({_NAME}(?:\??\.{_NAME})*)(?:\(\.\.\.\))? is not (?:defined|a function|a constructor|iterable)"),
    re.compile(r"undefined(?: reference to| symbol)?:? +[`'\u2018]?([\w$.:@]+)"),
    re.compile(r"symbol:\s+(?:variable|method|class|static)?\s*([\w$.]+)"),
    re.compile(rf"({_NAME}(?:\.{_NAME})*)\(\) (?:got|takes|missing|argument|did)"),
    re.compile(r"cannot import name '(\w+)'"),
    re.compile(r"implicit declaration of function +([\w$]+)"),
    re.compile(r"(?:No such file or directory|cannot find|not found|Cannot find module):? +([\w$./@-]+)"),
    re.compile(r"\b([\w./+-]+\.[A-Za-z]\w{0,4}): No such file"),
)
_ERROR = re.compile(
    r"(?i)\b(?:fatal )?error\b|^\w*(?:Error|Exception|Exit)\b"
    r"|undefined reference|implicit declaration|panicked|not found"
)
_PLACES = (
    re.compile(r'File "([^"\n]+)", line (\d+)'),
    re.compile(r"(?:^|[\s(\[\"'=@])((?:file://)?[^\s:()\"'\[\]]*[^\s:()\"'\[\]/]\.\w+):(\d+)\b", re.MULTILINE),
    re.compile(r"(?:^|[\s(])([^\s:()]+\.\w+)\((\d+)(?:,\d+)?\)", re.MULTILINE),
)
LINES = 20
"""Of so many lines that speak of an error is read what they say."""


def errors_in(message: str) -> list[tuple[str, str]]:
    r"""The lines that say what is wrong, each with the notes behind it: many of a compiler, the last of a traceback.

    >>> errors_in("a.c:1: error: x\na.h:2: note: here\na.c:3: error: y\n")
    [('a.c:1: error: x', 'a.c:1: error: x\na.h:2: note: here'), ('a.c:3: error: y', 'a.c:3: error: y')]
    """
    lines = [line for line in message.splitlines() if line.strip()]
    at = [number for number, line in enumerate(lines) if _ERROR.search(line)][:LINES] or [len(lines) - 1]
    return [(lines[a], "\n".join(lines[a:b])) for a, b in zip(at, [*at[1:], len(lines)], strict=True)] if lines else []


def said_in(line: str) -> list[str]:
    """The identifiers that a line quotes or calls undefined, the likeliest first.

    >>> said_in("x.c:3:5: error: too many arguments to function 'sum'")
    ['sum']
    """
    return list(dict.fromkeys(_said(line)))


def _said(text: str) -> Iterator[str]:
    """What is quoted or called undefined; of a path or a dotted name the last part first."""
    missing = [match[1] for pattern in _SAID for match in pattern.finditer(text)]
    quoted = [match[1] for match in _QUOTED.finditer(text)]
    for each in (*reversed(missing), *reversed(quoted)):
        yield from reversed(_WORD.findall(each))


def places_in(message: str) -> list[tuple[str, int]]:
    r"""The files and lines that a message names, in order; a traceback's innermost ones first.

    >>> places_in('File "/w/a.py", line 3, in f\nFile "/w/b.py", line 7\nsrc/x.c:12:3: error: no')
    [('src/x.c', 12), ('/w/b.py', 7), ('/w/a.py', 3)]
    """
    found = [
        (match.start(), match[1].removeprefix("file://"), int(match[2]))
        for pattern in _PLACES
        for match in pattern.finditer(message)
    ]
    return list(dict.fromkeys((path, line) for _, path, line in sorted(found, reverse=True)))
