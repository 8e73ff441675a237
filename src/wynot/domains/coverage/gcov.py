"""gcov's JSON (`gcov --json-format`, also with `--stdout`: one object a line), gcc 9 and later."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from wynot.domains.coverage.line_counts import Table, UnreadableError, new_table


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
