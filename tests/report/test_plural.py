"""One thing is one thing, and things have one name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wynot.report
from wynot.engine.budget import Budget, TestCounts
from wynot.engine.results import Cost
from wynot.errors import BudgetEnded
from wynot.report.result_text import cost_text


def test_one_test() -> None:
    assert cost_text(Cost(TestCounts(baseline=4, tests=1), 0.0, 0.0)).startswith("1 test (+4 baseline) in")
    assert (
        cost_text(Cost(TestCounts(baseline=4, after=10), 0.0, 0.0)) == "0 tests (+4 baseline, +10 to confirm) in 0.0 s"
    )
    flaky = cost_text(Cost(TestCounts(), 0.0, 0.0, runs=1, rate=0.5))
    assert flaky == "0 tests (+0 baseline) in 0.0 s; 1 run in total, because the failure is flaky"
    with pytest.raises(BudgetEnded, match="the budget of 1 test is used up"):
        Budget(tests=1).check_tests(1)


def test_the_heading_of_the_picture_says_what_its_axis_says() -> None:
    page = Path(wynot.report.__path__[0]) / "page"
    headings = re.findall(r'"(?:Size|Both sides) over (\w+)"', (page / "page.html.jinja").read_text())
    (axis,) = re.findall(r'axis = "(\w+)', (page / "charts.py").read_text())
    assert headings == [axis, axis]
