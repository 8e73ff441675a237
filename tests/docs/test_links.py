"""No dead link in the README and its like; those of the site are mkdocs' business."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT

PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("examples/**/*.md"),
    *ROOT.glob("benchmarks/*.md"),
]
_LINK = re.compile(r"\]\((?!https?:|mailto:)(?P<path>[^)\s#]*)(?:#(?P<anchor>[^)\s]+))?\)")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and mkdocs make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for match in _LINK.finditer(_CODE.sub("", page.read_text())):
        target = (page.parent / match["path"]) if match["path"] else page
        assert target.exists(), match[0]
        if match["anchor"] and target.suffix == ".md" and "reference" not in target.parts:
            assert match["anchor"] in anchors(target), match[0]
