"""Judging a large text piece by piece says the same as judging the whole."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domains.syntax.laws import fewer
from wynot.commands.reduce.parsed_text import ParsedText
from wynot.core.config import Config
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.syntax.incremental_validity import PIECES, PiecewiseValidity
from wynot.domains.syntax.language_loading import load
from wynot.domains.syntax.syntax_tree import TextEdit, applied
from wynot.engine.budget import TestCounts

SAMPLES = Path(__file__).parent / "samples"
ROWS = {
    "c": "c.c",
    "cpp": "cpp.cpp",
    "javascript": "javascript.js",
    "rust": "rust.rs",
    "css": "css.css",
    "sql": "sql.sql",
}


@pytest.mark.parametrize("name", ROWS)
@fewer
@given(seed=st.integers(0, 2**32))
def test_nodes_that_go(name: str, seed: int) -> None:
    language, chance = load(name), Random(seed)
    data = (SAMPLES / ROWS[name]).read_bytes() * 4
    tree = language.parse(data)
    pruned, judge, whole = (
        TreeDomain(tree, EditCandidates(tree, language)),
        PiecewiseValidity(tree, language),
        language.checker(data),
    )
    for _ in range(5):
        config = Config.full(len(tree))
        for node in chance.choices(range(1, len(tree)), k=chance.randint(1, 8)):
            if pruned.places.smallest(node) is not None:
                config -= tree.shape.subtree(node)
        assert judge(pruned.changes(config)) == whole(pruned.render(config))


def test_a_change_that_breaks_something_is_refused() -> None:
    data = (SAMPLES / "c.c").read_bytes() * 4
    language = load("c")
    tree = language.parse(data)
    judge = PiecewiseValidity(tree, language)
    at = data.index(b"{", len(data) // 2)
    assert not judge([TextEdit(at, at + 1, b"")])
    assert judge([TextEdit(at, at + 1, b"{")])


def test_errors_of_old_may_stay() -> None:
    data = b"int a;\nint @@ b;\nint c;\nint d;\n" * 3
    language = load("c")
    judge = PiecewiseValidity(language.parse(data), language)
    assert judge([TextEdit(data.index(b"int a"), data.index(b"int a") + 6, b"")])
    assert not judge([TextEdit(data.index(b"int a"), data.index(b"int a") + 6, b"int ## a;")])


def test_words_are_kept_apart() -> None:
    assert applied(b"int(a)b", [TextEdit(3, 6, b"")]) == b"int b"


@pytest.mark.parametrize("large", [False, True])
def test_from_some_size_on_a_text_is_judged_without_reading_all_of_it(large: bool) -> None:
    line = b"int i;\n"
    text = line * (PIECES // len(line) + 1 if large else 99)
    grown = ParsedText(load("c"), text, None)
    full = Config.full(len(grown.tree))
    assert grown.sense(grown.pruned, full - grown.tree.shape.subtree(1), TestCounts())
    assert ("checker" in vars(grown)) != large
