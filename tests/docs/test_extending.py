"""The pages of docs/extending: each example is added to a copy of the source tree as written, and takes effect.

- A block with the title of a file is that file. Files of `src/` go into the copy, others into the working folder.
- A `diff` block changes the file of its title; `@@` separates its parts.
- The `console` blocks are run in the working folder, with the copy, and have to print what the page says. Without the
  example they do not.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Reader, blocks

FOLDER = ROOT / "docs" / "extending"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md")
MAX_LINES = 30
_TITLED = re.compile(r'^```(?P<kind>\w+) title="(?P<path>[^"]+)"\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Part:
    """A file of an example, or a change of one."""

    kind: str
    path: str
    text: str

    @property
    def extends(self) -> bool:
        """Whether it is a part of the example, and not of what the example is tried with."""
        return self.path.startswith("src/")

    @property
    def lines(self) -> int:
        """How many lines it adds; empty ones and imports are not counted."""
        added = [line.removeprefix("+") for line in self.text.splitlines() if self.kind != "diff" or line[0] == "+"]
        return sum(bool(line.strip()) and not line.startswith(("import ", "from ")) for line in added)


def parts(page: Path) -> list[Part]:
    return [Part(found["kind"], found["path"], found["text"]) for found in _TITLED.finditer(page.read_text())]


def changed(text: str, diff: str) -> str:
    """A text after the parts of a diff; each says what stands there before, which must occur once."""
    for part in diff.split("@@\n"):
        lines = part.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        assert text.count(before) == 1, f"not there, or more than once:\n{before}"
        text = text.replace(before, after)
    return text


def extend(source: Path, example: list[Part]) -> None:
    """Add an example to a copy of the source tree."""
    for part in example:
        path = source.parent / part.path
        if part.kind == "diff":
            path.write_text(changed(path.read_text(), part.text))
        else:
            assert not path.exists(), f"{part.path} is there already"
            path.write_text(part.text)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the source tree."""
    copy = tmp_path / "copy" / "src"
    shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def reader(folder: Path, source: Path, page: Path) -> Reader:
    """Somebody in a working folder with what an example is tried with."""
    folder.mkdir(parents=True)
    for part in parts(page):
        if not part.extends:
            (folder / part.path).write_text(part.text)
            (folder / part.path).chmod(0o755)
    found = Reader(folder)
    found.environment["PYTHONPATH"] = str(source)
    return found


def problems(page: Path, reader: Reader) -> Iterator[str]:
    for block in blocks(page):
        if (wrong := reader.run(block)) is not None:
            yield f"{page.name}:{block.line}: {wrong}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_example_takes_effect(page: Path, source: Path, tmp_path: Path) -> None:
    without = list(problems(page, reader(tmp_path / "before" / "here", source, page)))
    assert without != [], "the example makes no difference"
    extend(source, [part for part in parts(page) if part.extends])
    assert list(problems(page, reader(tmp_path / "after" / "here", source, page))) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_example_is_short(page: Path) -> None:
    assert 0 < sum(part.lines for part in parts(page) if part.extends) <= MAX_LINES


def test_a_language_is_one_row() -> None:
    assert [part.lines for part in parts(FOLDER / "language.md") if part.extends] == [1]


def test_a_pass_is_twenty_lines_and_one_entry() -> None:
    module, entry = (part for part in parts(FOLDER / "pass.md") if part.extends)
    assert (module.lines <= 20, entry.lines) == (True, 1)


def test_a_reader_of_another_package_takes_effect(source: Path, tmp_path: Path) -> None:
    """Its entry point is declared as the page says, and found by wynot as of any installed package."""
    page = FOLDER / "failure-reader.md"
    with_reader = reader(tmp_path / "plugin" / "here", source, page)
    module = next(part for part in parts(page) if part.path.endswith("readers/shop.py"))
    declared = next(part for part in parts(page) if part.path == "pyproject.toml")
    groups = tomllib.loads(declared.text)["project"]["entry-points"]
    entries = [f"[{group}]\n" + "".join(f"{n} = {value}\n" for n, value in of.items()) for group, of in groups.items()]
    (source / "shop_reader.py").write_text(module.text)
    installed = source / "shop_reader-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: shop-reader\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("\n".join(entries))
    assert list(problems(page, with_reader)) == []


def test_every_page_is_listed() -> None:
    index, site = (FOLDER / "index.md").read_text(), (ROOT / "mkdocs.yml").read_text()
    for page in PAGES:
        assert f"]({page.name})" in index
        assert f"extending/{page.name}" in site
