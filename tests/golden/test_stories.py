"""A change of the code that is not meant to change a search does not change its story."""

from __future__ import annotations

import os
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.golden.story import CORPUS, STORIES, read, recorded, told

NEEDED = os.environ.get("CI") == "true"


def case_of(path: Path) -> str:
    """The case that a story is of."""
    return path.name.removesuffix(".txt.gz")


def assert_same(lines: list[str], now: list[str]) -> None:
    """The first line that differs says where the searches part."""
    for number, (before, after) in enumerate(zip_longest(lines, now)):
        assert before == after, f"line {number} of {len(lines)}"


@pytest.mark.corpus
@pytest.mark.parametrize("path", sorted(STORIES.glob("*.txt.gz")), ids=case_of)
def test_the_story_is_the_recorded_one(path: Path) -> None:
    """Pass, candidate and outcome of every test, byte for byte."""
    case = case_of(path)
    if not (CORPUS / case.partition("@")[0]).is_dir():
        (pytest.fail if NEEDED else pytest.skip)(f"no {case} in {CORPUS}")
    lines = read(path)
    assert_same(lines, told(case, recorded(lines)))
