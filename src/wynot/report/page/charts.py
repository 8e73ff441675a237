"""SVG charts of a report: size over tests, outcomes of tests, and the syntax tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup, escape

from wynot.core.artifact import Laid
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.domains.syntax import language_loading
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.engine.record.read import Run, TrialStep
from wynot.report.page.page_text import pieces, visible

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


# Size over answers (2002, figures 8 and 11 to 14): the best so far, and how each test ended, as an SVG picture.


WIDTH, HEIGHT = 860, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 14, 26, 64
STRETCH = 100
"""Where the size goes down by more than this factor, the scale is logarithmic."""
COLUMNS = 400
"""The strip of outcomes has at most so many columns."""
_NAMES = {FAIL: "fail", PASS: "pass", Outcome.UNRESOLVED: "open"}


class SizeCurve(NamedTuple):
    """A size that is known after so many tests: pairs of both, at each change."""

    name: str
    points: list[tuple[int, int]]


def curves(run: Run, steps: Sequence[TrialStep]) -> list[SizeCurve]:
    """The best so far; of an isolation both sides (2002, figure 3)."""
    if run.kind == "isolate":
        return _sides(run, steps)
    before = run.facts.get("before") or (steps[0].size if steps else 0)
    points = [(0, before)]
    for place, step in enumerate(steps):
        if step.best is not None and step.best != points[-1][1]:
            points.append((place, step.best))
    after = run.facts.get("after")
    if after is not None and run.kind != "changes" and after != points[-1][1]:
        points.append((len(steps), after))
    return [SizeCurve("best", [*points, (len(steps), points[-1][1])])]


def _sides(run: Run, steps: Sequence[TrialStep]) -> list[SizeCurve]:
    inputs = run.facts.get("inputs", [])
    sizes = {FAIL: inputs[0]["size"] if inputs else 0, PASS: inputs[1]["size"] if len(inputs) > 1 else 0}
    points = {outcome: [(0, size)] for outcome, size in sizes.items()}
    for place, (step, after) in enumerate(zip(steps, [*steps[1:], None], strict=True)):
        changed = after is None or after.best != step.best
        if step.outcome in points and changed and _closer(step, points):
            points[step.outcome].append((place + 1, step.size))
    return [
        SizeCurve(name, [*points[outcome], (len(steps), points[outcome][-1][1])])
        for outcome, name in ((FAIL, "failing"), (PASS, "passing"))
    ]


def _closer(step: TrialStep, points: dict[Outcome, list[tuple[int, int]]]) -> bool:
    other = points[PASS if step.outcome is FAIL else FAIL][-1][1]
    return abs(step.size - other) <= abs(points[step.outcome][-1][1] - other)


class _Scale(NamedTuple):
    """From numbers to places in the picture."""

    tests: int
    top: int
    low: int
    log: bool

    def x(self, tests: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * tests / max(1, self.tests), 1)

    def y(self, size: float) -> float:
        high = HEIGHT - TOP - BOTTOM
        if self.log:
            share = math.log(max(size, 1) / self.low) / math.log(self.top / self.low)
        else:
            share = size / max(1, self.top)
        return round(TOP + high * (1 - max(0.0, min(1.0, share))), 1)


def chart(run: Run, steps: Sequence[TrialStep]) -> Markup:
    """The picture; nothing where nothing was tested."""
    if not steps:
        return Markup("")
    lines = curves(run, steps)
    sizes = [size for line in lines for _, size in line.points]
    low = max(1, min(sizes))
    log = len(lines) == 1 and max(sizes) > STRETCH * low
    scale = _Scale(len(steps), max(1, *sizes), low, log)
    unit = str(run.facts.get("unit", "bytes")) + (" (logarithmic)" if log else "")
    parts = [*_axes(scale, unit), *(_curve(line, scale) for line in lines), *_strip(steps, scale)]
    return Markup(  # noqa: S704 - numbers, and a unit that is escaped
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>Size over {len(steps)} answers</title>{''.join(parts)}</svg>"
    )


def _curve(line: SizeCurve, scale: _Scale) -> str:
    x, y = scale.x(line.points[0][0]), scale.y(line.points[0][1])
    path = [f"M{x} {y}"]
    for tests, size in line.points[1:]:
        path.append(f"H{scale.x(tests)}V{scale.y(size)}")
    drawn = "".join(path)
    floor = scale.y(0) if line.name != "failing" else TOP
    area = f'<path class="area {line.name}" d="{drawn}V{floor}H{x}Z"/>' if line.name != "failing" else ""
    return f'{area}<path class="line {line.name}" d="{drawn}"/>'


def _axes(scale: _Scale, unit: str) -> list[str]:
    base = HEIGHT - BOTTOM
    parts = [f'<path class="axis" d="M{LEFT} {TOP}V{base}H{WIDTH - RIGHT}"/>']
    for size in _ticks(scale.top, scale.low if scale.log else 0, log=scale.log):
        y = scale.y(size)
        parts.append(f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{_short(size)}</text>')
    for tests in _ticks(scale.tests, 0, log=False):
        x = scale.x(tests)
        parts.append(f'<text class="tick" x="{x}" y="{base + 36}" text-anchor="middle">{_short(tests)}</text>')
    parts.append(f'<text class="label" x="{LEFT - 34}" y="12">{escape(unit)}</text>')
    axis = "answers (tests and cached answers)"
    parts.append(f'<text class="label" x="{WIDTH - RIGHT}" y="{base + 54}" text-anchor="end">{axis}</text>')
    return parts


def _ticks(top: int, low: int, *, log: bool) -> list[int]:
    """Round numbers up to the largest.

    >>> _ticks(1200, 0, log=False), _ticks(5000, 3, log=True)
    ([0, 500, 1000], [10, 100, 1000])
    """
    if log:
        return [10**power for power in range(12) if low <= 10**power <= top]
    rough = max(top, 1) / 4
    power = 10 ** math.floor(math.log10(rough))
    step = max(1, int(next(each * power for each in (1, 2, 5, 10) if each * power >= rough)))
    return list(range(0, top + 1, step))


def _short(number: int) -> str:
    """A number for an axis.

    >>> _short(800), _short(12_000), _short(1_500_000)
    ('800', '12k', '1.5M')
    """
    for unit, name in ((1_000_000, "M"), (1000, "k")):
        if number >= 10 * unit or (number >= unit and not number % (unit // 10)):
            return f"{number / unit:g}{name}"
    return str(number)


def _strip(steps: Sequence[TrialStep], scale: _Scale) -> list[str]:
    """How tests ended, below the axis: one column for each, or for several, by their shares."""
    base, high = HEIGHT - BOTTOM + 6, 14
    columns = min(COLUMNS, len(steps))
    paths: dict[str, list[str]] = {name: [] for name in _NAMES.values()}
    for column in range(columns):
        start, end = column * len(steps) // columns, (column + 1) * len(steps) // columns
        x, wide = scale.x(start), max(0.6, round(scale.x(end) - scale.x(start) - (0.6 if columns < 200 else 0), 1))
        y = float(base)
        for outcome, name in _NAMES.items():
            share = sum(step.outcome is outcome for step in steps[start:end]) / (end - start)
            if share:
                paths[name].append(f"M{x} {round(y, 1)}h{wide}v{round(high * share, 1)}h{-wide}z")
                y += high * share
    return [f'<path class="{name}" d="{"".join(path)}"/>' for name, path in paths.items() if path]


# The syntax tree before and after (HDD, figures 2 and 3), where it is small enough to be looked at.


FEW = 140
"""Nodes of a tree that is drawn."""
LEVEL = 40
LABEL = 14
LETTER, SPACE = 6.8, 12
"""How wide a letter of a label is, and what is between two labels."""
FIT = 1500
"""Pictures up to this width are made to fit the page; wider ones can be moved."""


class TreePair(NamedTuple):
    """Both trees."""

    language: str
    before: Markup
    after: Markup
    nodes: tuple[int, int]


def trees(name: str, language: str | None, original: Laid | None, result: Laid | None) -> TreePair | None:
    """Both trees, or None where there are none, or large ones."""
    if not isinstance(original, bytes) or not isinstance(result, bytes) or len(original) > 40 * FEW:
        return None
    wished = language or language_loading.guessed(name, original)
    if wished in {None, "none", "outline"} or wished not in language_loading.NAMES:
        return None
    try:
        loaded = language_loading.load(wished)
    except language_loading.MissingWheelError:
        return None
    before, after = loaded.parse(original), loaded.parse(result)
    if not 2 < len(before) <= FEW:
        return None
    kept = _kept(original, result)
    left = [any(kept[a:b]) for a, b in zip(before.starts, before.ends, strict=True)]
    return TreePair(
        wished, _drawn_node(before, left), _drawn_node(after, [True] * len(after)), (len(before), len(after))
    )


def _kept(original: bytes, result: bytes) -> list[bool]:
    """For each byte of the original, whether it is left; white space does not count."""
    kept: list[bool] = []
    for text, how in pieces(original.decode("latin-1"), result.decode("latin-1")):
        if how != "new":
            kept += [how == "kept" and not char.isspace() for char in text]
    return kept


def _drawn_node(tree: SyntaxTree, left: list[bool]) -> Markup:
    labels = [_label(tree, node) for node in range(len(tree))]
    places, wide = _places(tree, labels)
    depths = tree.shape.depths
    high = (max(depths) + 1) * LEVEL + 8
    edges, nodes = [], []
    for node, x in enumerate(places):
        y = depths[node] * LEVEL + 16
        how = "kept" if left[node] else "cut"
        for child in tree.shape.children(node):
            way = "kept" if left[child] else "cut"
            to = depths[child] * LEVEL + 16
            edges.append(f'<path class="edge {way}" d="M{x:g} {y + 5}L{places[child]:g} {to - 12}"/>')
        kind = "leaf" if tree.shape.lasts[node] == node + 1 else "inner"
        nodes.append(
            f'<text class="node {kind} {how}" x="{x:g}" y="{y}" text-anchor="middle">'
            f"<title>{escape(tree.kinds[node])}</title>{escape(labels[node])}</text>"
        )
    fit = " fit" if wide <= FIT else ""
    return Markup(  # noqa: S704 - labels are escaped above
        f'<svg class="tree{fit}" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(edges)}{"".join(nodes)}</svg>'
    )


def _label(tree: SyntaxTree, node: int) -> str:
    """The text of a leaf, the kind of any other node."""
    leaf = tree.shape.lasts[node] == node + 1
    text = visible(tree.text(node)).strip().replace("\n", " ") if leaf else ""
    text = text or tree.kinds[node].replace("_", " ")
    return text if len(text) <= LABEL else text[: LABEL - 1] + "…"


def _places(tree: SyntaxTree, labels: list[str]) -> tuple[list[float], int]:
    """Leaves side by side, in order, each node above the middle of those below it; and how wide that is."""
    places, right = [0.0] * len(tree), SPACE / 2
    for node in range(len(tree)):
        if tree.shape.lasts[node] == node + 1:
            wide = max(LETTER * len(labels[node]), 16)
            places[node] = round(right + wide / 2, 1)
            right += wide + SPACE
    for node in reversed(range(len(tree))):
        below = [places[child] for child in tree.shape.children(node)]
        if below:
            places[node] = round((below[0] + below[-1]) / 2, 1)
    return _apart(tree, labels, places, right)


def _apart(tree: SyntaxTree, labels: list[str], places: list[float], right: float) -> tuple[list[float], int]:
    """Labels of one level do not overlap: nodes move to the right, with all below them."""
    ends: dict[int, float] = {}
    moved = 0.0
    for node in range(len(tree)):
        half = LETTER * len(labels[node]) / 2
        depth = tree.shape.depths[node]
        lack = ends.get(depth, 0.0) + SPACE / 2 - (places[node] - half)
        if lack > 0:
            for each in range(node, tree.shape.lasts[node]):
                places[each] = round(places[each] + lack, 1)
            moved = max(moved, lack)
        ends[depth] = places[node] + half
    return places, int(
        max(right + moved, *(x + LETTER * len(label) / 2 for x, label in zip(places, labels, strict=True))) + 8
    )
