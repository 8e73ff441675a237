"""Outcomes by configuration (2000, figure 5; 2002, figure 9): a row for each test, a bullet for each delta."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from wynot.engine.record.read import TrialStep

WIDE = 96
"""Stages with more deltas are not drawn."""
ROWS = 240
"""So many tests are drawn."""
DOT, HIGH = 9, 15
_SIGNS = {"fail": "✘", "pass": "✔", "unresolved": "?"}


class BulletChart(NamedTuple):
    """A stage as a picture."""

    stage: str
    deltas: int
    tests: int
    more: int
    """Tests that are not drawn."""
    svg: Markup


def bullets(steps: Sequence[TrialStep]) -> list[BulletChart]:
    """A picture for each stage that is small enough, in order."""
    pictures: list[BulletChart] = []
    left, first = ROWS, 1
    for (stage, deltas), group in groupby(steps, key=lambda step: (step.stage, step.deltas)):
        rows = list(group)
        drawn = [step for step in rows[:left] if step.config is not None]
        if drawn and 1 < deltas <= WIDE:
            left -= len(drawn)
            columns = max([deltas, *(step.config.bounds[-1] for step in drawn if step.config)])
            svg = _drawn(drawn, columns, first, len(pictures))
            pictures.append(BulletChart(stage, deltas, len(rows), len(rows) - len(drawn), svg))
        first += len(rows)
    return pictures


def _drawn(rows: Sequence[TrialStep], deltas: int, first: int, number: int) -> Markup:
    left = 46
    wide, high = left + deltas * DOT + 96, len(rows) * HIGH + 4
    parts = [
        f'<svg class="bullets" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" '
        f'xmlns="http://www.w3.org/2000/svg"><defs>'
        + "".join(
            f'<pattern id="{name}{number}" x="{left}" y="2" width="{DOT}" height="{HIGH}" '
            f'patternUnits="userSpaceOnUse">'
            f'<circle class="{name}" cx="{DOT / 2}" cy="{HIGH / 2}" r="{size}"/></pattern>'
            for name, size in (("present", 3.4), ("absent", 1.2))
        )
        + "</defs>"
        f'<rect x="{left}" y="2" width="{deltas * DOT}" height="{len(rows) * HIGH}" fill="url(#absent{number})"/>'
    ]
    for place, step in enumerate(rows):
        y = 2 + place * HIGH
        parts.append(f'<text class="tick" x="{left - 8}" y="{y + 11}" text-anchor="end">{first + place}</text>')
        parts += [
            f'<rect x="{left + a * DOT}" y="{y}" width="{(b - a) * DOT}" height="{HIGH}" fill="url(#present{number})"/>'
            for a, b in (step.config.intervals() if step.config is not None else ())
        ]
        name = step.outcome.value
        known = " known" if step.cached else ""
        end = left + deltas * DOT + 8
        parts.append(f'<text class="sign {name}{known}" x="{end}" y="{y + 11}">{_SIGNS[name]} {name}</text>')
    return Markup("".join(parts) + "</svg>")  # noqa: S704 - numbers and our own words
