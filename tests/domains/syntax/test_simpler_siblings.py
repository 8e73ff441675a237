"""Plainer things stand in the place of others."""

from __future__ import annotations

import re

import pytest

from wynot.commands.reduce.parsed_text import ParseCache
from wynot.commands.reduce.passes.substitute import LARGEST, SubstitutionPass, by_swaps
from wynot.commands.reduce.reduction import reduce
from wynot.domains.syntax.edits.siblings import swaps
from wynot.domains.syntax.language_loading import load
from wynot.engine.budget import TestCounts


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("go", b"package p\ntype A int\ntype B interface {}\n", b"package p\ntype A int\ntype B int\n"),
        ("yaml", b"[[], # x\n []]\n", b"[[], # x\n 0]\n"),
        ("json", b'{"a": [1], "b": {}}\n', b'{"a": 0, "b": {}}\n'),
        ("python", b"f(a, b(c))\n", b"f(a, a)\n"),
        ("rust", b"fn f(a: u8, b: Vec<T>) {}\n", b"fn f(a: u8, b: u8) {}\n"),
    ],
)
def test_what_stands_in_the_same_role_may_do(language: str, text: bytes, left: bytes) -> None:
    assert left in {each.text for each in swaps(load(language).places(text))}


def test_single_tokens_and_items_of_the_file_are_left_alone() -> None:
    assert {each.old for each in swaps(load("python").places(b"f(a, 17)\ng(b)\n"))} <= {
        b"(a, 17)",
        b"f(a, 17)",
        b"g(b)",
        b"(b)",
    }
    assert not list(swaps(load("python").places(b"a\nb\n")))


def test_each_of_the_like_is_tried() -> None:
    """The first list is needed as it is, and so is the number of them."""

    def test(data: bytes) -> bool:
        return re.fullmatch(rb"\s*\[\s*\[\]\s*,\s*[^,\s]+\s*\]\s*", data) is not None

    assert reduce(b"[[], []]\n", test, name="x.yaml").data.split() == [b"[[],", b"0]"]


def test_nothing_is_done_in_a_large_text() -> None:
    text = b"[[1], [2]]\n" + b"# comment\n" * 2000
    stage = SubstitutionPass("swaps", ParseCache(load("yaml")), by_swaps).begin(text, None, TestCounts())
    assert len(text) > LARGEST
    assert next(iter(next(stage.search())), None) is None


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("java", b"class A { B f() { return new B(1, 2); } }", b"class A { B f() { return null; } }"),
        ("go", b"package p\nfunc f() *B { return g(1, 2) }\n", b"package p\nfunc f() *B { return nil }\n"),
        ("python", b"x = g(1, 2)\n", b"x = None\n"),
    ],
)
def test_no_value_at_all_may_do(language: str, text: bytes, left: bytes) -> None:
    assert left in {each.text for each in swaps(load(language).places(text))}


def test_where_there_is_no_word_for_it_none_is_tried() -> None:
    found = {each.new for each in swaps(load("c").places(b"int f(void) { return g(1, 2); }\n"))}
    assert found
    assert found.isdisjoint({b"null", b"nil", b"None"})
