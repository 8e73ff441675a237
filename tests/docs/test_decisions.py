"""The decision records have one form, name files that exist, and are all in the index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT

FOLDER = ROOT / "docs/decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))
DESIGN = ROOT / "docs/design.md"
SOURCES = ROOT / "src/wynot"
MAX_LINE = 120
MAX_DESIGN_LINES = 150
HEADINGS = ["Context", "Decision", "Consequences"]
_HEAD = re.compile(
    r"# (?P<number>\d+)\. (?P<title>.+)\n\n- \*\*Status:\*\* (?P<status>.+)\n- \*\*Date:\*\* \d{4}-\d\d-\d\d\n\n## "
)
_CODE = re.compile(r"`([^`\n]+)`")
_PICTURE = re.compile(r"^```text$(.*?)^```$", re.MULTILINE | re.DOTALL)
_FOLDERS = {"src", "tests", "docs", "benchmarks", "examples"}
_PACKAGES = {path.name for path in SOURCES.iterdir() if (path / "__init__.py").exists()}


def named_paths(text: str) -> list[str]:
    """The words in code style, or in a picture, that look like paths or modules of the repository."""
    found = []
    drawn = [word.strip(".,/") for picture in _PICTURE.findall(text) for word in re.findall(r"[\w./-]+", picture)]
    for word in [*_CODE.findall(text), *drawn]:
        first = re.split(r"[/.]", word)[0]
        path = re.fullmatch(r"[\w./-]+", word) and "/" in word and first in _FOLDERS | _PACKAGES
        module = re.fullmatch(r"[a-z_0-9]+(\.[a-z_0-9]+)+", word) and (
            first in _PACKAGES or word.endswith((".py", ".lark"))
        )
        if path or module:
            found.append(word)
    return found


def exists(word: str) -> bool:
    """Whether a path exists in the repository or in the package; a file without a folder may be anywhere."""
    if word.endswith((".py", ".lark")) and "/" not in word:
        return any(SOURCES.rglob(word))
    if "/" not in word:
        word = word.replace(".", "/")
    return any((base / name).exists() for base in (ROOT, SOURCES) for name in (word, f"{word}.py"))


def long_lines(page: Path) -> list[str]:
    return [line for line in page.read_text().splitlines() if len(line) > MAX_LINE and not line.startswith("|")]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_record_has_the_usual_form(record: Path) -> None:
    text = record.read_text()
    head = _HEAD.match(text)
    assert head, "title, status, date"
    assert int(head["number"]) == int(record.stem[:4])
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings in (HEADINGS, [*HEADINGS, "Evidence"])
    assert long_lines(record) == []


@pytest.mark.parametrize("page", [*RECORDS, DESIGN], ids=lambda page: page.stem)
def test_what_a_record_names_exists(page: Path) -> None:
    assert [word for word in named_paths(page.read_text()) if not exists(word)] == []


def test_the_index_has_every_record() -> None:
    heads = {record: _HEAD.match(record.read_text()) for record in RECORDS}
    rows = [
        f"| {head['number']} | [{head['title']}]({record.name}) | {head['status']} |"
        for record, head in heads.items()
        if head
    ]
    assert [line for line in (FOLDER / "index.md").read_text().splitlines() if re.match(r"\| \d", line)] == rows


def test_the_design_lists_every_package() -> None:
    packages = {path.parent.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("__init__.py")} - {"."}
    text = DESIGN.read_text()
    assert set(re.findall(r"^\| `([a-z_/]+)` \|", text, re.MULTILINE)) == packages
    assert len(text.splitlines()) <= MAX_DESIGN_LINES
    assert long_lines(DESIGN) == []
