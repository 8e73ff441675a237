"""Fragments can be collected, and the changelog has the version that is next."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from wynot import __version__

CHANGELOG = ROOT / "CHANGELOG.md"
COLLECT = runpy.run_path(str(ROOT / "changelog.d/collect.py"))["collect"]
OLD = "# Changelog\n\nWords.\n\n## 1.0\n\n### reduce\n- One.\n\n### trace\n- Two.\n"
NEW = """# Changelog

Words.

## 1.1

### reduce
- Three.
- Six,
  on two lines.

### trace
- Four.

### Other
- Five.

## 1.0
"""


def test_fragments_become_a_section(tmp_path: Path) -> None:
    """By topic, in the order of the changelog's topics; the fragments are gone."""
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(OLD)
    folder = tmp_path / "changelog.d"
    folder.mkdir()
    (folder / "9.some.md").write_text("### trace\n- Four.\n### reduce\n- Three.\n")
    (folder / "10.any.md").write_text("- Five.\n")
    (folder / "10.other.md").write_text("### reduce\n- Six,\n  on two lines.\n")
    assert len(COLLECT("1.1", folder, changelog)) == 3
    assert changelog.read_text() == NEW + OLD.partition("## 1.0\n")[2]
    assert list(folder.iterdir()) == []
    with pytest.raises(SystemExit, match=r"has a section 1\.1 already"):
        COLLECT("1.1", folder, changelog)


def test_fragments_can_be_collected() -> None:
    topics = set(re.findall(r"^### (.+)$", CHANGELOG.read_text(), re.MULTILINE))
    for path in (ROOT / "changelog.d").glob("*.md"):
        assert re.fullmatch(r"\d+\.[a-z0-9-]+\.md", path.name), path.name
        assert set(re.findall(r"^### (.+)$", path.read_text(), re.MULTILINE)) <= topics, path.name


def test_the_changelog_has_this_version() -> None:
    assert re.findall(r"^## (.+)$", CHANGELOG.read_text(), re.MULTILINE)[0] == __version__
