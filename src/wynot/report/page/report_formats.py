"""All formats of a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wynot.engine.record.read import Run
from wynot.engine.record.redaction import RedactedRun, Redaction
from wynot.report.escape import printable
from wynot.report.page.page_text import text_of
from wynot.report.page.report_data import ReportData, page_of
from wynot.report.page.report_markdown import as_markdown, bug_report
from wynot.report.page.size_chart import chart
from wynot.report.run_table import run_json

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
