"""Results for machines: one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from wynot.core.artifact import Content
from wynot.core.folder import Folder
from wynot.core.outcome import Outcome
from wynot.domains.tokens import count
from wynot.report.trace import event_name, lines_of, source_line
from wynot.run.result import Cost, Isolated, Reduced
from wynot.run.trace.state import Link
from wynot.run.trace.trace import Column, Traced


def _sizes(content: Content) -> dict[str, int]:
    """How large a file is, or all files of a folder together."""
    texts = list(content.files.values()) if isinstance(content, Folder) else [content]
    return {
        "bytes": sum(map(len, texts)),
        "lines": sum(len(text.splitlines()) for text in texts),
        "tokens": sum(map(count, texts)),
    }


def _files(before: Content, after: Content) -> dict[str, object]:
    """How many files a folder has."""
    if not isinstance(before, Folder) or not isinstance(after, Folder):
        return {}
    return {"files": {"before": before.count, "after": after.count}}


def _common(result: Reduced | Isolated) -> dict[str, object]:
    return {
        "status": result.status,
        "minimality": result.minimality,
        "atoms": result.atoms,
        "looked_for": result.looked_for,
        **_cost(result.cost),
        "run": result.run,
        "outputs": list(result.outputs),
    }


def _cost(cost: Cost) -> dict[str, object]:
    counts = cost.counts
    return {
        "tests": counts.tests,
        "needed": counts.needed,
        "cached": counts.cached,
        "predicted": counts.predicted,
        "killed": counts.killed,
        "baseline_tests": counts.baseline,
        "runs": cost.runs,
        "rate": cost.rate,
        "outcomes": {outcome.value: counts.outcomes[outcome] for outcome in Outcome},
        "wall": round(cost.wall, 6),
        "engine": round(cost.engine, 6),
    }


def reduced_json(result: Reduced) -> str:
    """A simplified input."""
    after = [_sizes(cause) for cause in result.found]
    before = _sizes(result.original)
    return json.dumps(
        {
            "command": "reduce",
            **_common(result),
            "size_before": before["bytes"],
            "size_after": after[0]["bytes"],
            "before": before,
            "after": after[0],
            "causes": after,
            "more": result.more,
            **_files(result.original, result.found[0]),
        }
    )


def isolated_json(result: Isolated) -> str:
    """A pair of inputs."""
    return json.dumps(
        {
            "command": "isolate",
            **_common(result),
            "size_before": len(result.original),
            "size_after": len(result.failing),
            "before": _sizes(result.original),
            "passing": _sizes(result.passing),
            "failing": _sizes(result.failing),
            "difference": result.deltas,
        }
    )


def traced_json(result: Traced) -> str:
    """A reduced trace."""
    trace = result.trace
    columns = [_column(result, column) for column in result.columns]
    return json.dumps(
        {
            "command": "trace",
            "kind": result.kind,
            "status": result.status,
            "events": len(trace),
            "calls": len(trace.events.calls.functions),
            "lines": len(lines_of(trace, range(len(trace)))),
            "files": [each.path for each in trace.recorded.files],
            "size_before": len(trace),
            "size_after": len(result.columns[0].kept),
            **{key: columns[0][key] for key in ("minimality", "looked_for", "tests", "cached", "wall", "run")},
            "columns": columns,
        }
    )


def _column(result: Traced, column: Column) -> dict[str, object]:
    trace = result.trace
    events = []
    for event in column.kept:
        statement = trace.statement(event)
        events.append(
            {
                "name": event_name(trace, event),
                "time": event + 1,
                "file": trace.recorded.files[statement.file].path,
                "line": statement.line,
                "function": trace.recorded.functions[statement.function],
                "source": source_line(trace, statement.file, statement.line),
            }
        )
    return {
        "title": column.title,
        "status": column.status,
        "minimality": column.minimality,
        "looked_for": column.looked_for,
        "size_before": len(trace),
        "size_after": len(column.kept),
        "lines_after": len(lines_of(trace, column.kept)),
        **_cost(column.cost),
        "run": column.run,
        "events": events,
    }


def chain_json(links: Sequence[Link]) -> str:
    """A cause-effect chain."""
    return json.dumps({"command": "trace", "state": [asdict(link) for link in links]})
