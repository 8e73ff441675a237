"""Every block of the README and the tutorial is run, and prints what it says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Reader, blocks

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("tutorial*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_run(page: Path, tmp_path: Path) -> None:
    """In order, in one folder, as somebody would type them."""
    folder = tmp_path / "wynot"
    shutil.copytree(ROOT / "examples", folder / "examples")
    reader = Reader(folder)
    for block in blocks(page):
        if block.mark == "not run" or (block.mark == "needs" and not reader.can(str(block.why))):
            continue
        wrong = reader.run(block)
        assert wrong is None, f"{page.name}:{block.line}: {wrong}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
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
