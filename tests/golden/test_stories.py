"""A change of the code that is not meant to change a search does not change its story."""

from __future__ import annotations

import os
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.golden.story import CORPUS, STORIES, read, recorded, told

NEEDED = os.environ.get("CI") == "true"


@pytest.mark.corpus
@pytest.mark.parametrize("path", sorted(STORIES.glob("*.txt.gz")), ids=lambda path: path.name.removesuffix(".txt.gz"))
def test_the_story_is_the_recorded_one(path: Path) -> None:
    """Pass, candidate and outcome of every test, byte for byte."""
    case = path.name.removesuffix(".txt.gz")
    if not (CORPUS / case).is_dir():
        (pytest.fail if NEEDED else pytest.skip)(f"no {case} in {CORPUS}")
    lines = read(path)
    now = told(case, recorded(lines))
    for number, (before, after) in enumerate(zip_longest(lines, now)):
        assert before == after, f"line {number} of {len(lines)}"
