"""How long pages and their lines may be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT

MAX_LINES = 400
MAX_LINES_OF_README = 120
MAX_WIDTH = 120
NOT_YET = [*(ROOT / "docs/decisions").glob("*.md"), *(ROOT / "docs/extending").glob("*.md"), ROOT / "docs/design.md"]
"""Pages with longer lines, which are to be rewritten."""
TO_BE_GENERATED = ROOT / "docs/results.md"
PAGES = [
    page
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md"))
    if page != TO_BE_GENERATED
]
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


_SENTENCE = re.compile(r"(?<=[.:?]) ")
MIN_SENTENCE = 70
"""Shorter sentences may occur on several pages."""


def sentences(text: str) -> set[str]:
    """Long sentences of prose and of cells of tables, without code blocks."""
    paragraphs = re.split(r"\n\n|\n(?=[-|#])|\|", _FENCED.sub("", text))
    found = (each for part in paragraphs for each in _SENTENCE.split(" ".join(part.split())))
    return {each for each in found if len(each) >= MIN_SENTENCE}


def wide_lines(text: str) -> Iterator[str]:
    """Lines of prose above the limit; code blocks and tables are as wide as they have to be."""
    for line in _FENCED.sub("", text).splitlines():
        if len(line) > MAX_WIDTH and not line.lstrip().startswith("|"):
            yield line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_is_long(page: Path) -> None:
    assert len(page.read_text().splitlines()) <= MAX_LINES


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= MAX_LINES_OF_README


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in NOT_YET], ids=lambda page: str(page.relative_to(ROOT))
)
def test_no_line_of_prose_is_wide(page: Path) -> None:
    assert list(wide_lines(page.read_text())) == []


def test_nothing_is_explained_twice() -> None:
    pages: dict[str, list[str]] = {}
    for page in PAGES:
        for sentence in sentences(page.read_text()):
            pages.setdefault(sentence, []).append(str(page.relative_to(ROOT)))
    assert {sentence: where for sentence, where in pages.items() if len(where) > 1} == {}


def test_a_wide_line_is_found() -> None:
    wide = "word " * 30
    assert list(wide_lines(f"{wide}\n```sh\n{wide}\n```\n| {wide} |\n")) == [wide]
