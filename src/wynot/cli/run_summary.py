"""Print the result of a command, keep it in the record, and name the run."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from wynot.engine.record.run_store import keep_summary
from wynot.engine.session import SHORT
from wynot.report.terminal_output import show, show_json


def print_result(summary: str, words: Callable[[bool], str], given: dict[str, Any], *, err: bool = False) -> None:
    """Print a result for machines or in words, as was asked for; `words` are told whether there may be colours."""
    run = keep_with_run(summary)
    if given["as_json"]:
        show_json(summary, err=err)
    elif not given["quiet"]:
        colour = (sys.stderr if err else sys.stdout).isatty() and "NO_COLOR" not in os.environ
        show(f"{words(colour)}\n{run}", err=err)


def keep_with_run(summary: str) -> str:
    """Keep what `--json` prints with its run; gives the line that names the run, nothing where there is none."""
    told = json.loads(summary)
    runs = [each["run"] for each in told.get("columns", [told]) if each.get("run")]
    if told.get("along", {}).get("run"):
        runs.insert(0, told["along"]["run"])
    for run in runs:
        keep_summary(run, told)
    return f"run {runs[0][:SHORT]}: wynot report {runs[0][:SHORT]}" if runs else ""
