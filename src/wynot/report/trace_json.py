"""Reduced traces for machines: one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from wynot.commands.trace.state_search import CausalLine
from wynot.commands.trace.trace_reduction import TraceResult
from wynot.commands.trace.trace_result import CriterionResult
from wynot.core.config import Config
from wynot.report.result_json import cost_json
from wynot.report.trace_report import event_name, lines_of, source_line


def trace_json(result: TraceResult) -> str:
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
            **{
                key: columns[0][key]
                for key in ("minimality", "looked_for", "tests", "cached", "wall", "run", "from_run")
            },
            "columns": columns,
        }
    )


def _events(result: TraceResult, kept: Config) -> list[dict[str, object]]:
    trace = result.trace
    events: list[dict[str, object]] = []
    for event in kept:
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
    return events


def _column(result: TraceResult, column: CriterionResult) -> dict[str, object]:
    trace = result.trace
    causes = [
        {"size_after": len(kept), "lines_after": len(lines_of(trace, kept)), "events": _events(result, kept)}
        for _, kept in column.sets
    ]
    return {
        "title": column.title,
        "status": column.status,
        "minimality": column.minimality,
        "looked_for": column.looked_for,
        "size_before": len(trace),
        **causes[0],
        **cost_json(column.cost),
        "run": column.run,
        "causes": causes,
        "more": column.more,
    }


def chain_json(links: Sequence[CausalLine]) -> str:
    """A cause-effect chain."""
    return json.dumps({"command": "trace", "state": [asdict(link) for link in links]})
