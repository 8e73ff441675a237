"""The marker and the fixture `wynot_reduce`: failing values made small in the report."""

from __future__ import annotations

from tests.pytest_plugin.suite import Suite

TESTS = """
import json
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("data.txt")

def check(text):
    assert "<" not in text or ">" not in text

@pytest.mark.wynot_reduce
@pytest.mark.parametrize("text", ["fine", "some <b>bold</b> text"])
def test_text(text, tmp_path):
    print("called with", text)
    check(text)

@pytest.mark.wynot_reduce("items")
@pytest.mark.parametrize(("items", "limit"), [(list(range(50)), 30)])
def test_items(items, limit):
    assert max(items, default=0) <= limit

@pytest.mark.wynot_reduce
@pytest.mark.parametrize("path", [FILE])
def test_file(path):
    assert path.name == "data.txt"
    assert b"bug" not in path.read_bytes()

def test_fixture(wynot_reduce):
    wynot_reduce(check, "a < b > c")

@pytest.mark.wynot_reduce(tests=5)
@pytest.mark.parametrize("items", [list(range(1000))])
def test_budget(items):
    assert not {3, 77, 500} <= set(items)

@pytest.mark.wynot_reduce
def test_without_values():
    assert False
"""


def test_values_are_made_small_in_the_report(suite: Suite) -> None:
    (suite.folder / "data.txt").write_text("one\ntwo bugs\nthree\n")
    suite.write(test_it=TESTS)
    ran = suite.run()
    assert ran.code == 1
    assert "6 failed, 1 passed" in ran.text
    assert "test_text(text='<>')\nfails in the same way: AssertionError" in ran.found
    assert "test_items(items=[31])\n" in ran.found
    assert "test_file(path=b'bug')\n" in ran.found
    assert "check('<>')\n" in ran.found
    assert "(the budget of 5 tests is used up)" in ran.found
    assert ran.text.count("called with some") == 1, "what the calls print is not shown"
    assert (suite.folder / "data.txt").read_text() == "one\ntwo bugs\nthree\n"


def test_with_xdist(suite: Suite) -> None:
    (suite.folder / "data.txt").write_text("one\ntwo bugs\nthree\n")
    suite.write(test_it=TESTS)
    ran = suite.run("-n", "2", plugins=("xdist",))
    assert ran.code == 1
    assert "test_text(text='<>')\nfails in the same way: AssertionError" in ran.found
