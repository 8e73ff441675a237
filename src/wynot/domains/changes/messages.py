"""What an error message speaks of: names, and places in files. Of compilers, linkers, interpreters, tracebacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

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
    r"error|exception|undefined|undeclared|unknown|cannot|not found|no such|missing|panicked|fatal", re.IGNORECASE
)
_PLACES = (
    re.compile(r'File "([^"\n]+)", line (\d+)'),
    re.compile(r"(?:^|[\s(\[\"'=@])((?:file://)?[^\s:()\"'\[\]]*[^\s:()\"'\[\]/]\.\w+):(\d+)\b", re.MULTILINE),
    re.compile(r"(?:^|[\s(])([^\s:()]+\.\w+)\((\d+)(?:,\d+)?\)", re.MULTILINE),
)
_FRAMES = re.compile(r'^\s*File "[^"\n]*", line \d+.*$|^\s+at .*$', re.MULTILINE)


def names_in(message: str) -> list[str]:
    """The identifiers that a message speaks of, the likeliest first: quoted ones, those it calls undefined, and others.

    >>> names_in("NameError: name 'UNSET' is not defined")
    ['UNSET', 'NameError', 'name', 'is', 'not', 'defined']
    >>> names_in("x.c:3:5: error: 'struct ctx' has no member named 'iErr'")[:3]
    ['iErr', 'ctx', 'struct']
    """
    text = _FRAMES.sub("", message)
    errors = [line for line in text.splitlines() if _ERROR.search(line)]
    said = chain.from_iterable(_said(line) for line in reversed(errors))
    rest = (word for line in reversed(errors) for word in _WORD.findall(line))
    return list(dict.fromkeys(chain(said, _said(text), rest)))


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
