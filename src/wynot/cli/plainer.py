"""After a search: one line that names what could be asked for next, for people only."""

from __future__ import annotations

import shlex
import sys
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


def plainer(result: Reduced, given: dict[str, Any]) -> str:
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
    first, *rest = without_fresh(typed()) or ("reduce",)
    words = ("wynot", first, *missing, *(("-j", "0") if slow else ()), *rest)
    return f"plainer still: {shlex.join(words)}"  # what has been tested is known by then
