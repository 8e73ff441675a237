"""The live view of a run: best so far, graph of sizes, keys."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log2

from rich.cells import cell_len
from rich.text import Text

from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.core.text import counted
from wynot.report.escape import visible
from wynot.report.live.best_preview import BestPreview
from wynot.report.live.progress import ProgressState, RunInfo, SizePoint

# A small graph of sizes over time, for a terminal.


BLOCKS = " ▁▂▃▄▅▆▇█"
ASCII = " .:#"
LEAST = 1.0
"""The graph shows a factor of two at least: little progress is to look little."""


def graph(points: Sequence[SizePoint], until: float, width: int, height: int, *, plain: bool = False) -> list[str]:
    """The sizes from the beginning until now, on a logarithmic scale; plain: in ASCII.

    >>> graph([SizePoint(0, 1000), SizePoint(5, 30)], 10, 10, 1)
    ['█████▁▁▁▁▁']
    >>> graph([SizePoint(0, 1000), SizePoint(5, 30)], 10, 10, 2, plain=True)
    ['#####     ', '#####.....']
    """
    marks = ASCII if plain else BLOCKS
    fine = len(marks) - 1
    top = log2(points[0].size + 1)
    bottom = max(0.0, min(top - LEAST, *(log2(point.size + 1) for point in points)))
    scale = (height * fine) / max(top - bottom, LEAST)
    levels = [max(1, round(scale * (log2(size + 1) - bottom))) for size in _sampled(points, until, width)]
    return [
        "".join(marks[max(0, min(fine, level - row * fine))] for level in levels) for row in reversed(range(height))
    ]


def _sampled(points: Sequence[SizePoint], until: float, count: int) -> list[int]:
    """The sizes at so many times, evenly spread from the beginning until now."""
    times = [point.seconds for point in points]
    step = until / max(count - 1, 1)
    return [points[max(0, bisect_right(times, place * step) - 1)].size for place in range(count)]


WIDE = 120
"""From so many columns on, the preview stands beside the numbers."""
LEFT = 60
"""Columns for the numbers then."""
NARROW = 60
"""Below that, words are left out."""
GRAPH = 3
"""Rows of the graph."""
BAR = 20
"""Columns of the bar that shows the outcomes."""
MOST = 30
"""Rows of the view, however high the terminal is; beside each other, half of them."""
_OUTCOMES = ((FAIL, "fail", "red", "█"), (PASS, "pass", "green", "▒"), (UNRESOLVED, "unresolved", "yellow", "░"))


@dataclass(frozen=True, slots=True)
class ViewState:
    """What the view depends on beside the standing."""

    width: int
    height: int
    seconds: float
    """Since the beginning."""
    plain: bool = False
    """The terminal shows ASCII only."""
    keys: bool = False
    paused: bool = False
    wish: str = ""
    """What was asked for and is not done yet."""


class LiveView:
    """Makes rows of a standing."""

    def __init__(self, about: RunInfo) -> None:
        self._about, self._title = about, visible(about.title)
        self._preview = BestPreview(about.name, about.language)

    def rows(self, standing: ProgressState, look: ViewState) -> list[Text]:
        """All rows; none is wider than the terminal less one column, and all of them fit."""
        width, height = look.width - 1, min(look.height - 2, MOST)
        wide = width >= WIDE
        left = LEFT if wide else width
        foot = [_foot(standing, look, width)] if look.keys or look.paused else []
        rows = [*self._head(standing, look, left), *_graph(standing, look, left), *self._numbers(standing, look, left)]
        if height < len(rows) + len(foot):  # what says least goes first
            rows = [*self._head(standing, look, left), *self._numbers(standing, look, left)]
        rows = rows[: max(1, height - len(foot))]
        if wide:
            rows = self._beside(standing, rows, width, min(height, MOST // 2) - len(foot))
        else:
            rows += self._below(standing, look, width, height - len(rows) - len(foot))
        done = [*rows, *foot][: max(1, look.height - 1)]
        return [_ascii(row) for row in done] if look.plain else done

    def _head(self, standing: ProgressState, look: ViewState, width: int) -> list[Text]:
        """What is done, for how long, and how small it has become."""
        clock = _clock(look.seconds)
        title = Text(self._title, "bold")
        title.truncate(max(8, width - cell_len(clock) - 2), overflow="ellipsis")
        title.append(" " * max(1, width - title.cell_len - cell_len(clock)))
        title.append(clock, "dim")
        unit = standing.unit if standing.size != 1 else standing.unit.removesuffix("s")
        gone = 1 - standing.size / standing.first if 0 < standing.size < standing.first else 0.0
        share = f"  -{floor(1000 * gone) / 10}%" if gone else ""  # never 100%: something is left
        first = f"{standing.first:,} → " if standing.first != standing.size else ""
        size = Text.assemble(f"{first}", (f"{standing.size:,} {unit}", "bold cyan"), (share, "dim"))
        return [_fit(title, width), _fit(size, width)]

    def _numbers(self, standing: ProgressState, look: ViewState, width: int) -> list[Text]:
        """The pass, the tests, their outcomes, the workers, and the end as far as it is known."""
        narrow = width < NARROW
        rate = standing.run / look.seconds if look.seconds >= 1 else 0.0
        parts = [f"{standing.run} test{'s' * (standing.run != 1)}", f"{standing.cached} cached"]
        if standing.predicted:
            parts.append(f"{standing.predicted} predicted")
        if rate and not narrow:
            parts.append(f"{rate:.1f} tests/s")
        rows = [_stage(standing), Text(" · ".join(parts)), _mix(standing, narrow=narrow)]
        working, end = standing.working, self._end(standing, look)
        workers = f"{standing.busy} of {working.jobs} worker{'s' * (working.jobs != 1)} busy"
        if narrow or len(workers) + len(end) + 3 > width:
            rows += [Text(workers, "dim"), *([Text(end, "dim")] if end else [])]
        else:
            rows.append(Text(" · ".join(each for each in (workers, end) if each), "dim"))
        return [_fit(row, width) for row in rows]

    def _end(self, standing: ProgressState, look: ViewState) -> str:
        """When it ends, only where something is known of that."""
        about, ends = self._about, list[str]()
        if about.budget_tests is not None:
            ends.append(f"at most {counted(max(0, about.budget_tests - standing.tests), 'more test')}")
        elif about.halving and standing.size > 1:
            ends.append(f"about {counted(ceil(log2(standing.size)), 'more test')}")
        if about.budget_time is not None:
            ends.append(f"ends in {_clock(max(0.0, about.budget_time - look.seconds))} at the latest")
        return ", ".join(ends)

    def _below(self, standing: ProgressState, look: ViewState, width: int, height: int) -> list[Text]:
        if height < 2 or standing.best is None:
            return []
        rows = self._preview.rows(standing.best, width, height - 1)
        line = "-" if look.plain else "─"
        return [Text(f"{line * 2} best so far {line * max(0, width - 15)}"[:width], "dim"), *rows]

    def _beside(self, standing: ProgressState, rows: list[Text], width: int, height: int) -> list[Text]:
        room = width - LEFT - 3
        best = self._preview.rows(standing.best, room, height - 1) if standing.best is not None and height > 1 else []
        right = [Text("best so far", "dim"), *best] if best else []
        count = max(len(rows), len(right))
        pairs = zip(rows + [Text()] * (count - len(rows)), right + [Text()] * (count - len(right)), strict=True)
        return [_pair(one, other) for one, other in pairs]


def _pair(left: Text, right: Text) -> Text:
    row = left.copy()
    row.append(" " * (LEFT - row.cell_len))
    row.append(" │ ", "dim")
    row.append_text(right)
    return row


def _fit(row: Text, width: int) -> Text:
    row.truncate(width, overflow="ellipsis")
    return row


def _stage(standing: ProgressState) -> Text:
    if standing.stage is None:
        return Text("first looks at the failure")
    name, many = visible(standing.stage.name), standing.stage.deltas
    return Text.assemble(f"pass {standing.passes}: ", (name, "bold"), f", {many:,} delta{'' if many == 1 else 's'}")


def _graph(standing: ProgressState, look: ViewState, width: int) -> list[Text]:
    if standing.first == 0:
        return []
    return [Text(row, "cyan") for row in graph(standing.points, look.seconds, width, GRAPH, plain=look.plain)]


def _mix(standing: ProgressState, *, narrow: bool) -> Text:
    """How often which outcome was given; as shares of a bar, where there is room for it."""
    row = Text()
    for outcome, name, style, _ in _OUTCOMES:
        count = standing.outcomes[outcome]
        word = name[:5] + "." if narrow and len(name) > 6 else name
        row.append(f"{' · ' if row else ''}{count} ")
        row.append(word, style)
    total = sum(standing.outcomes.values())
    if total and not narrow:
        row.append("  ")
        for outcome, _, style, mark in _OUTCOMES:
            row.append(mark * round(BAR * standing.outcomes[outcome] / total), style)
    return row


def _foot(standing: ProgressState, look: ViewState, width: int) -> Text:
    """What the keys do."""
    if look.wish:
        return _fit(Text(look.wish, "bold"), width)
    skip = standing.stage is not None and standing.stage.skippable
    long = [("s", "stop and keep the best"), ("n", "skip this pass"), ("p", "pause")]
    short = [("s", "stop"), ("n", "skip"), ("p", "pause")]
    if look.paused:
        running = standing.working.running
        state = f"paused, {running} still running" if running else "paused"
        long, short = [("p", "go on"), ("s", "stop and keep the best")], [("p", "go on"), ("s", "stop")]
        return _fit(Text.assemble((state, "bold yellow"), " · ", _keys(long if width >= NARROW else short)), width)
    keys = [each for each in (long if width >= NARROW else short) if each[0] != "n" or skip]
    return _fit(_keys(keys), width)


def _keys(keys: list[tuple[str, str]]) -> Text:
    row = Text()
    for key, word in keys:
        row.append(" · " if row else "", "dim")
        row.append(key, "bold")
        row.append(f" {word}", "dim")
    return row


def _clock(seconds: float) -> str:
    """A time as people write it.

    >>> _clock(5), _clock(75), _clock(3671)
    ('0:05', '1:15', '1:01:11')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_SIMPLE = str.maketrans({"→": ">", "·": "|", "█": "#", "▒": "=", "░": ".", "│": "|", "─": "-", "…": "~"})


def _ascii(row: Text) -> Text:
    """The same with characters that every terminal has; none changes its place."""
    simple = row.plain.translate(_SIMPLE)
    plain = row.copy()
    plain.plain = simple.encode("ascii", "replace").decode() if len(simple) == len(row.plain) else simple
    return plain
