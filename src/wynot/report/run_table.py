"""All runs, in a table and for machines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from wynot.core.text import counted
from wynot.engine.record.read import Run
from wynot.report.escape import visible

WIDE = 32
_UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def run_table_text(runs: Sequence[Run]) -> str:
    """One line for each run, the latest first."""
    if not runs:
        return "no runs yet; begin one: wynot reduce --help"
    rows: list[tuple[str, ...]] = [("RUN", "WHEN", "KIND", "STATUS", "TESTS", "JOURNAL", "BEFORE -> AFTER", "INPUT")]
    rows += [_row(run) for run in runs]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    lines = ["  ".join((*(f"{c:<{w}}" for c, w in zip(row, widths, strict=False)), row[-1])) for row in rows]
    total = sum(run.size for run in runs)
    return "\n".join(
        [*lines, f"{counted(len(runs), 'run')}, {in_units(total)}; next: wynot report RUN, wynot runs resume RUN"]
    )


def _row(run: Run) -> tuple[str, ...]:
    shown = visible(str(run.facts.get("shown", "-")))
    shown = shown if len(shown) <= WIDE else "…" + shown[1 - WIDE :]
    return (
        run.short, when(run.begun), run.kind, _status(run), str(run.searched), in_units(run.size), sizes(run), shown
    )  # fmt: skip


def _status(run: Run) -> str:
    """How it ended; a test that is too weak has ended in no result."""
    return "too weak" if run.status == "done" and run.facts.get("weak") else run.status


def sizes(run: Run) -> str:
    """How large it was, and is; nothing where that is not known."""
    facts = run.facts
    if "before" not in facts:
        return "-"
    return f"{facts['before']} -> {facts['after']} {facts['unit']}"


def when(moment: str) -> str:
    """A time as it is here.

    >>> when("no time")
    'no time'
    """
    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return moment


def in_units(size: int) -> str:
    """A number of bytes for people.

    >>> in_units(12), in_units(45_678), in_units(3_000_000)
    ('12 B', '45.7 kB', '3.0 MB')
    """
    for unit, name in _UNITS:
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} B"


def run_table_json(runs: Sequence[Run]) -> str:
    """One object with all of them."""
    return json.dumps({"command": "runs", "runs": [run_json(run) for run in runs]})


def run_json(run: Run) -> dict[str, Any]:
    """A run for machines."""
    facts = run.facts
    named = ("before", "after", "unit", "minimality", "looked_for", "argv", "cwd", "ended", "wall", "shown")
    return {
        "run": run.id,
        "kind": run.kind,
        "status": run.status,
        "begun": run.begun,
        "journal": str(run.path),
        "bytes": run.size,
        "tests": run.searched,
        **{name: facts.get(name) for name in named},
    }
