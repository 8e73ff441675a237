"""Size over time, drawn: one picture for each case, with every tool, once by seconds and once by their logarithm."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import versus
from versus import Result

FIRST = 0.05
"""Where the logarithm of the time begins, in seconds."""


def draw(figures: Mapping[str, Any], folder: Path) -> list[Path]:
    """The pictures, as SVG files named after the cases."""
    if importlib.util.find_spec("matplotlib") is None:
        raise SystemExit("plots need matplotlib; install what the benchmarks need: pip install -e '.[bench]'")
    folder.mkdir(parents=True, exist_ok=True)
    results = list(map(versus.read, figures["results"]))
    colours = {name: f"C{number % 10}" for number, name in enumerate(dict.fromkeys(r.tool for r in results))}
    made = []
    for case in figures["cases"]:
        runs = [r for r in results if r.case == case["case"]]
        if runs:
            made.append(folder / f"{case['case']}.svg")
            _picture(made[-1], f"{case['case']}, -j {figures['jobs']}", case["tokens"], runs, colours)
    return made


def _picture(path: Path, title: str, unreduced: int, runs: Sequence[Result], colours: Mapping[str, str]) -> None:
    """Steps that go down; a dot where a tool ended by itself, a cross where it was stopped."""
    import matplotlib as mpl  # noqa: PLC0415 - an extra
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(11, 4.5), layout="constrained")
    for number, axes in enumerate(figure.subplots(1, 2, sharey=True)):
        for run in runs:
            times, sizes = steps(run, unreduced)
            width, colour = 1.2 if run.peer else 2.2, colours[run.tool]
            axes.step(times, sizes, where="post", label=run.tool, color=colour, linewidth=width)
            axes.plot(times[-1:], sizes[-1:], "o" if run.ended else "x", color=colour)
        axes.set_yscale("log")
        axes.set_xlabel("seconds")
        axes.grid(visible=True, which="major", alpha=0.3)
        if number:
            axes.set_xscale("log")
            axes.set_xlim(left=FIRST)
            axes.legend()
        else:
            axes.set_xlim(left=0)
            axes.set_ylabel("tokens of the smallest input that fails")
    figure.suptitle(title)
    with mpl.rc_context({"svg.hashsalt": "wynot"}):
        figure.savefig(path, metadata={"Date": None})


def steps(run: Result, unreduced: int) -> tuple[list[float], list[int]]:
    """The corners of its curve, from the original at once to its last size at its end, or to where it breaks off."""
    points = [(FIRST, unreduced), *((max(at, FIRST), size) for at, size, _ in run.curve if size >= 0)]
    points.append((run.curve[-1][0] if run.torn else max(run.wall, points[-1][0]), points[-1][1]))
    return [at for at, _ in points], [max(size, 1) for _, size in points]
