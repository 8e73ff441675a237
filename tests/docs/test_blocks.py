"""Blocks of the pages are run, and print what they say.

Every block of the README and the tutorial is run. Of the pages about commands and topics, the `console` and `python`
blocks are: their `sh` blocks are calls with names that a reader replaces (`test_typed.py` checks that such commands
exist).
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Reader, blocks

DOCS = ROOT / "docs"
WHOLE = [ROOT / "README.md", *sorted(DOCS.glob("tutorial*.md"))]
SESSIONS = [DOCS / "troubleshooting.md", *sorted(DOCS.glob("commands/*.md")), *sorted(DOCS.glob("topics/*.md"))]
PAGES = [*WHOLE, *SESSIONS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_run(page: Path, tmp_path: Path) -> None:
    """In order, in one folder, as somebody would type them."""
    folder = tmp_path / "wynot"
    shutil.copytree(ROOT / "examples", folder / "examples")
    reader = Reader(folder)
    for block in blocks(page):
        if block.kind == "sh" and page in SESSIONS:
            continue
        if block.mark == "not run" or (block.mark == "needs" and not reader.can(str(block.why))):
            continue
        wrong = reader.run(block)
        assert wrong is None, f"{page.name}:{block.line}: {wrong}"


def test_every_session_is_run() -> None:
    """Pages that are not run have none; those about extensions have a test of their own."""
    others = {*ROOT.glob("*.md"), *DOCS.rglob("*.md")} - {*PAGES, *DOCS.glob("extending/*.md")}
    assert [page.name for page in others if any(block.kind == "console" for block in blocks(page))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_few_blocks_are_not_run(page: Path) -> None:
    """Those that set up something, or need the network."""
    assert sum(block.mark == "not run" for block in blocks(page)) <= 2


def test_from_clone_to_a_reduced_case_in_under_five_commands() -> None:
    """By the README alone: what stands in its blocks up to the first reduction."""
    typed: list[str] = []
    for block in blocks(ROOT / "README.md"):
        lines = [
            line.removeprefix("$ ") for line in block.text.splitlines() if block.kind == "sh" or line.startswith("$ ")
        ]
        for line in lines:
            typed += re.split(r" && |; ", line)
            if line.startswith("wynot reduce"):
                assert typed[0].startswith("git clone")
                assert len(typed) < 5
                return
    pytest.fail("the README does not get there")
