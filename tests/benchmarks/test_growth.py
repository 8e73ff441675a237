"""Exponents, fitted; the inputs whose size grows; a short look at the whole."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

import growth
from tests.benchmarks.scripts import script

SIZES = [10.0, 100.0, 1000.0, 10000.0]


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_powers_are_found(power: float) -> None:
    assert growth.exponent(SIZES, [3 * size**power for size in SIZES]) == pytest.approx(power)


def test_least_squares_by_hand() -> None:
    """Logarithms 0, 1, 3 over 0, 1, 2: the mean of 3/2 a step."""
    assert growth.exponent([1, 10, 100], [1, 10, 1000]) == pytest.approx(1.5)


def test_one_size_has_no_exponent() -> None:
    assert growth.exponent([10], [5]) is None
    assert growth.exponent([10, 100], [5, 0]) is None


@pytest.mark.parametrize("shape", growth.SHAPES)
@pytest.mark.parametrize("size", [1, 1000, 100_000])
def test_one_place_is_guilty(shape: str, size: int, tmp_path: Path) -> None:
    made = tmp_path / "made"
    growth.SHAPES[shape].write(made, size)
    text = made.read_text()
    assert text.count(growth.GUILTY) == 1
    assert size <= len(text) <= size + 2 * len(growth.PROGRAM)
    if shape == "json":
        json.loads(text)


@pytest.mark.parametrize("hunks", [1, 50, 51, 170])
def test_trees_differ_in_so_many_places(hunks: int, tmp_path: Path) -> None:
    guilty = growth.trees(tmp_path, hunks)
    texts = {tree: [path.read_text() for path in (tmp_path / tree).rglob("*.py")] for tree in ("old", "new")}
    assert sum(text.count("original") for text in texts["old"]) == hunks
    assert sum(text.count("changed") for text in texts["new"]) == hunks - 1
    assert growth.GUILTY in (tmp_path / "new" / guilty).read_text()


@pytest.mark.skipif(shutil.which("gcc") is None and os.environ.get("CI") != "true", reason="no gcc here")
def test_a_short_look(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    done = script("growth.py", "--sizes", "10^3", "--hunks", "10,60", "--only", "lines,changes", "--json", figures)
    assert done.returncode == 0, done.stderr
    rows = json.loads(figures.read_text())["figures"]["rows"]
    assert [(row["what"], row["left"], row["ended"]) for row in rows] == [
        ("reduce, lines", 6, "done"), ("changes", 1, "done"), ("changes", 1, "done"),
    ]  # fmt: skip
    assert max(row["tests"] for row in rows) <= 40
    assert "Fitted exponents" in done.stdout
