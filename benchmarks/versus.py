"""What came of a tool on a case; wynot against the best peer of each case; the tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from common import table

HEADS = ("case", "tool", "tests", "tokens", "bytes", "wall s", "smallest at s", "ended", "still fails", "valid")
BARS = {"tokens": (1.0, 0.95), "tests": (1 / 5, 1 / 10), "wall": (1 / 3, 1 / 5)}
"""The first promise, and the further one."""


@dataclass(frozen=True, slots=True)
class Result:
    """A tool on a case. `settled`: when its smallest candidate was found; `key`: what it must share to be kept."""

    case: str
    tool: str
    peer: bool
    tests: int
    begun: int
    tokens: int
    bytes: int
    wall: float
    settled: float
    ended: bool
    exit: int | None
    fails: bool
    valid: bool | None
    test_seconds: float
    curve: list[tuple[float, int, int]]
    complaint: str
    said: dict[str, Any]
    command: str
    date: str
    key: str
    version: str
    kept: bool = False

    @property
    def lost(self) -> bool:
        """Whether it broke down."""
        return not self.fails or bool(self.complaint)

    @property
    def torn(self) -> bool:
        """Whether its curve breaks off at a candidate that had no size; so it was written by earlier wrappers."""
        return any(tokens < 0 for _, tokens, _ in self.curve)

    def row(self) -> tuple[object, ...]:
        ended = "capped" if not self.ended else "yes" if not self.complaint else f"exit {self.exit}"
        valid = "?" if self.valid is None else self.valid
        return (self.case, self.tool + " (kept)" * self.kept, self.tests, self.tokens, self.bytes, self.wall,
                self.settled, ended, self.fails, valid)  # fmt: skip


def read(found: Mapping[str, Any]) -> Result:
    """One that was written as JSON."""
    return Result(**{**found, "curve": list(map(tuple, found["curve"]))})


def best(results: Iterable[Result], case: str, *, valid: bool = False) -> Result | None:
    """The peer with the fewest tokens among results that still fail; of equals, the one with the fewest tests."""
    peers = [r for r in results if r.case == case and r.peer and r.fails and not (valid and r.valid is False)]
    return min(peers, key=lambda r: (r.tokens, r.tests, r.wall), default=None)


def ratios(ours: Result, theirs: Result, unreduced: int) -> dict[str, float]:
    """How many of the peer's. Where we broke down we reduced nothing, and saved neither tests nor time."""
    tokens, least = (unreduced, 1.0) if ours.lost else (ours.tokens, 0.0)
    return {
        "tokens": max(tokens, 1) / max(theirs.tokens, 1),
        "tests": max(least, max(ours.tests, 1) / max(theirs.tests, 1)),
        "wall": max(least, ours.wall / theirs.wall),
    }


def geometric(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def against(
    results: Sequence[Result], variant: str, sizes: Mapping[str, int], *, valid: bool
) -> dict[str, dict[str, float]]:
    """By case: this variant of wynot against the case's best peer."""
    found = {}
    for ours in results:
        if ours.tool == variant and (theirs := best(results, ours.case, valid=valid)):
            found[ours.case] = ratios(ours, theirs, sizes[ours.case])
    return found


def summary(results: Sequence[Result], sizes: Mapping[str, int]) -> dict[str, Any]:
    """For each variant of wynot: the ratios of each case and their geometric means."""
    found: dict[str, Any] = {}
    for variant in dict.fromkeys(r.tool for r in results if not r.peer):
        for name, valid in (("best peer", False), ("best valid peer", True)):
            cases = against(results, variant, sizes, valid=valid)
            means = {what: geometric([case[what] for case in cases.values()]) for what in BARS} if cases else {}
            found[f"{variant} / {name}"] = {"means": means, "cases": cases}
    return found


def tables(results: Sequence[Result], totals: Mapping[str, Any]) -> list[str]:
    """What came of each tool, and wynot's share of the best peer's figures."""
    parts = [table(HEADS, [r.row() for r in sorted(results, key=lambda r: r.case)], left=2)]
    if complaints := [f"- {r.case}, {r.tool}: exit {r.exit}: {r.complaint}" for r in results if r.complaint]:
        parts += ["Tools that ended with a complaint:", "\n".join(complaints)]
    if any(total["means"] for total in totals.values()):
        parts += ["The best peer of each case, and wynot's share of its figures (capped, it would have taken longer):"]
        parts += _by_case(results, totals)
        parts += ["Geometric means over the cases, and the bars:", _means(totals)]
    return parts


def _by_case(results: Sequence[Result], totals: Mapping[str, Any]) -> list[str]:
    made = []
    for name, total in totals.items():
        variant, _, kind = name.partition(" / ")
        rows = []
        for case, shares in total["cases"].items():
            theirs = best(results, case, valid=kind != "best peer")
            assert theirs
            peer = theirs.tool + " (invalid)" * (theirs.valid is False)
            rows.append((case, peer, theirs.tokens, theirs.tests, theirs.wall, *shares.values()))
        heads = ("case", kind, "tokens", "tests", "wall s", *(f"{variant}: {what}" for what in BARS))
        if rows and kind == "best peer":
            made.append(table(heads, rows, left=2))
    return made


def _means(totals: Mapping[str, Any]) -> str:
    rows = []
    for name, total in totals.items():
        for what, mean in total["means"].items():
            met = [item for bar in BARS[what] for item in (f"{bar:.3f}", mean <= bar)]
            rows.append((name, what, len(total["cases"]), f"{mean:.3f}", *met))
    return table(("wynot / against", "share of", "cases", "mean", "bar", "met", "further bar", "met"), rows, left=2)
