"""What every command does with its summary: it goes to the record, and the user hears how to come back to it."""

from __future__ import annotations

import json

from wynot.run.onward import SHORT
from wynot.run.record.runs import keep_summary


def remember(summary: str) -> str:
    """Keep what `--json` prints with its run; gives the line that names the run, nothing where there is none."""
    told = json.loads(summary)
    runs = [each["run"] for each in told.get("columns", [told]) if each.get("run")]
    if told.get("along", {}).get("run"):
        runs.insert(0, told["along"]["run"])
    for run in runs:
        keep_summary(run, told)
    return f"run {runs[0][:SHORT]}: wynot report {runs[0][:SHORT]}" if runs else ""
