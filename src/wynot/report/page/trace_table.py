"""The table of figure 6 (Cleve & Zeller 2000): events, their source, and a column for each criterion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from wynot.engine.record.read import Run

MANY = 1000
"""Rows that are shown."""
WIDE = 200
"""Characters of a statement."""


class TraceTable(NamedTuple):
    """The columns' titles and the rows: the event, its cells (with whether it is left), whether any column has it."""

    titles: list[str]
    rows: list[tuple[str, list[tuple[str, bool]], bool]]


def trace_table(runs: Sequence[Run]) -> TraceTable | None:
    """The table of all columns that one command has made."""
    views = [
        run.facts["view"] for run in runs if isinstance(run.facts.get("view"), dict) and "rows" in run.facts["view"]
    ]
    if not views:
        return None
    whole = all(view["whole"] for view in views)
    events: dict[int, list[Any]] = {row[0]: row for view in views for row in view["rows"]}
    sets = [each for view in views for each in _sets(view)]
    kept = [events for _, events in sets]
    several = len({row[1] for row in events.values()}) > 1
    rows = []
    for event in sorted(events)[:MANY]:
        _, file, line, text, _ = events[event]
        text = text[:WIDE]
        name = f"{PurePath(file).name}:{line}_{event}" if several else f"{line}_{event}"
        cells = [(text, False)] if whole else []
        cells += [(text if event in each else "", event in each) for each in kept]
        rows.append((name, cells, any(event in each for each in kept)))
    return TraceTable([*(["Original trace"] if whole else []), *(title for title, _ in sets)], rows)


def _sets(view: dict[str, Any]) -> Iterator[tuple[str, set[int]]]:
    """The events of each cause, with a title."""
    title = str(view["title"])
    yield title, {row[0] for row in view["rows"] if row[4]}
    for number, events in enumerate(view.get("further", []), 2):
        yield f"{title}, cause {number}", set(events)
