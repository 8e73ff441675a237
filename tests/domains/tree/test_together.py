"""What goes together, what may stand for what, what can be joined: found in a tree, and used by `reduce`."""

from __future__ import annotations

import re

import pytest

from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.levels import WORDS
from wynot.domains.tree.joins import joins
from wynot.domains.tree.languages import load
from wynot.domains.windows import pairs, windows
from wynot.run.forest import Grown
from wynot.run.reduce import reduce

GO = b"""\
package main

import "fmt"

func shout(s string) {
	fmt.Println(s)
}

func guilty() {
}
"""


def grown(language: str, text: bytes) -> Grown:
    return Grown(load(language), text, None)


def without(each: Grown, bundle: Config) -> bytes:
    return b" ".join(each.pruned.render(Config.full(len(each.tree)) - bundle).split())


def test_a_function_goes_with_the_import_that_only_it_uses() -> None:
    each = grown("go", GO)
    assert b"package main func guilty() { }" in {without(each, bundle) for bundle in each.bundles}


def test_unused_imports_do_not_hold_up_a_reduction() -> None:
    """In Go an import that nobody uses is an error, and so is a name that nobody has imported."""

    def test(text: bytes) -> Outcome:
        if (b'"fmt"' in text) != (b"fmt." in text):
            return UNRESOLVED
        return FAIL if b"guilty" in text else PASS

    result = reduce(GO, test, name="x.go")
    assert b"fmt" not in result.data
    assert b"guilty" in result.data


def test_an_item_goes_with_its_attributes() -> None:
    each = grown("rust", b"#[a]\n#[cfg(no)]\nimpl X for Y {}\nfn f() {}\n")
    assert b"fn f() {}" in {without(each, bundle) for bundle in each.bundles}


def test_a_parameter_goes_with_its_arguments() -> None:
    text = b"int f(int a, int b) { return b; }\nint g(void) { return f(1, 2); }\nint h(void) { return f(3, 4); }\n"
    each = grown("c", text)
    assert any(b"f(int b)" in (t := without(each, bundle)) and b"f(2)" in t and b"f(4)" in t for bundle in each.bundles)


def test_a_declaration_goes_with_its_uses() -> None:
    each = grown("c", b"int f(void) { int n = 1; n = n + 2; return 7; }\n")
    assert b"int f(void) { return 7; }" in {without(each, bundle) for bundle in each.bundles}


@pytest.mark.parametrize(
    ("language", "text", "heir"),
    [
        ("c", b"int f(void) { while (1) { g(); } }\n", b"int f(void) { { g(); } }"),
        ("c", b"int x = a + b * c;\n", b"int x = b * c;"),
        ("cpp", b"namespace n { int a; int b; }\n", b"int a; int b;"),
        ("xml", b"<a><b><c/></b></a>\n", b"<a><c/></a>"),
        ("python", b"if x:\n    f(1)\n", b"f(1)"),
    ],
)
def test_what_may_stand_in_the_place_of_an_ancestor(language: str, text: bytes, heir: bytes) -> None:
    each = grown(language, text)
    full, shape = Config.full(len(each.tree)), each.tree.shape
    hoisted = {
        b" ".join(each.pruned.render((full - shape.subtree(node)) | Config((first, shape.lasts[last]))).split())
        for node in range(1, len(each.tree))
        for first, last in each.heirs(node)
    }
    assert heir in hoisted


@pytest.mark.parametrize(
    ("name", "text", "joined"),
    [
        ("x.c", b"int i;\nint j;\n", b"int i, j;\n"),
        ("x.java", b"class A { int i; int j; }\n", b"class A { int i, j; }\n"),
    ],
)
def test_neighbours_that_say_the_same_twice_become_one(name: str, text: bytes, joined: bytes) -> None:
    words = [word for word in re.findall(rb"\w+", text) if len(word) == 1 or word == b"class"]
    result = reduce(
        text, lambda t: all(re.search(rb"\b%s\b" % word, t) for word in [*words, text.split()[0]]), name=name
    )
    assert result.data == joined


def test_neighbours_that_differ_are_not_joined() -> None:
    assert not joins(grown("c", b"int i;\nlong j;\nvoid f(void) {}\n").places)


def test_brackets_are_paired_and_comparisons_are_not() -> None:
    text = b"if (a < b) { c[d] = e > f; }"
    domain = WORDS.deltas(text, [(0, len(text))])
    found = {domain.render(Config.of(pair)).replace(b" ", b"") for pair in pairs(domain)}
    assert {b"()", b"{}", b"[]"} <= found
    assert b"<>" not in found


def test_windows_are_rows_of_tokens_and_pairs() -> None:
    text = b"a ( b )"
    found = windows(WORDS.deltas(text, [(0, len(text))]), widest=2)
    assert found == [Config((0, 2)), Config((1, 3)), Config((2, 4)), Config.of([1, 3])]


def test_windows_are_pairs_only_where_there_are_many_tokens() -> None:
    """Rows would be as many tests as there are tokens; they hardly ever succeed."""
    text = b"a ( b c ) " * 5
    domain = WORDS.deltas(text, [(0, len(text))])
    assert windows(domain, widest=4) == [Config.of([at + 1, at + 4]) for at in range(0, 25, 5)]


@pytest.mark.parametrize(
    ("language", "text", "node", "left"),
    [
        ("python", b"def f() -> bytes:\n    pass\n", b"bytes", b"def f():\n    pass\n"),
        ("typescript", b"let x: number = g();\n", b"g()", b"let x: number;\n"),
    ],
)
def test_what_leads_up_to_a_part_goes_with_it(language: str, text: bytes, node: bytes, left: bytes) -> None:
    """An arrow before a type, an equals sign before a value: neither can stand alone."""
    each = grown(language, text)
    texts = {
        each.pruned.render(Config.full(len(each.tree)) - each.tree.shape.subtree(number))
        for number in range(1, len(each.tree))
        if each.tree.text(number) == node and each.cuttable(number)
    }
    assert left in texts


def test_brackets_go_around_several_statements() -> None:
    """No statement can take the place of a block that holds two needed ones; but the block's brackets can go."""

    def test(text: bytes) -> Outcome:
        return FAIL if re.search(rb"void f\(\) \{\s*(\{\s*)?a\(\);\s*b\(\);", text) else PASS

    result = reduce(b"void f() {\n  {\n    a();\n    b();\n  }\n}\n", test, name="x.c")
    assert result.data.count(b"{") == 1
