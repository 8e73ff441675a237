"""Size over time: how much of the time wynot's smallest input is no larger than a peer's at the same moment.

Time runs from 0 to the later end of the two runs. Until its first candidate that fails a tool stands at the size of
the original; at its end it stays where it is. *area* compares the areas below log2(tokens) over the same time: wynot's
for one of the peer's, so less is better.

    curves.py RESULTS.json      all tables of a run of compare.py again; --plots DIR draws it
"""

from __future__ import annotations

import itertools
import math
import statistics
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from common import table
from versus import Result, geometric

BAR = 0.9

Curve = Sequence[tuple[float, int, int]]


@dataclass(frozen=True, slots=True)
class Ahead:
    """One run against another: the share of the time in which it was no larger, and its area for one of the other's."""

    time: float
    area: float


def compare(ours: Curve, theirs: Curve, unreduced: int, end: float) -> Ahead:
    """Both from 0 to this end."""
    moments = sorted({0.0, end, *(point[0] for point in (*ours, *theirs) if 0 < point[0] < end)})
    ahead, areas = 0.0, [0.0, 0.0]
    for begin, until in itertools.pairwise(moments):
        sizes = [_size(curve, unreduced, begin) for curve in (ours, theirs)]
        ahead += (until - begin) * (sizes[0] <= sizes[1])
        for i, size in enumerate(sizes):
            areas[i] += (until - begin) * math.log2(max(size, 1))
    return Ahead(ahead / end, areas[0] / areas[1] if areas[1] else 1.0 if not areas[0] else math.inf)


def _size(curve: Curve, unreduced: int, moment: float) -> int:
    """Tokens at this moment."""
    before = bisect_right(curve, moment, key=lambda point: point[0])
    return curve[before - 1][1] if before else unreduced


def ahead(ours: Result, theirs: Result, unreduced: int) -> Ahead:
    """Where we broke down we reduced nothing, at any moment."""
    curve = [] if ours.lost else ours.curve
    return compare(curve, theirs.curve, unreduced, max(ours.wall, theirs.wall, 1e-3))


def summary(results: Sequence[Result], sizes: Mapping[str, int]) -> dict[str, Any]:
    """For each variant of wynot: each case and peer, the means over all, and how many pairs there are."""
    found: dict[str, Any] = {}
    for variant in dict.fromkeys(r.tool for r in results if not r.peer):
        cases: dict[str, dict[str, Ahead]] = {}
        for ours in (r for r in results if r.tool == variant):
            peers = [r for r in results if r.peer and r.case == ours.case and not (r.torn or ours.torn)]
            if pairs := {r.tool: ahead(ours, r, sizes[r.case]) for r in peers}:
                cases[ours.case] = pairs
        every = [pair for pairs in cases.values() for pair in pairs.values()]
        if every:
            found[variant] = {
                **_mean(every), "pairs": len(every), "met": sum(pair.time >= BAR for pair in every),
                "cases": {case: {name: asdict(p) for name, p in pairs.items()} for case, pairs in cases.items()},
            }  # fmt: skip
    return found


def _mean(pairs: Sequence[Ahead]) -> dict[str, float]:
    return {"time": statistics.fmean(p.time for p in pairs), "area": geometric([max(p.area, 1e-9) for p in pairs])}


def tables(totals: Mapping[str, Any]) -> list[str]:
    """A table for each variant, a row for each case, a column for each peer; then the means."""
    parts = []
    for variant, total in totals.items():
        names = list(dict.fromkeys(name for pairs in total["cases"].values() for name in pairs))
        rows = [(case, *(_cell(pairs.get(name)) for name in names)) for case, pairs in total["cases"].items()]
        by_peer = [[Ahead(**pairs[name]) for pairs in total["cases"].values() if name in pairs] for name in names]
        rows.append(("mean", *(_cell(_mean(pairs)) for pairs in by_peer)))
        parts.append(f"Time in which {variant} is no larger than the peer at the same moment, and its area for one:")
        parts.append(table(("case", *names), rows))
    rows = [
        (variant, total["pairs"], f"{total['time']:.1%}", f"{BAR:.0%}", total["time"] >= BAR,
         f"{total['met']} of {total['pairs']}", f"{total['area']:.3f}")
        for variant, total in totals.items()
    ]  # fmt: skip
    heads = ("wynot", "cases x peers", "time, mean", "bar", "met", "pairs that meet it", "area, mean")
    return [*parts, "Over all cases and peers:", table(heads, rows)] if rows else []


def torn(results: Sequence[Result]) -> list[str]:
    """A word on the curves that cannot be compared."""
    names = [f"{r.case} ({r.tool})" for r in results if r.torn]
    return [f"Left out, because their curves break off; run them again: {', '.join(names)}."] if names else []


def _cell(pair: Mapping[str, float] | None) -> str:
    return f"{pair['time']:.0%}, {pair['area']:.2f}" if pair else ""


if __name__ == "__main__":
    import again

    again.main()
