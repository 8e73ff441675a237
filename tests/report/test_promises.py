"""What is promised of a result is said in the same words wherever users read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from wynot.report.page.page import PROMISES
from wynot.report.text import NO_NODE, reduced_text
from wynot.run.reduce import reduce

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/guide.md", "src/wynot/run/result.py"])
def test_1_tree_minimal_is_explained_in_the_words_of_the_report(page: str) -> None:
    assert NO_NODE in " ".join((ROOT / page).read_text(encoding="utf-8").split())


def test_the_summary_and_the_page_say_the_same() -> None:
    told = reduced_text(reduce(b"int a;\nint b;\n", lambda data: b"b" in data, name="x.c"))
    assert f"({PROMISES['1-tree-minimal']})" in told
    assert PROMISES["1-tree-minimal"].endswith(NO_NODE)
