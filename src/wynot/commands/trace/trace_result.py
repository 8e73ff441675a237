"""What is left of a trace for one criterion, and what the record keeps of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from wynot.core.config import Config
from wynot.core.outcome import FAIL
from wynot.domains.traces.trace_tree import TraceTree, plan_of
from wynot.engine.record.record_summary import ResultSummary
from wynot.engine.results import Cost

MANY = 400
"""Up to so many events the whole trace is kept; else what is left of it..."""
MOST = 5000
"""...but not more of that than these."""


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """A reduced trace: what is left of it for one criterion."""

    title: str
    kept: Config
    """The events that are left."""
    minimality: str | None
    looked_for: str
    cost: Cost
    run: str | None = None
    status: str = "done"
    others: tuple[Config, ...] = ()
    """The events of further causes, each of which lacks events of those before it..."""
    more: bool | None = None
    """...and whether the trace still fails without events of each; None: nobody has looked."""

    @property
    def sets(self) -> tuple[tuple[str, Config], ...]:
        """The events of each cause, with a title."""
        further = ((f"{self.title}, cause {number}", each) for number, each in enumerate(self.others, 2))
        return ((self.title, self.kept), *further)


def criterion_summary(whole: TraceTree, column: object) -> ResultSummary | None:
    """The table of figure 6: events, their source, and whether they are left."""
    if not isinstance(column, CriterionResult):
        return None
    kept = [each for _, each in column.sets]
    shown = Config.of(event for each in kept for event in each)
    events = range(len(whole)) if len(whole) <= MANY else islice(shown, MOST)
    rows = []
    for event in events:
        statement = whole.statement(event)
        file = whole.recorded.files[statement.file]
        lines = file.source.splitlines()
        text = lines[statement.line - 1].strip() if 0 < statement.line <= len(lines) else ""
        rows.append([event + 1, file.path, statement.line, text, event in column.kept])
    further = [[event + 1 for event in islice(each, MOST)] for each in column.others]
    view = {"title": column.title, "rows": rows, "whole": len(whole) <= MANY, "further": further, "more": column.more}
    return ResultSummary(
        len(whole), len(column.kept), "events", view, claims=lambda: tuple((plan_of(each), FAIL) for each in kept)
    )
