"""One name stands in for another."""

from __future__ import annotations

import re
import tracemalloc

import pytest

from wynot.commands.reduce.parsed_text import ParseCache
from wynot.commands.reduce.passes.substitute import LARGEST, SubstitutionPass, by_standins
from wynot.commands.reduce.reduction import reduce
from wynot.domains.syntax.edits.name_usage import given
from wynot.domains.syntax.edits.substitutions import ATTEMPTS, PLAINEST, standins
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.syntax.language_loading import load
from wynot.engine.budget import TestCounts
from wynot.engine.run_options import Options


def found(language: str, text: bytes) -> dict[tuple[bytes, bytes], bytes]:
    places = load(language).places(text)
    return {(each.name, each.other): each.text for each in standins(TreeDomain(places.tree, places))}


@pytest.mark.parametrize(
    ("language", "text", "pair", "left"),
    [
        ("c", b"typedef int word;\nword x;\nword y;\n", (b"word", b"int"), b"int x;\nint y;\n"),
        ("c", b"int g();\nint f(){return g();}\nint x = f();\n", (b"f", b"g"), b"int g();\nint x = g();\n"),
        ("go", b"package p\ntype T U\ntype U int\nvar x T\n", (b"T", b"U"), b"package p\ntype U int\nvar x U\n"),
        ("python", b"def g(): 0\ndef f(): g()\nf()\n", (b"f", b"g"), b"def g(): 0\ng()\n"),
        ("javascript", b"let a = 1;\nlet b = a;\nf(b);\n", (b"b", b"a"), b"let a = 1;\nf(a);\n"),
        ("c", b"int f() {\nint x = g(1);\nh(x);\n}\n", (b"x", b"g(1)"), b"int f() {\nh(g(1));\n}\n"),
        ("go", b"package p\nfunc f() {\nx := T{}\nh(x)\n}\n", (b"x", b"T{}"), b"package p\nfunc f() {\nh(T{})\n}\n"),
        ("python", b"x = g(1)\nh(x)\n", (b"x", b"g(1)"), b"h(g(1))\n"),
        ("cpp", b"using A = B<int>;\nA f(A);\n", (b"A", b"B<int>"), b"B<int> f(B<int>);\n"),
        (
            "sql",
            b"CREATE TABLE t (a INT, b INT);\nSELECT b FROM t;\n",
            (b"b", b"a"),
            b"CREATE TABLE t (a INT);\nSELECT a FROM t;\n",
        ),
        (
            "sql",
            b"CREATE VIEW v AS SELECT 1 FROM t;\nSELECT 2 FROM v;\nSELECT 3;\n",
            (b"v", b"(SELECT 1 FROM t)"),
            b"SELECT 2 FROM (SELECT 1 FROM t);\nSELECT 3;\n",
        ),
        ("c", b"void f(int i, int j) { g(j); }\n", (b"j", b"i"), b"void f(int i) { g(i); }\n"),
        (
            "python",
            b"cimport c\nctypedef c.d t\ncdef t[:] f():\n    0\n",
            (b"t", b"c.d"),
            b"cimport c\ncdef c.d[:] f():\n    0\n",
        ),
        (
            "c",
            b"void f(int i) { g(i); }\nint main() { f(1); return 0; }\n",
            (b"f", b"{ g(1); }"),
            b"int main() { { g(1); } return 0; }\n",
        ),
        (
            "c",
            b"int f(int i, int j) { return i - j; }\nint x() { return h(f(2, k)); }\n",
            (b"f", b"2 - k"),
            b"int x() { return h(2 - k); }\n",
        ),
        (
            "javascript",
            b"function f() { class P {} }\nf();\n",
            (b"f", b"{ class P {} }"),
            b"{ class P {} }\n",
        ),
        (
            "python",
            b"def f(a):\n    g(a)\n    h()\nif x:\n  f(2)\n",
            (b"f", b"g(2)\n  h()"),
            b"if x:\n  g(2)\n  h()\n",
        ),
        ("python", b"def f(a):\n    return a + 1\ng(f(2))\n", (b"f", b"2 + 1"), b"g(2 + 1)\n"),
        (
            "go",
            b"package p\nfunc f(a, b int) int { return a + b }\nfunc m() { g(f(2, 3)) }\n",
            (b"f", b"2 + 3"),
            b"package p\nfunc m() { g(2 + 3) }\n",
        ),
        ("php", b"<?php function f($a) { return $a + 1; }\n g(f(2));\n", (b"f", b"2 + 1"), b"<?php\n g(2 + 1);\n"),
        (
            "rust",
            b"fn f(a: i32) -> i32 { return a + 1; }\nfn m() { g(f(2)); }\n",
            (b"f", b"2 + 1"),
            b"fn m() { g(2 + 1); }\n",
        ),
        ("lua", b"function f() g() end\nf()\n", (b"f", b"g()"), b"g()\n"),
        (
            "c",
            b"void f() {\nint i;\nchar b[9];\nint j;\ng(b, i, j);\n}\n",
            (b"j", b"i"),
            b"void f() {\nint i;\nchar b[9];\ng(b, i, i);\n}\n",
        ),
        ("c", b"void f(int n) { int i; b[i] = n; }\n", (b"i", b"0"), b"void f(int n) { b[0] = n; }\n"),
        (
            "cpp",
            b"struct A {\nint f(int) const;\n};\nint A::f(int i) const { return i; }\n",
            (b"f", b"A::int f(int) const;::int f(int i) const { return i; }"),
            b"struct A {\nint f(int i) const { return i; }\n};\n",
        ),
        (
            "cpp",
            b"template<class T> struct A {\nint f();\n};\ntemplate<class T> int n::A<T>::f() { return 1; }\n",
            (b"f", b"A::int f();::int f() { return 1; }"),
            b"template<class T> struct A {\nint f() { return 1; }\n};\n",
        ),
        ("outline", b"type a.b c;\nuse c\n", (b"c", b"a.b"), b"use a.b\n"),
        ("outline", b"let c := a.b\nuse c\n", (b"c", b"a.b"), b"use a.b\n"),
    ],
)
def test_what_is_little_more_than_another_thing_goes(
    language: str, text: bytes, pair: tuple[bytes, bytes], left: bytes
) -> None:
    assert found(language, text)[pair] == left


def test_the_nearest_thing_beside_stands_in() -> None:
    """One before it; where there is none, one behind; one of the same kind in any case."""
    pairs = found("c", b"void f(int i, int j, int k) { g(i, j, k); }\nlong x;\n")
    assert {pair for pair in pairs if pair[0] in b"ijk" and pair[1] != PLAINEST} == {
        (b"k", b"j"), (b"j", b"i"), (b"i", b"j"),
    }  # fmt: skip


def test_a_name_of_a_line_gives_way_where_it_is_used_once_and_no_grammar_knows_it() -> None:
    assert (b"c", b"a.b") not in found("outline", b"type a.b c;\nuse c c\n")
    assert (b"c", b"a.b") not in found("outline", b"type a.b c; " + b" " * 300 + b"\nuse c\n")
    assert (b"x", b"of") not in found("python", b'"""\nname of x\n"""\ny = 1\nprint(x, y)\n')


def test_tables_are_named_where_they_are_made() -> None:
    text = b"CREATE TABLE t (a INT);\nINSERT INTO t VALUES (1);\nCREATE INDEX i ON t (a);\nSELECT 1 FROM t;\n"
    tree = load("sql").parse(text)
    named = [set(given(tree, item)) for item in tree.shape.children(0)]
    assert b"t" in named[0]
    assert all(b"t" not in each for each in named[1:])


def test_a_type_does_not_stand_in_for_a_value() -> None:
    pairs = found("c", b"typedef int word;\nword f(word x) { return g(x); }\nword y = f(1);\n")
    assert {other for name, other in pairs if name == b"f"} <= {b"g", b"x", b"g(1)", PLAINEST}
    assert {other for name, other in pairs if name == b"word"} == {b"int"}


def test_few_names_are_tried_for_one() -> None:
    text = (
        b"".join(b"int a%d;\n" % i for i in range(9)) + b"int f() { return " + b" + ".join(b"a%d" % i for i in range(9))
    )
    pairs = found("c", text + b"; }\nint y = f();\n")
    assert sum(name == b"f" for name, _ in pairs) == ATTEMPTS + 1  # and what it gives back


def test_what_a_name_stands_for_takes_its_place_once_at_most() -> None:
    pairs = found("python", b"x = g(1)\nh(x, x)\n")
    assert (b"x", b"g(1)") not in pairs


@pytest.mark.parametrize(
    ("text", "left", "ways"),
    [
        (
            b"struct A {\nstatic int f(int);\n};\nint A::f(int i) { return i; }\n",
            b"struct A {\nstatic int f(int i) { return i; }\n};\n",
            1,
        ),
        (
            b"struct A { int f(); };\nstruct B { int f(); };\nint A::f() { return 1; }\nint B::f() { return 2; }\n",
            b"struct A { int f() { return 1; } };\nstruct B { int f(); };\nint B::f() { return 2; }\n",
            2,
        ),
        (
            b"struct A { int f(int); int f(char); };\nint A::f(int i) { return 1; }\nint A::f(char c) { return 2; }\n",
            b"struct A { int f(int); int f(char c) { return 2; } };\nint A::f(int i) { return 1; }\n",
            4,
        ),
        (
            b"struct A { int f(); };\nstruct B { int f(); };\nint A::f() { g(); }\nint B::f() { g(); }\n",
            b"struct A { int f() { g(); } };\nstruct B { int f(); };\nint B::f() { g(); }\n",
            2,
        ),
    ],
)
def test_members_are_told_of_in_their_own_class(text: bytes, left: bytes, ways: int) -> None:
    """With what only the class says of them; and never one in the place of another class'."""
    places = load("cpp").places(text)
    told = [each for each in standins(TreeDomain(places.tree, places)) if b"{" in each.other]
    assert left in {each.text for each in told}
    assert len(told) == len({each.other for each in told}) == ways


@pytest.mark.parametrize(
    "text",
    [
        b"void A::f() { struct A { void f(); }; h(); }\n",
        b'struct A { void f(); };\nextern "C++" void A::f() { g(); }\n',
        (
            b"template<class T> struct A {\ntemplate<class U> void f(U);\n};\n"
            b"template<class T> template<class U> void A<T>::f(U u) { g(u); }\n"
        ),
    ],
)
def test_what_is_told_of_within_another_function_and_templates_of_templates_stay(text: bytes) -> None:
    assert not [other for _, other in found("cpp", text) if b"{" in other]


def test_as_many_stand_ins_as_there_are_variables_take_little_memory() -> None:
    """Each does; all texts that might come were kept once, and for each of them all that had been tried: 911 MB."""
    many = 120
    text = (
        b"void f(){"
        + b"".join(b"int a%d;" % i for i in range(many))
        + b"".join(b"a%d;" % i for i in range(many))
        + b"}"
    )

    def test(candidate: bytes) -> bool:
        used = re.findall(rb"[;}](a\d+)(?=;)", candidate)
        return len(used) == many and set(used) <= set(re.findall(rb"int (a\d+)", candidate))

    tracemalloc.start()
    result = reduce(text, test, Options(validity="strict"), name="x.cpp")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.data.count(b"int") == 1
    assert peak < 40_000_000


def test_a_function_that_is_called_is_not_told_of_there() -> None:
    """Only what belongs to something is told of at the place where that is."""
    pairs = found("cpp", b"int f(int);\nint f(int i) { return i; }\nint x = A::f(1);\nint A::g() { return A::f(2); }\n")
    assert not [other for _, other in pairs if b"{" in other]


def test_chains_of_names_become_one_name() -> None:
    """Each alone is used: none of them can just be left out."""
    chain = b"typedef char t0;\n" + b"".join(b"typedef t%d t%d;\n" % (i, i + 1) for i in range(5))
    text = chain + b"t5 x;\n"

    def test(candidate: bytes) -> bool:
        known = set(re.findall(rb"typedef \w+ (t\d);", candidate))
        return bool(re.search(rb"\w+ x;", candidate)) and set(re.findall(rb"t\d", candidate)) <= known

    assert reduce(text, test, name="x.c").data.split() == b"char x;".split()


def test_a_copy_goes_though_it_cannot_just_be_left_out() -> None:
    """Where leaving out `x = y` was in vain, y may still do for x."""

    def test(candidate: bytes) -> bool:
        values: dict[bytes, bytes] = {}
        for name, value in re.findall(rb"(?m)^(\w+) = (\w+)$", candidate):
            values[name] = values.get(value, value)
        printed = re.search(rb"print\((\w+), (\w+)\)", candidate)
        return printed is not None and [values.get(name) for name in printed.groups()] == [b"17", b"17"]

    result = reduce(b"y = 17\nx = y\nprint(x, x)\n", test, name="a.py")
    assert result.data == b"y = 17\nprint(y, y)\n"


def test_nothing_is_done_in_a_large_text() -> None:
    text = b"typedef int word;\nword x;\n" + b"int keep;\n" * 2000
    stage = SubstitutionPass("stand-ins", ParseCache(load("c")), by_standins).begin(text, None, TestCounts())
    assert len(text) > LARGEST
    assert next(iter(next(stage.search())), None) is None


def test_what_is_protected_stays() -> None:
    text = b"typedef int word;\n// DDBEGIN\nint z;\n// DDEND\nword x;\n"
    result = reduce(text, lambda data: b"x;" in data, Options(), name="x.c")
    assert result.data == b"typedef int word;\n// DDBEGIN\n// DDEND\nword x;\n"


def test_a_function_that_is_used_twice_stays_a_function() -> None:
    pairs = found("c", b"void f() { g(); }\nint main() { f(); f(); }\n")
    assert (b"f", b"{ g(); }") not in pairs


def test_arguments_that_do_not_match_are_left_out() -> None:
    pairs = found("c", b"void f(int i) { g(i); }\nint main() { f(1, 2); }\n")
    assert pairs[b"f", b"{ g(i); }"] == b"int main() { { g(i); } }\n"


def test_a_wrapper_goes_though_it_is_called() -> None:
    """The names in it are looked for where they are used, and what is called has to be there."""

    def test(text: bytes) -> bool:
        return b"guilty()" in text and (b"wrapped()" not in text or text.count(b"wrapped()") == 2)

    text = b"function wrapped() { a(); guilty(); }\nwrapped();\n"
    assert reduce(text, test, name="x.js").data.strip() == b"guilty()"
