"""A text that is read from what is known of another one is read as it is by itself."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import tree_sitter
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domains.syntax.laws import fewer
from tests.laws.effort import CI
from wynot.core.config import Config
from wynot.domains.syntax.adapters.tree_sitter_adapter import TreeSitterLanguage
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.syntax.incremental_parse import SMALL, ParsedVersion, edited, regrown
from wynot.domains.syntax.language_loading import load
from wynot.domains.syntax.syntax_tree import SyntaxTree, TextEdit, woven

SAMPLES = Path(__file__).parent / "samples"
FILES = {
    "bash": "bash.sh", "c": "c.c", "cpp": "cpp.cpp", "go": "go.go", "javascript": "javascript.js",
    "python": "python.pyw", "ruby": "ruby.rb", "rust": "rust.rs",
}  # fmt: skip
few = settings(fewer, max_examples=6 if CI else 3)


def opened(name: str) -> tuple[TreeSitterLanguage, bytes]:
    """A language, and a text of it that is large enough not to be read anew."""
    language, data = load(name), (SAMPLES / FILES[name]).read_bytes()
    assert isinstance(language, TreeSitterLanguage)
    return language, data * (2 * SMALL // len(data) + 1)


def looks(tree: SyntaxTree) -> tuple[object, ...]:
    return tree.kinds, tree.fields, tree.starts, tree.ends, tree.shape


@pytest.mark.parametrize("name", FILES)
@few
@given(seed=st.integers(0, 2**32))
def test_at_several_places(name: str, seed: int) -> None:
    """A tree that has no errors is the one that the text has by itself; one that has some is not trusted anyway."""
    (language, data), chance = opened(name), Random(seed)
    parser, known = tree_sitter.Parser(language._language), ParsedVersion(data, language.syntax(data))
    tree = language.parse(data)
    pruned, config = TreeDomain(tree, EditCandidates(tree, language)), Config.full(len(tree))
    for node in chance.choices(range(1, len(tree)), k=chance.randint(1, 8)):
        config -= tree.shape.subtree(node)
    candidate, places = woven(data, pruned.changes(config))
    told, alone = edited(parser, known, candidate, places), language.syntax(candidate)
    assert not known.tree.root_node.has_error
    if not told.root_node.has_error:
        assert str(told.root_node) == str(alone.root_node)


@pytest.mark.parametrize("name", FILES)
@few
@given(seed=st.integers(0, 2**32))
def test_one_after_the_other(name: str, seed: int) -> None:
    """The trees of texts do not depend on which were read before."""
    (language, data), chance = opened(name), Random(seed)
    for _ in range(4):
        tree = language.parse(data)
        other = load.__wrapped__(name)  # one that has read nothing yet
        assert looks(tree) == looks(other.parse(data))
        node = chance.randrange(1, len(tree))
        data = data[: tree.starts[node]] + data[tree.ends[node] :]


def test_errors_are_read_anew() -> None:
    language = load("c")
    assert isinstance(language, TreeSitterLanguage)
    data = b"int a;\n" * SMALL
    known = ParsedVersion(data, language.syntax(data))
    parser = tree_sitter.Parser(language._language)
    assert regrown(parser, known, data[:-7]) is not None
    assert regrown(parser, known, data[:70] + b"@" + data[70:]) is None
    assert regrown(parser, known, b"long b;\n" * SMALL) is None  # nothing is the same


def test_a_checker_is_told_where_texts_differ() -> None:
    data = b"int f(int a) { return a; }\n" * 1000
    checker = load("c").checker(data)
    for changes, valid in (([TextEdit(15, 25, b"")], True), ([TextEdit(13, 14, b""), TextEdit(100, 101, b"")], False)):
        candidate, places = woven(data, changes)
        assert checker(candidate, places) == checker(candidate) == valid


def test_a_piece_is_judged_as_by_itself() -> None:
    """Whatever was looked at before it."""
    item, broken = b"int f(int a) { return a; }\n", b"int f(int a { return a; }\n"
    pieces = [item * 1000, item * 999, broken + item * 999, item * 500 + broken + item * 499, item * 998, b"int x;\n"]
    language = load.__wrapped__("c")
    for piece in (*pieces, *reversed(pieces)):
        checker, alone = language.checker(piece), load.__wrapped__("c").checker(piece)
        assert (checker.clean, checker.broken) == (alone.clean, alone.broken)
        assert [checker(each) for each in pieces] == [alone(each) for each in pieces]
