"""Checkers are pure: what was asked before does not matter, nor whether a text is parsed anew or in part."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domains.syntax.files import sample, spoilt
from tests.domains.syntax.laws import fewer
from wynot.domains.syntax.adapters import tree_sitter_adapter
from wynot.domains.syntax.incremental_parse import SMALL
from wynot.domains.syntax.language_loading import NAMES, load

seeds = st.integers(0, 2**32)
every_language = pytest.mark.parametrize("name", NAMES)
ONCE = {"json": (6, 8), "xml": (3, 1), "kotlin": (3, 0), "haskell": (10, 0), "lua": (0, 1), "php": (2, 2)}
"""How many lines at the start and at the end of a sample cannot stand in the middle of a file."""


def edited(data: bytes, chance: Random) -> bytes:
    """A text with a stretch less, or another one in its place."""
    start = chance.randrange(len(data))
    end = start + chance.choice((1, 3, 20, 200, 1000))
    return data[:start] + chance.choice((b"", b"", b"x", b"0", b"(", b"}", b'"', b"\n")) + data[end:]


def large(name: str) -> bytes:
    """A text that is parsed in part only, where a little of it has changed."""
    lines = sample(name).splitlines(keepends=True)
    first, last = ONCE.get(name, (0, 0))
    body = b"".join(lines[first : len(lines) - last])
    return b"".join([*lines[:first], body * (2 * SMALL // len(body) + 1), *lines[len(lines) - last :]])


@every_language
@fewer
@given(seed=seeds)
def test_the_order_of_questions_does_not_matter(name: str, seed: int) -> None:
    chance, data = Random(seed), large(name)
    candidates = [edited(data, chance) for _ in range(6)] + [data, data[: SMALL // 2], b""]
    checker = load(name).checker(data)
    answers = [checker(candidate) for candidate in candidates]
    for _ in range(2):
        order = chance.sample(range(len(candidates)), len(candidates))
        assert [checker(candidates[at]) for at in order] == [answers[at] for at in order]


@every_language
def test_parsed_in_part_or_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text with one node less, or something small in its place.

    Seeds are given: where a text is far from valid, tree-sitter's answers are not always the same.
    """
    data = large(name)
    language, chance = load(name), Random(20)
    tree, checker = language.parse(data), language.checker(data)
    assert checker.broken == 0
    nodes = chance.choices(range(1, len(tree)), k=12)
    candidates = [
        data[: tree.starts[node]] + chance.choice((b"", b"x", b"0")) + data[tree.ends[node] :] for node in nodes
    ]
    in_part = [checker(candidate) for candidate in candidates]
    monkeypatch.setattr(tree_sitter_adapter, "SMALL", 10**9)
    assert in_part == [checker(candidate) for candidate in candidates]


@every_language
@fewer
@given(seed=seeds)
def test_a_text_is_as_valid_as_itself(name: str, seed: int) -> None:
    data = spoilt(name, seed, times=5)
    checker = load(name).checker(data)
    assert checker(data)
    assert checker.broken <= (0 if checker.clean else 1)


@every_language
@fewer
@given(seed=seeds)
def test_no_kinds_where_a_text_is_not_valid(name: str, seed: int) -> None:
    chance = Random(seed)
    data = spoilt(name, seed)
    checker = load(name).checker(data)
    candidate = edited(data or b"x", chance)
    if not checker(candidate):
        tree = load(name).parse(candidate)
        for node in range(1, len(tree), max(1, len(tree) // 10)):
            assert not checker.kinds(candidate, tree.starts[node], tree.ends[node])


@pytest.mark.parametrize(("name", "whole", "less"), [("html", b"<p>a</p>", b"<p>a"), ("sql", b"select a;", b"select;")])
def test_what_is_missing_and_no_node_is_no_error(name: str, whole: bytes, less: bytes) -> None:
    """A tag that nobody has to close: tree-sitter says that something is wrong, and has nothing to show for it."""
    language = load(name)
    assert language.checker(whole).clean
    assert language.checker(whole)(less)
    assert language.checker(less).clean
