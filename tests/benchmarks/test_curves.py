"""Size over time, by hand; and old results shown again."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import pytest

import counted
import curves
import plots
import versus
from tests.benchmarks.scripts import script

OURS = [(1.0, 64, 0), (2.0, 16, 0), (4.0, 4, 0)]
THEIRS = [(0.5, 64, 0), (3.0, 8, 0), (9.0, 2, 0)]


def result(tool: str, curve: list[tuple[float, int, int]], wall: float, **more: Any) -> versus.Result:
    facts: dict[str, Any] = {
        "case": "one", "tool": tool, "peer": not tool.startswith("wynot"), "tests": 10, "begun": 10,
        "tokens": curve[-1][1] if curve else 64, "bytes": 1, "wall": wall, "settled": 1.0, "ended": True, "exit": 0,
        "fails": True, "valid": True, "test_seconds": 1.0, "curve": curve, "complaint": "", "said": {},
        "command": "", "date": "2026-01-01", "key": "", "version": "1",
    }  # fmt: skip
    return versus.Result(**{**facts, **more})


def test_curves_by_hand() -> None:
    """To 10 s from 64 tokens: larger from 3 to 4 s (16, 8) and from 9 to 10 s (4, 2).

    Areas: 2 s of 6 bits, 2 of 4, 6 of 2: 32; 3 s of 6 bits, 6 of 3, 1 of 1: 37.
    """
    found = curves.compare(OURS, THEIRS, 64, 10.0)
    assert found.time == pytest.approx(0.8)
    assert found.area == pytest.approx(32 / 37)


def test_before_its_first_point_a_tool_stands_at_the_original() -> None:
    assert curves.compare([(5.0, 1, 0)], [(2.5, 64, 0)], 128, 10.0) == curves.Ahead(0.75, 35 / (17.5 + 45))


def test_a_finished_tool_stays_where_it_is() -> None:
    ours, theirs = result("wynot", [(1.0, 8, 0)], 2.0), result("peer", [(5.0, 16, 0), (8.0, 4, 0)], 10.0)
    assert curves.ahead(ours, theirs, 64).time == pytest.approx(0.8)


def test_who_breaks_down_reduces_nothing() -> None:
    ours, theirs = result("wynot", OURS, 5.0, fails=False), result("peer", [(5.0, 8, 0)], 10.0)
    assert curves.ahead(ours, theirs, 64) == curves.Ahead(0.5, 60 / 45)


def test_means_and_bar() -> None:
    runs = [result("wynot", OURS, 5.0), result("a", THEIRS, 10.0), result("b", [], 10.0)]
    total = curves.summary(runs, {"one": 64})["wynot"]
    assert (total["pairs"], total["met"]) == (2, 1)
    assert total["time"] == pytest.approx(0.9)
    assert total["area"] == pytest.approx(math.sqrt(32 / 37 * 32 / 60))
    assert "| 90.0% | 90% | yes |" in " ".join(curves.tables({"wynot": total})[-1].split())


def test_a_curve_that_breaks_off_is_left_out() -> None:
    runs = [result("wynot", OURS, 5.0), result("a", [(1.0, 9, 9), (2.0, -1, 0)], 10.0)]
    assert curves.summary(runs, {"one": 64}) == {}
    assert "one (a)" in curves.torn(runs)[0]


def test_a_candidate_removed_in_mid_test_is_no_point(tmp_path: Path) -> None:
    log = counted.Counted(tmp_path, tmp_path / "log", tmp_path)
    log.log.write_text("1.0 0.1 0 90 30\n2.0 0.1 0 0 -1\n3.0 0.1 0 50 20\n4.0 0.1 1 20 -1\n")
    assert log.read(0.5).curve == [(0.5, 30, 90), (2.5, 20, 50)]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file as compare.py has written it, before there were curves in its tables."""
    runs = [result("wynot", OURS, 5.0), result("peer", THEIRS, 10.0)]
    case = {"case": "one", "language": "C", "tokens": 64, "bytes": 99, "errors": 0, "test_ms": 5.0}
    figures = {
        "date": "2026-01-01T00:00:00", "jobs": 2, "cap": 60.0, "overhead_ms": 0.4, "versions": {}, "cases": [case],
        "summary": {}, "results": list(map(dataclasses.asdict, runs)), "earlier": [],
    }  # fmt: skip
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"machine": {"processors": 2}, "figures": figures}))
    return path


def test_old_results_are_shown_again(old: Path, tmp_path: Path) -> None:
    told = script("curves.py", old, "--markdown", tmp_path / "all.md").stdout
    assert told == (tmp_path / "all.md").read_text() + "\n"
    text = " ".join(told.split())
    assert "| one | 80%, 0.86 |" in text
    assert "| wynot / best peer | tests | 1 | 1.000 | 0.200 | NO | 0.100 | NO |" in text


def test_other_files_are_refused(old: Path) -> None:
    old.write_text("{}")
    done = script("compare.py", "--from", old)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "not what compare.py --json writes" in done.stderr


def test_steps_begin_at_the_original_and_go_on_to_the_end() -> None:
    assert plots.steps(result("wynot", [(1.0, 4, 0)], 3.0), 64) == ([plots.FIRST, 1.0, 3.0], [64, 4, 4])


def test_a_picture_for_each_case(old: Path, tmp_path: Path) -> None:
    figures = json.loads(old.read_text())["figures"]
    (made,) = plots.draw(figures, tmp_path / "plots")
    assert made.name == "one.svg"
    assert made.read_text().count("</svg>") == 1
