"""After a search: one line that names what could be asked for next, for people only."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import Any

from wynot.cli.again import without_fresh
from wynot.cli.common import available, typed
from wynot.run.result import Reduced

FLAGS = ("rename", "whitespace", "chars")
"""Clean-ups that most small programs can do with."""
LINES = 60
"""What has more lines than these is not made plainer by shorter names."""
LONG = 10.0
"""Seconds after which several tests at once are worth it."""


def plainer(result: Reduced, path: str, given: dict[str, Any]) -> str:
    """What to type to make a result plainer, on a terminal, where something is left to ask for; else nothing.

    Searches in plain text go on to single characters anyway.
    """
    missing = [f"--{name}" for name in FLAGS if not given[name]]
    done = result.status == "done" and result.minimality == "1-tree-minimal" and not result.weak
    if given["as_json"] or given["quiet"] or not done or not missing or not result.outputs or not sys.stdout.isatty():
        return ""
    if not result.causes or len(result.data.splitlines()) > LINES:
        return ""
    slow = given["jobs"] == 1 and not given["cluster"] and result.cost.wall > LONG and available() > 1
    words = again_on(typed(), path, result.outputs[0], [*missing, *(("-j", "0") if slow else ())])
    return f"plainer still: {shlex.join(('wynot', *words))}" if words else ""


def again_on(argv: Sequence[str], path: str, other: str, more: Sequence[str]) -> list[str]:
    """The words of a command for another file, with more options; nothing where they cannot be told.

    >>> again_on(["reduce", "-o", "b.c", "--fresh", "a.c", "--", "cc", "a.c"], "a.c", "b.c", ["--chars"])
    ['reduce', '--chars', 'b.c', '--', 'cc', 'a.c']
    >>> again_on(["reduce", "--output=b.c", "a.c"], "a.c", "b.c", [])
    ['reduce', 'b.c']
    """
    words = without_fresh(argv)
    end = words.index("--") if "--" in words else len(words)
    mine, rest = words[:end], words[end:]
    for place in reversed(range(len(mine))):
        if mine[place] in {"-o", "--output"}:
            del mine[place : place + 2]
        elif mine[place].startswith("--output="):
            del mine[place]
    if mine.count(path) != 1:
        return []
    mine[mine.index(path)] = other
    return [mine[0], *more, *mine[1:], *rest]
