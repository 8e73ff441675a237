"""Readers of coverage reports: Cobertura, coverage.py, LCOV, gcov and V8."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from xml.parsers import expat

from wynot.domains.coverage.line_counts import LineCounts, Table, UnreadableError, new_table, whole_numbers


def read_cobertura(data: bytes) -> Table:
    """The counts of each file. Nothing that it refers to is fetched; a file that declares entities is refused.

    >>> xml = b'<coverage><class filename="a.py"><lines><line number="1" hits="2"/></lines></class></coverage>'
    >>> dict(read_cobertura(xml)["a.py"].lines)
    {1: 2}
    """
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.begin
    parser.EndElementHandler = reader.end
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UnreadableError(f"it is not XML: {error}") from None
    return reader.table


class _Reader:
    """Told of one element after the other."""

    def __init__(self) -> None:
        self.table = new_table()
        self._root = ""
        self._counts: LineCounts | None = None

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if not self._root:
            self._root = name
            if name != "coverage":
                raise UnreadableError(f"it is not Cobertura's XML: that begins with <coverage>, not with <{name}>")
        if name == "class":
            self._counts = self.table[attributes.get("filename", "")]
        elif name == "line" and self._counts is not None:
            number, hits = whole_numbers((attributes.get("number", ""), attributes.get("hits", "")))
            self._counts.add(number, hits)

    def end(self, name: str) -> None:
        """An element ends."""
        if name == "class":
            self._counts = None


def _refuse(*_declaration: object) -> None:
    raise UnreadableError("it declares entities, which no tool for coverage needs")


# coverage.py's own JSON (`coverage json`).


def read_coveragepy(text: str) -> Table:
    """The counts of each file.

    >>> found = '{"meta": {}, "files": {"a.py": {"executed_lines": [1, 2], "missing_lines": [4]}}}'
    >>> dict(read_coveragepy(found)["a.py"].lines)
    {1: 1, 2: 1, 4: 0}
    """
    table = new_table()
    try:
        for path, found in json.loads(text)["files"].items():
            for line in found["executed_lines"]:
                table[path].add(int(line), 1)
            for line in found["missing_lines"]:
                table[path].add(int(line), 0)
    except (json.JSONDecodeError, RecursionError):
        raise UnreadableError("it is no JSON") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UnreadableError("it is not what `coverage json` writes") from None
    return table


# LCOV: what lcov, c8, grcov, llvm-cov and many others write.
#
# Of its records `SF`, `DA` and `FN` are read, and lcov 2's `FNL`.


def read_lcov(text: str) -> Table:
    r"""The counts of each file.

    >>> table = read_lcov("SF:a.c\nFN:1,3,f\nFNDA:0,f\nDA:2,0\nDA:5,7\nend_of_record\n")
    >>> dict(table["a.c"].lines), table["a.c"].functions
    ({2: 0, 5: 7}, {(1, 3)})
    """
    table = new_table()
    counts: LineCounts | None = None
    for line in text.splitlines():
        kind, _, rest = line.strip().partition(":")
        if kind == "SF":
            counts = table[rest]
        elif kind == "end_of_record":
            counts = None
        elif kind in _READERS:
            if counts is None:
                raise UnreadableError(f"{kind} comes before a file is named")
            _READERS[kind](rest.split(","), counts)
    return table


def _line(words: list[str], counts: LineCounts) -> None:
    """`DA:line,count`."""
    if len(words) < 2:
        raise UnreadableError("a record is too short")
    number, count = whole_numbers(words[:2])
    counts.add(number, count)


def _function(words: list[str], counts: LineCounts) -> None:
    """`FN:first,last,name`; older ones do not say where it ends."""
    if len(words) > 2 and words[1].isdigit():
        first, last = whole_numbers(words[:2])
        counts.functions.add((first, last))


def _numbered(words: list[str], counts: LineCounts) -> None:
    """`FNL:number,first,last`."""
    _function([*words[1:], ""], counts)


_READERS = {"DA": _line, "FN": _function, "FNL": _numbered}


# gcov's JSON (`gcov --json-format`, also with `--stdout`: one object a line), gcc 9 and later.


def read_gcov(text: str) -> Table:
    """The counts of each file.

    >>> found = '{"files": [{"file": "a.c", "lines": [{"line_number": 2, "count": 0}], "functions": []}]}'
    >>> dict(read_gcov(found)["a.c"].lines)
    {2: 0}
    """
    table = new_table()
    for document in _documents(text):
        try:
            for file in document["files"]:
                counts = table[str(file["file"])]
                for line in file["lines"]:
                    counts.add(int(line["line_number"]), int(line["count"]))
                for each in file["functions"]:
                    if "end_line" in each:
                        counts.functions.add((int(each["start_line"]), int(each["end_line"])))
        except (KeyError, TypeError, ValueError):
            raise UnreadableError("it is not what gcov writes") from None
    return table


def _documents(text: str) -> Iterable[Any]:
    decoder, at = json.JSONDecoder(), 0
    try:
        while at < len(text):
            document, at = decoder.raw_decode(text, at)
            yield document
            while at < len(text) and text[at].isspace():
                at += 1
    except (json.JSONDecodeError, RecursionError):
        raise UnreadableError("it is no JSON") from None


# What Node.js itself records if NODE_V8_COVERAGE is set: ranges of characters, and how often they were executed.


NODE_SUFFIXES = (".js", ".cjs", ".mjs")
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
