"""What Node.js itself records if NODE_V8_COVERAGE is set: ranges of characters, and how often they were executed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from wynot.domains.coverage.line_counts import UnreadableError

SUFFIX = (".js", ".cjs", ".mjs")
_NEWLINE, _SPACE, _IDLE, _LIVE = 10, b" \t\r\n", 0, 1


class Range(NamedTuple):
    """A part of a source, in UTF-16 code units."""

    start: int
    end: int
    times: int


def read_v8(text: str) -> Iterator[tuple[str, list[Range]]]:
    """The address of each script, and its ranges: the outer ones first.

    >>> ranges = '[{"startOffset": 0, "endOffset": 9, "count": 1}, {"startOffset": 3, "endOffset": 5, "count": 0}]'
    >>> list(read_v8('{"result": [{"url": "file:///a.js", "functions": [{"ranges": %s}]}]}' % ranges))
    [('file:///a.js', [Range(start=0, end=9, times=1), Range(start=3, end=5, times=0)])]
    """
    try:
        for script in json.loads(text)["result"]:
            found = [_range(each) for function in script["functions"] for each in function["ranges"]]
            yield str(script["url"]), sorted(found, key=lambda each: (each.start, -each.end))
    except (json.JSONDecodeError, RecursionError):
        raise UnreadableError("it is no JSON") from None
    except (KeyError, TypeError, ValueError):
        raise UnreadableError("it is not what Node.js writes") from None


def _range(found: Any) -> Range:
    return Range(int(found["startOffset"]), int(found["endOffset"]), int(found["count"]))


def lines_of(source: bytes, ranges: list[Range]) -> tuple[frozenset[int], frozenset[int]]:
    r"""The lines of which something was executed, and those of which nothing was.

    >>> lines_of(b"f(1)\nfunction g() {\n\n  h()\n}\n", [Range(0, 29, 1), Range(5, 28, 0)])
    (frozenset({1}), frozenset({2, 3, 4, 5}))
    """
    text = source.decode("utf-8", "replace").encode("utf-16-le", "replace")
    state = bytearray(b"\1" * (len(text) // 2))
    for each in ranges:
        start, end = max(0, each.start), min(each.end, len(state))
        state[start:end] = bytes([_LIVE if each.times else _IDLE]) * max(0, end - start)
    live, idle = set[int](), set[int]()
    number, seen, dead = 1, False, False
    for at, alive in enumerate(state):
        sign = text[2 * at] if not text[2 * at + 1] else 0
        if sign == _NEWLINE:
            if not seen and (dead or not alive):
                idle.add(number)
            elif seen:
                live.add(number)
            number, seen, dead = number + 1, False, False
        elif sign not in _SPACE:
            seen, dead = seen or bool(alive), dead or not alive
    if seen or dead:
        (live if seen else idle).add(number)
    return frozenset(live), frozenset(idle)
