"""Phrases that users should not have to read: none of them is in a message, a help text or a page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PHRASES = {
    r"in vain": "unsuccessful",
    r"answered from what was known": "cached",
    r"not valid and so not tested": "skipped: would not parse",
    r"(comes?|came) to nothing": "unresolved",
    r"\bso many\b": "N; at most N",
    r"because of which": "that cause",
    r"the least that may stand": "the smallest valid replacement",
    r"(take|takes|taken|taking) back\b": "revert",
    r"\biff\b": "if",
    r"\bto blame\b": "the cause",
    r"told (apart|of)": "distinguished; reported",
    r"hangs? on\b": "depends on",
    r"all the same\b": "anyway",
    r"looked at again": "checked again",
    r"(fail|end)s? otherwise": "in another way",
    r"see who may\b": "check the permissions",
    r"\b(it|this|that|\}) is no (file|folder|number|size|time|program|reader|recording|XML)\b": "is not a ...",
}
PHRASE = re.compile("|".join(PHRASES), re.IGNORECASE)
LATER = {ROOT / "docs" / "results.md"}
"""Pages that will be generated from measurements."""
PAGES = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")} - LATER)


def _is_command(node: ast.AST) -> bool:
    return any("command" in ast.unparse(each) for each in getattr(node, "decorator_list", []))


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The texts of a module, without comments of modules and functions, but with the help texts of commands."""
    comments = {
        id(each.value)
        for node in ast.walk(tree)
        if isinstance(body := getattr(node, "body", None), list)
        for each in body
        if isinstance(each, ast.Expr) and not _is_command(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in comments:
            yield node.lineno, node.value


@pytest.mark.parametrize("folder", sorted(path.name for path in (ROOT / "src" / "wynot").iterdir() if path.is_dir()))
def test_no_such_phrase_in_a_message(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {match[0]!r}"
        for path in sorted((ROOT / "src" / "wynot" / folder).rglob("*.py"))
        for line, text in strings(ast.parse(path.read_text(encoding="utf-8")))
        if (match := PHRASE.search(" ".join(text.split())))
    ]
    assert found == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_such_phrase_on_a_page(page: Path) -> None:
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert [match[0] for match in PHRASE.finditer(text)] == []
