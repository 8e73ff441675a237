"""What goes together, what may stand for what, what can be joined: found in a tree, and used by `reduce`."""

from __future__ import annotations

import re

import pytest

from wynot.commands.reduce.parsed_text import ParsedText
from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.cleanup.rewrite_domain import Rewrites
from wynot.domains.syntax.edits.siblings import joins
from wynot.domains.syntax.language_loading import load
from wynot.domains.text.atoms import WORDS
from wynot.domains.text.token_windows import paired, pairs, tearing, terms, windows, wrappings

GO = b"""\
package main

import "fmt"

func shout(s string) {
	fmt.Println(s)
}

func guilty() {
}
"""


def grown(language: str, text: bytes) -> ParsedText:
    return ParsedText(load(language), text, None)


def without(each: ParsedText, bundle: Config) -> bytes:
    return b" ".join(each.pruned.render(Config.full(len(each.tree)) - bundle).split())


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


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        (
            "go",
            b"package p\nfunc f[V any](a int, b V) {}\nfunc g() { f(1, 2) }\n",
            b"package p func f[V any](b V) {} func g() { f(2) }",
        ),
        (
            "cpp",
            b"template <class T> void f(int a, T b) {}\nvoid g() { x.f<char>(1, 2); f<int>(3, 4); }\n",
            b"template <class T> void f(T b) {} void g() { x.f<char>(2); f<int>(4); }",
        ),
        (
            "typescript",
            b"function f<V>(a: number, b: V) {}\no.f(1, 2);\n",
            b"function f<V>(b: V) {} o.f(2);",
        ),
    ],
)
def test_parameters_belong_to_the_name_not_to_what_stands_between(language: str, text: bytes, left: bytes) -> None:
    each = grown(language, text)
    assert left in {without(each, bundle) for bundle in each.bundles}


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("go", b"package p\nfunc f() int { return g() }\n", {b"package p func f() { g() }", b"package p func f() { }"}),
        ("rust", b"fn f() -> u8 { return g(); }\n", {b"fn f() { g(); }", b"fn f() { }"}),
        ("typescript", b"function f(): T { return g(); }\n", {b"function f() { g() }", b"function f() { }"}),
    ],
)
def test_a_result_goes_with_what_gives_it(language: str, text: bytes, left: set[bytes]) -> None:
    each = grown(language, text)
    assert {whole.replace(b" ", b"") for whole in left} <= {
        without(each, bundle).replace(b" ", b"") for bundle in each.bundles
    }


def test_a_declaration_goes_with_its_uses() -> None:
    each = grown("c", b"int f(void) { int n = 1; n = n + 2; return 7; }\n")
    assert b"int f(void) { ; return 7; }" in {without(each, bundle) for bundle in each.bundles}


@pytest.mark.parametrize(
    ("language", "text", "heir"),
    [
        ("c", b"int f(void) { while (1) { g(); } }\n", b"int f(void) { { g(); } }"),
        ("c", b"int x = a + b * c;\n", b"int x = b * c;"),
        ("cpp", b"namespace n { int a; int b; }\n", b"int a; int b;"),
        ("xml", b"<a><b><c/></b></a>\n", b"<a><c/></a>"),
        ("python", b"if x:\n    f(1)\n", b"f(1)"),
        ("ruby", b"list do\n  while a\n  end\nend\n", b"while a end"),
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
    found = [*(rb"\b%s\b" % word for word in words), rb"int [^;]*i", rb"int [^;]*j"]
    result = reduce(text, lambda t: all(re.search(each, t) for each in found), name=name)
    assert result.data == joined


@pytest.mark.parametrize(
    ("language", "text", "joined"),
    [
        ("xml", b'<a><b c="1"></b><b></b></a>\n', b'<a><b c="1"/><b/></a>\n'),
        ("html", b"<p><i></i></p>\n", b"<p><i/></p>\n"),
        ("javascript", b"f(<b c='1'></b>);\n", b"f(<b c='1'/>);\n"),
    ],
)
def test_an_element_with_nothing_in_it_is_one_tag(language: str, text: bytes, joined: bytes) -> None:
    found = Rewrites(text, joins(grown(language, text).places))
    assert found.render(Config.of([0])) == joined


@pytest.mark.parametrize(
    ("language", "text", "joined"),
    [
        ("cpp", b"namespace n {\nint i;\n}\nnamespace n {\nint j;\n}\n", b"namespace n {\nint i;\nint j;\n}\n"),
        ("rust", b"impl A { fn f() {} }\nimpl A { fn g() {} }\n", b"impl A { fn f() {}\nfn g() {} }\n"),
        ("css", b"a { b: 1; }\na { c: 2; }\n", b"a { b: 1;\nc: 2; }\n"),
    ],
)
def test_two_blocks_that_begin_alike_are_one(language: str, text: bytes, joined: bytes) -> None:
    found = Rewrites(text, joins(grown(language, text).places))
    assert found.render(Config.of([0])) == joined


@pytest.mark.parametrize(
    ("name", "text", "needed", "left"),
    [
        (
            "x.js",
            b"export { a }\nexport { b }\n",
            [rb"export \{[^}]*\b%s\b[^}]*\}" % n for n in (b"a", b"b")],
            b"export { a, b }",
        ),
        (
            "x.json",
            b'[{"k":1,"a":2},{"k":1,"b":3}]',
            [rb'\{[^}]*"k"[^}]*"%s"' % n for n in (b"a", b"b")],
            b'[{"k":1,"a":2,"b":3}]',
        ),
    ],
)
def test_blocks_that_are_lists_are_joined_with_a_comma(
    name: str, text: bytes, needed: list[bytes], left: bytes
) -> None:
    result = reduce(text, lambda t: all(re.search(each, t) for each in needed), name=name)
    assert len(result.data.strip()) <= len(left)


def test_a_block_that_is_said_otherwise_is_another_one() -> None:
    found = joins(grown("cpp", b"namespace n {\nint i;\n}\nnamespace m {\nint j;\n}\n").places)
    assert not [each for each in found if b"\n" in each.texts]


def test_tags_that_are_protected_or_have_no_name_stay_two() -> None:
    text = b"f(<b></b>);\n// DDBEGIN\ng(1);\nh(2);\n// DDEND\n"
    assert reduce(text, lambda t: b"h(" in t, name="x.jsx").data.startswith(b"f(<b></b>);\n// DDBEGIN\n")
    assert not joins(grown("javascript", b"f(<></>);\n").places)


def test_neighbours_that_differ_are_not_joined() -> None:
    assert not joins(grown("c", b"int i;\nlong j;\nvoid f(void) {}\n").places)


def test_brackets_are_paired_and_comparisons_are_not() -> None:
    text = b"if (a < b) { c[d] = e > f; }"
    domain = WORDS.deltas(text, [(0, len(text))])
    found = {domain.render(Config.of(pair)).replace(b" ", b"") for pair in pairs(domain)}
    assert {b"()", b"{}", b"[]"} <= found
    assert b"<>" not in found


def test_windows_are_torn_rows_and_pairs_and_tokens() -> None:
    """No token that opens something, no word between signs, and no row that has both brackets or none."""
    text = b"a ( b ) c d"
    found = windows(WORDS.deltas(text, [(0, len(text))]))
    rows = [(0, 2), (1, 3), (2, 4), (3, 5), (0, 3), (2, 5), (3, 6), (2, 6)]
    assert found == [*map(Config, rows), Config.of([1, 3]), *(Config.of([at]) for at in (3, 4, 5))]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        (b"x . y = - 1 ; , " * 9, {b";", b","}),  # no operator, and no operand
        ("é ö = ".encode() * 9, {"é".encode(), "ö".encode()}),
        (b"  first word = " + b"= " * 9, {b"first", b"word"}),  # blanks before a word are no sign
        (b"{ ( [ < " * 9, {b"{", b"(", b"[", b"<"}),  # none has a counterpart
        (b'= "a" _b = "c" $d = 1 2 ' * 9, {b'"a"', b"_b", b'"c"', b"$d", b"1", b"2"}),
    ],
)
def test_single_tokens_are_those_that_a_parser_may_do_without(text: bytes, cut: set[bytes]) -> None:
    domain = WORDS.deltas(text, [(0, len(text))])
    assert {domain.render(window).strip() for window in windows(domain)} == cut


def test_windows_have_no_rows_where_there_are_many_tokens() -> None:
    """Rows would be as many tests as there are tokens; they hardly ever succeed."""
    text = b"a ( b c ) " * 5
    domain = WORDS.deltas(text, [(0, len(text))])
    singles = [Config.of([at]) for at in range(25) if at % 5 > 1]
    assert windows(domain) == [*(Config.of([at + 1, at + 4]) for at in range(0, 25, 5)), *singles]


def test_no_pair_and_no_row_goes_where_all_brackets_have_partners() -> None:
    text = b"a ( b ) c d"
    domain = WORDS.deltas(text, [(0, len(text))])
    full, tears = Config.full(len(domain)), tearing(domain)
    assert [window for window in windows(domain) if not tears(full, full - window)] == [
        *map(Config.of, ([3], [4], [5]))
    ]
    assert not tears(full, full - Config.of([3, 5])), "single tokens may go together"


def test_rows_and_brackets_go_that_mend_what_is_torn() -> None:
    text = b"a ( b ) c d"
    domain = WORDS.deltas(text, [(0, len(text))])
    torn, tears = Config.full(len(domain)) - Config.of([3]), tearing(domain)
    gone = {domain.render(window & torn) for window in windows(domain) if not tears(torn, torn - window)}
    assert {b"( ", b"a ( ", b"( b ", b"a ( b "} <= gone
    assert b"b c " not in gone, "it has no bracket any more"


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


def test_brackets_go_with_what_is_beside_them() -> None:
    """Of few tokens a pair is tried with up to three before it, or after it."""
    domain = WORDS.deltas(b"(a - b (c d))", [(0, 13)])
    left = [domain.render(Config.full(len(domain)) - gone).replace(b" ", b"") for gone in wrappings(domain)]
    assert left == [b"(a-cd)", b"(acd)", b"(cd)", b"(a-bcd)", b"a-b(cd)"]
    many = WORDS.deltas(b"(a - b (c d)) e f g h i j k l", [(0, 29)])
    assert len(wrappings(many)) == 2


def test_a_list_and_what_asks_for_it_go_at_once() -> None:
    """Neither `(check ((not x)))` nor `(check-all (not x))` means anything."""

    def test(text: bytes) -> Outcome:
        bare = b"".join(text.split())
        if bare in {b"(check-all((not(x))))", b"(check(not(x)))", b"(check-all((notx)))", b"(check(notx))"}:
            return FAIL
        return UNRESOLVED

    assert reduce(b"(check-all ((not (x))))\n", test, name="x.smt2").data.split() == [b"(check(not", b"x))"]


def test_only_what_the_grammar_accepts_is_valid() -> None:
    css = load("css").checker(b"a { b: c; }")
    assert css(b"a { b: ; }")
    assert css(b"a { b: c }")
    assert css(b"a { b: }") is False
    assert css(b"a { b: c;") is False
    assert load("c").checker(b"int f() { }")(b"f() { }") is False
    assert css(b"a { b }") is False
    assert css(b"a { : }") is False


def test_an_item_may_become_another_one() -> None:
    """A method without its receiver is a function."""
    each = grown("go", b"package p\nfunc (t T) f() {}\n")
    receiver = each.tree.fields.index("receiver")
    assert each.places.smallest(receiver) == b""
    result = reduce(b"package p\ntype T int\nfunc (t T) f() { g() }\n", lambda t: b"f() { g() }" in t, name="x.go")
    assert result.data.split() == b"func f() { g() }".split()


def test_words_are_brackets() -> None:
    data = b"do begin a END; b end (begin c)"
    domain = WORDS.deltas(data, [(0, len(data))])
    left = [domain.render(Config.full(len(domain)) - pair).split() for pair in paired(domain)]
    assert left == [
        b"do a ; b end (begin c)".split(),
        b"do begin a END; b end begin c".split(),
        b"begin a END; b (begin c)".split(),
    ]


def test_operators_go_with_what_is_beside_them() -> None:
    data = b"a == 1; (b) += f(c) x"
    domain = WORDS.deltas(data, [(0, len(data))])
    gone = [terms(domain)[at] for at in range(4)]
    left = [b"".join(domain.render(Config.full(len(domain)) - each).split()) for each in gone]
    assert left == [b"1;(b)+=f(c)x", b"a;(b)+=f(c)x", b"a==1;f(c)x", b"a==1;(b)(c)x"]
