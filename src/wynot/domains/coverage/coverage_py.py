"""coverage.py's own JSON (`coverage json`)."""

from __future__ import annotations

import json

from wynot.domains.coverage.line_counts import Table, UnreadableError, new_table


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
