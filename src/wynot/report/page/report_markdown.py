"""Reports as Markdown, and the formats that `wynot report` writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wynot.core.folder import Folder
from wynot.engine.record.read import Run
from wynot.engine.record.redaction import RedactedRun, Redaction
from wynot.report.escape import printable
from wynot.report.page.charts import chart
from wynot.report.page.page_text import text_of
from wynot.report.page.report_data import ReportData, page_of
from wynot.report.run_table import run_json

MOST = 20_000
"""Characters of a result in a bug report."""
_TICKS = re.compile(r"`+")


def fenced(text: str, language: str = "") -> str:
    """A block of code that ends where it should, whatever is in it.

    >>> print(fenced("a ``` b"))
    ````
    a ``` b
    ````
    """
    fence = "`" * max(3, 1 + max((len(found[0]) for found in _TICKS.finditer(text)), default=0))
    shown = text if len(text) <= MOST else text[:MOST] + "\n… (cut)"
    return f"{fence}{language}\n{shown.rstrip(chr(10))}\n{fence}"


def _code(text: str) -> str:
    """Code within a line."""
    ticks = "`" * (1 + max((len(found[0]) for found in _TICKS.finditer(text)), default=0))
    return f"{ticks}{text}{ticks}" if len(ticks) == 1 else f"{ticks} {text} {ticks}"


def bug_report(page: ReportData) -> str:
    """What to send to whoever mends it."""
    return "\n\n".join(_bug(page)) + "\n"


def _bug(page: ReportData) -> Iterator[str]:
    facts = page.facts
    rows = dict(page.rows())
    if "failure" in rows:
        yield f"**What happens:** {_inline(rows['failure'])}"
    yield from _minimal(page)
    if page.by_hand:
        name = facts.get("name", "")
        saved = f" (the input above as {_code(str(name))})" if page.run.kind in {"reduce", "isolate"} else ""
        yield f"**To see it**{saved}:\n\n{fenced(page.by_hand, 'sh')}"
    about = [f"- {name}: {_inline(rows[name])}" for name in ("program", "versions") if name in rows]
    if about:
        yield "**Versions:**\n\n" + "\n".join(about)
    yield f"Found with {_code(page.command)}: {page.sizes}, {page.promise}."


def _minimal(page: ReportData) -> Iterator[str]:
    """The result, as its kind has it."""
    run = page.run
    for number, result in enumerate(page.results):
        proved = "Minimal input" if not page.weak else "What is left"
        smallest = proved if run.status == "done" else "Smallest so far"
        what = smallest if number == 0 else f"Cause {number + 1}"
        folder = " (a folder)" if isinstance(result, Folder) else ""
        yield f"**{what}{folder}:**\n\n{fenced(text_of(result))}"
    for side in ("passing", "failing"):
        content = run.content(side) if run.kind == "isolate" else None
        if content is not None:
            yield f"**{'Works' if side == 'passing' else 'Fails'}:**\n\n{fenced(text_of(content))}"
    yield from _special(page)


def _special(page: ReportData) -> Iterator[str]:
    """What only one kind of run has."""
    view, run = page.view, page.run
    if run.kind == "changes":
        for head, lines in page.patches():
            yield f"**{head}:**\n\n{fenced(chr(10).join(line.text for line in lines), 'diff')}"
    if run.kind == "options":
        for cause in view.get("causes", []):
            yield f"**Needed:** {_inline(', '.join(cause['names']))}\n\n{fenced(' '.join(cause['words']), 'sh')}"
    if run.kind == "events":
        yield "**Actions:**\n\n" + "\n".join(f"{n}. {_inline(each)}" for n, each in enumerate(view.get("names", []), 1))
    if run.kind == "trace":
        rows = view.get("rows", [])
        for number, events in enumerate([[row[0] for row in rows if row[4]], *view.get("further", [])], 1):
            kept = set(events)
            statements = (f"{row[1]}:{row[2]}  {row[3]}" for row in rows if row[0] in kept)
            of = "" if number == 1 else f" (cause {number})"
            yield f"**Statements that matter{of}:**\n\n{fenced(chr(10).join(statements))}"
    if run.kind == "bisect" and (suspects := view.get("suspects")):
        named = (f"- {_inline(each['sha'][:12] + ' ' + each['subject'])}" for each in suspects)
        yield "**Fails since:**\n\n" + "\n".join(named)


def _inline(text: str) -> str:
    """Text within a line, with nothing that Markdown or HTML would take for its own."""
    return re.sub(r"([\\`*_<>\[\]&|#])", r"\\\1", " ".join(text.split()))


def as_markdown(page: ReportData) -> str:
    """All of it."""
    table = "\n".join(f"| {name} | {_inline(value)} |" for name, value in page.rows())
    stages: dict[str, int] = {}
    for step in page.steps:
        stages[step.stage or "tests"] = stages.get(step.stage or "tests", 0) + 1
    passes = "\n".join(f"| {_inline(name)} | {count} |" for name, count in stages.items())
    return (
        f"# {_inline(page.title)}\n\n| | |\n|---|---|\n{table}\n\n{bug_report(page)}\n"
        f"## Answers by pass\n\n| pass | answers |\n|---|---|\n{passes}\n"
    )


# All formats of a report.


_NOTHING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 40"><text x="8" y="24">no tests</text></svg>'
FORMATS = ("html", "md", "json", "svg")


def report(run: Run, form: str, redaction: Redaction | None = None) -> str:
    """The report of a run in one of the formats; what is private is replaced where that is asked for."""
    page = page_of(run if redaction is None else redaction.run(run))
    if form == "html":
        from wynot.report.page.report_html import as_html  # noqa: PLC0415 - the template engine takes its time to load

        return as_html(page)
    if form == "md":
        return printable(as_markdown(page))
    return as_json(page) if form == "json" else as_svg(page)


def as_json(page: ReportData) -> str:
    """The record, with every answer."""
    steps: list[dict[str, Any]] = [
        {
            "stage": step.stage, "deltas": step.deltas, "at": step.at, "outcome": step.outcome.value, "size": step.size,
            "cached": step.cached, "best": step.best, "config": None if step.config is None else step.config.bounds,
        }
        for step in page.steps
    ]  # fmt: skip
    told = {
        "command": "report",
        **run_json(page.run),
        "record": page.facts,
        "summary": page.run.summary,
        "results": [text_of(each) for each in page.results],
        "bug_report": bug_report(page),
        "steps": steps,
    }
    return json.dumps(page.run.hidden.value(told) if isinstance(page.run, RedactedRun) else told)


def as_svg(page: ReportData) -> str:
    """Size over answers, as a picture that stands alone."""
    style = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
    drawn = str(chart(page.run, page.steps)) or _NOTHING
    head, _, rest = drawn.partition(">")
    return f'{head} width="860"><style>{style}</style>{rest}\n'
