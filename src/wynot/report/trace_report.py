"""Reduced traces as text and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import PurePath

from wynot.commands.trace.state_search import CausalLine
from wynot.commands.trace.trace_reduction import CriterionResult, TraceResult
from wynot.core.config import Config
from wynot.core.text import counted
from wynot.domains.traces.trace_tree import TraceTree
from wynot.report.result_json import cost_json
from wynot.report.result_text import by_statistics, cost_text

# Reduced traces for machines: one JSON object.


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


VIEWS = ("trace", "listing", "coverage", "slice")
WHOLE = 200
"""Up to so many events the whole trace is shown beside the reduced ones; else what is left only."""
WIDTH = 48
_ENDED = {
    "budget": "the budget ended it",
    "stopped": "stopped",
    "changed": "the test changed",
    "interrupted": "interrupted",
}
Line = tuple[int, int]
"""A file, and a line of it."""


def view(result: TraceResult, name: str) -> str:
    """One of the views."""
    views: dict[str, Callable[[TraceResult], Iterable[str]]] = {
        "trace": _figure,
        "listing": _listing,
        "coverage": _coverage,
        "slice": _slice,
    }
    return "".join(f"{line.rstrip()}\n" for line in views[name](result))


def event_name(trace: TraceTree, event: int) -> str:
    """Line and time, as the paper writes them: 6_11; with the file, where there are several.

    The first event has time 1.
    """
    statement = trace.statement(event)
    file = f"{PurePath(trace.recorded.files[statement.file].path).name}:" if len(trace.recorded.files) > 1 else ""
    return f"{file}{statement.line}_{event + 1}"


def source_line(trace: TraceTree, file: int, line: int) -> str:
    """The text of a line."""
    lines = trace.recorded.files[file].source.splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def lines_of(trace: TraceTree, kept: Iterable[int]) -> Counter[Line]:
    """How often each line was executed."""
    statements = trace.recorded.statements
    numbers = Counter(trace.events.statements[event] for event in kept)
    counted: Counter[Line] = Counter()
    for number, times in numbers.items():
        counted[statements[number].file, statements[number].line] += times
    return counted


def _figure(result: TraceResult) -> Iterable[str]:
    """The paper's figure 6: events, their source, and a column for each criterion."""
    trace, sets = result.trace, result.sets
    whole = len(trace) <= WHOLE
    union = Config()
    for _, kept in sets:
        union |= kept
    titles = ["Original trace", *(title for title, _ in sets)] if whole else [title for title, _ in sets]
    rows = [["Event", *(title[:WIDTH] for title in titles)]]
    for event in range(len(trace)) if whole else union:
        statement = trace.statement(event)
        text = source_line(trace, statement.file, statement.line)
        text = text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
        marks = [text if event in kept else "" for _, kept in sets]
        rows.append([event_name(trace, event), *([text] if whole else []), *marks])
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))


def _listing(result: TraceResult) -> Iterable[str]:
    """The source: what was executed how often, and how often of that it mattered."""
    trace = result.trace
    executed = lines_of(trace, range(len(trace)))
    kept = [lines_of(trace, each) for _, each in result.sets]
    for number, file in enumerate(trace.recorded.files):
        relevant = [place for counts in kept for place in counts if place[0] == number]
        if not relevant:
            continue
        yield f"{file.path}"
        for line, text in enumerate(file.source.splitlines(), 1):
            times = [counts[number, line] for counts in kept]
            mark = ">" if any(times) else " "
            of = executed[number, line]
            share = " ".join(f"{each or '':>6}" for each in times)
            yield f"{mark} {share} {'/' + str(of) if of else '':>8} {line:>5}  {text}"


def _coverage(result: TraceResult) -> Iterable[str]:
    """As `coverage report` has it: of each file, how many lines are relevant, and which."""
    trace = result.trace
    executed = lines_of(trace, range(len(trace)))
    for title, events in result.sets:
        kept = lines_of(trace, events)
        rows = [("Name", "Executed", "Relevant", "Share", "Lines")]
        for number, file in enumerate(trace.recorded.files):
            all_, some = ({line for f, line in counts if f == number} for counts in (executed, kept))
            if all_:
                rows.append(_row(file.path, len(all_), some))
        rows.append(("TOTAL", str(len(executed)), str(len(kept)), _share(len(kept), len(executed)), ""))
        widths = [max(len(row[place]) for row in rows) for place in range(5)]
        if len(result.sets) > 1:
            yield f"{title}:"
        for row in rows:
            yield f"{row[0]:<{widths[0]}}  {row[1]:>8}  {row[2]:>8}  {row[3]:>6}   {row[4]}"


def _row(path: str, executed: int, lines: set[int]) -> tuple[str, str, str, str, str]:
    spans = (f"{a}" if b - a == 1 else f"{a}-{b - 1}" for a, b in Config.of(lines).intervals())
    return path, str(executed), str(len(lines)), _share(len(lines), executed), ", ".join(spans)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "-"


def _slice(result: TraceResult) -> Iterable[str]:
    """The source lines that matter, and nothing else: a critical slice."""
    trace = result.trace
    several = len(trace.recorded.files) > 1
    for title, kept in result.sets:
        if len(result.sets) > 1:
            yield f"# {title}"
        places = sorted(lines_of(trace, kept))
        before = -1
        for file, line in places:
            if several and file != before:
                yield f"# {trace.recorded.files[file].path}"
            before = file
            lines = trace.recorded.files[file].source.splitlines()
            yield f"{line:>5}  {lines[line - 1]}" if line <= len(lines) else f"{line:>5}"


def trace_text(result: TraceResult) -> str:
    """A few words about each column."""
    return "\n".join(line for column in result.columns for line in _about(result, column))


def _about(result: TraceResult, column: CriterionResult) -> Iterable[str]:
    trace = result.trace
    if column.status != "done":
        guarantee = f"{_ENDED[column.status]}: not known to be minimal"
    else:
        proved = column.minimality is not None
        words = "no single event can be removed"
        promise = f"1-minimal: {words}" if column.cost.rate == 1 else by_statistics("1-minimal", words, "the whole run")
        guarantee = promise if proved else "not proved to be 1-minimal"
    before = len(lines_of(trace, range(len(trace))))
    for title, kept in column.sets:
        head = f"{title}: " if len(result.sets) > 1 else ""
        after = len(lines_of(trace, kept))
        yield f"{head}{len(trace)} -> {len(kept)} events, {before} -> {after} lines ({guarantee})"
    if column.more is not None:
        lacking = ": each lacks events of those before it" if column.others else ""
        rest = "there are more" if column.more else "no other one was found"
        yield f"{counted(len(column.sets), 'cause')}{lacking}; {rest}"
    yield cost_text(column.cost)


def chain_text(links: Sequence[CausalLine]) -> str:
    """A cause-effect chain."""
    lines = []
    for link in links:
        head = f"{PurePath(link.file).name}:{link.line}: "
        of = f"{len(link.causes)} of {link.differing} differing variables; {counted(link.tests, 'test')}"
        lines.append(head + (link.trouble or of))
        lines += [f"  {each.name}: {each.passing} (passing), {each.failing} (failing)" for each in link.causes]
    return "\n".join(lines)
