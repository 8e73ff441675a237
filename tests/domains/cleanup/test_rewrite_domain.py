"""What in a file could be simpler: names, literals, comments, white space; and the file with some of it simpler."""

from __future__ import annotations

import re

import pytest

from wynot.core.artifact import simplicity
from wynot.core.config import Config
from wynot.domains.cleanup.literals import comments, contents, literals, smaller, spaces
from wynot.domains.cleanup.rename import names
from wynot.domains.cleanup.rewrite_domain import Rewrite, Rewrites, simpler
from wynot.domains.syntax import language_loading
from wynot.domains.syntax.syntax_tree import SyntaxTree

ALL = Config.full(10**6)


def parsed(language: str, data: bytes) -> SyntaxTree:
    return language_loading.load(language).parse(data)


def named(language: str, data: bytes, free: Config = ALL) -> bytes:
    loaded = language_loading.load(language)
    return simplest(data, names(loaded.parse(data), loaded.checker(data), free))


def simplest(data: bytes, rewrites: list[Rewrite]) -> bytes:
    domain = Rewrites(data, rewrites)
    assert domain.render(Config.full(len(domain))) == data
    return domain.render(Config.of([0]))


def test_nodes_are_simpler_texts_and_the_topmost_one_that_is_absent_counts() -> None:
    domain = Rewrites(b"100 x 7", [Rewrite(((0, 3),), (b"0", b"1", b"50")), Rewrite(((6, 7),), (b"0",))])
    assert (len(domain), list(domain.shape.parents)) == (5, [-1, 0, 1, 2, 0])
    assert domain.render(Config.full(5)) == b"100 x 7"
    assert domain.render(Config.of([0, 4])) == b"0 x 7"
    assert domain.render(Config.of([0, 1, 4])) == b"1 x 7"
    assert domain.render(Config.of([0, 1, 2])) == b"50 x 0"


def test_a_thing_at_several_places_changes_everywhere() -> None:
    domain = Rewrites(b"foo(foo)", [Rewrite(((0, 3), (4, 7)), (b"a",))])
    assert domain.render(Config.of([0])) == b"a(a)"


def test_words_do_not_run_together() -> None:
    assert simplest(b"return'x';", [Rewrite(((6, 9),), (b"0",))]) == b"return 0;"


def test_only_what_is_simpler_is_offered() -> None:
    assert simpler(b"b", [b"c", b"a", b"aa", b"b"]) == (b"a",)


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("c", b"int foo(int bar) { return bar + foo(baz); }", b"int a(int b) { return b + a(c); }"),
        ("c", b"#define INC(what) what + step\nint step;", b"#define A(a) a + b\nint b;"),
        ("c", b'int foo; char *s = "foo"; /* foo */', b'int a; char *b = "foo"; /* foo */'),
        ("c", b"int a; int bb; int c;", b"int a; int b; int c;"),
        ("python", b"def foo(self):\n    bar\n", b"def a(b):\n    c\n"),
        ("python", b"class Foo: pass\nprint(f'{foo} foo')\n", b"class A: pass\na(f'{b} foo')\n"),
        ("haskell", b"foo bar = Just bar\n", b"a b = A b\n"),
        ("ruby", b"@foo = 1\nputs @foo\n", b"@a = 1\nb @a\n"),
        ("json", b'{"foo": 1}', b'{"foo": 1}'),
        (
            "sexpr",
            b"(declare-fun foo (Int) Int)(assert (= (foo 1) 2))",
            b"(declare-fun a (Int) Int)(assert (= (a 1) 2))",
        ),
        ("sexpr", b"(assert (forall ((xx Int)) (= xx 1)))", b"(assert (forall ((a Int)) (= a 1)))"),
        ("outline", b"foo bar baz\n", b"foo bar baz\n"),
    ],
)
def test_names(language: str, before: bytes, after: bytes) -> None:
    assert named(language, before) == after


def test_many_names_are_all_different_and_no_key_words() -> None:
    data = b"".join(b"int name%d;\n" % number for number in range(100))
    short = re.findall(rb"int (\w+);", named("c", data))
    assert len(set(short)) == 100
    assert short[:27] == [*(b"%c" % letter for letter in range(97, 123)), b"a0"]


def test_a_name_in_a_protected_region_stays() -> None:
    data = b"int foo;\nint bar = foo;\n"
    assert named("c", data, Config((9, len(data)))) == b"int foo;\nint a = foo;\n"


def test_short_names_stay() -> None:
    assert named("c", b"int a, b, c;") == b"int a, b, c;"


@pytest.mark.parametrize(
    ("number", "some"),
    [
        (b"100", {b"0", b"1", b"50", b"75", b"99"}),
        (b"-5", {b"0", b"1", b"5", b"-4", b"-3", b"-2"}),
        (b"10UL", {b"0", b"10", b"5UL", b"9UL"}),
        (b"0xffULL", {b"0", b"1", b"255", b"0xff", b"0x80ULL", b"0xfeULL"}),
        (b"3.1415e10f", {b"0", b"0.0", b"3", b"3.14e10f", b"3.1415", b"3.1415f", b"2.1415e10f"}),
        (b"1_000", {b"1000", b"500", b"999"}),
        (b"007", {b"7", b"6"}),
        (b"1" * 40, {b"1" * 20, b"1" * 39}),
        (b"10px", {b"0", b"10", b"5px"}),
    ],
)
def test_smaller_numbers(number: bytes, some: set[bytes]) -> None:
    found = simpler(number, smaller(number))
    assert some <= set(found)
    assert list(found) == sorted(found, key=simplicity)
    assert len(found) < 30


@pytest.mark.parametrize("word", [b"", b"x", b"-", b".", b"1.2.3", b"0b9", b"e5", b"2020-01-01", b"1 2"])
def test_no_number(word: bytes) -> None:
    assert list(smaller(word)) == []


def test_counting_down_is_possible_to_every_number() -> None:
    """One less is always among them, so what is found cannot be counted down any further."""
    assert all(b"%d" % (number - 1) in simpler(b"%d" % number, smaller(b"%d" % number)) for number in range(1, 300))
    assert simpler(b"0", smaller(b"0")) == ()


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("c", b"int x = 12 + 'c' + 0x10;", b"int x = 0 + 0 + 0;"),
        ("c", b'char *s = "a b" L"c";', b'char *s = "" "";'),
        ("python", b"x = f'a{b}' + '''c\nd''' + 3.5\n5\n", b"x = '' + '' + 0\n0\n"),
        ("json", b'{"a": [1, -2.5e3, "bc", true, null, ""]}', b'{"": [0, 0, "", true, null, ""]}'),
        ("yaml", b'a: 12\nb: "x y"\n', b'a: 0\nb: ""\n'),
        ("sql", b"SELECT 12, 'abc';", b"SELECT 0, '';"),
        ("css", b"a { width: 10px }", b"a { width: 0 }"),
        ("javascript", b"x = `t${1}` + 'u';", b"x = `` + '';"),
        ("sexpr", b'(assert (= 12 "a""b"))', b'(assert (= 0 "a""b"))'),
    ],
)
def test_literals(language: str, before: bytes, after: bytes) -> None:
    assert simplest(before, literals(parsed(language, before), ALL)) == after


def test_strings_side_by_side_are_not_one() -> None:
    data = b'x = "a" + "b"\n'
    assert [data[a:b] for a, b in contents(parsed("python", data), ALL)] == [b"a", b"b"]


def test_comments_go_with_their_lines() -> None:
    data = b"int a; // one\n/* two */\n  // three\nint/**/b; /* four */\n"
    assert simplest(data, comments(parsed("c", data), ALL)) == b"int a;\nint b;\n"


def test_comments_side_by_side_do_not_overlap() -> None:
    data = b"int a; /* one */ /* two */\n/* three */ /* four */\n"
    assert simplest(data, comments(parsed("c", data), ALL)).split() == [b"int", b"a;"]


def test_a_protected_comment_stays() -> None:
    data = b"// one\nint a; // two\n"
    assert simplest(data, comments(parsed("c", data), Config((7, len(data))))) == b"// one\nint a;\n"


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("c", b"\n\nint a;  \n\n\n   int   b;\n\n", b"int a;\nint b;\n"),
        ("c", b"int a;\r\n\r\n\tint b;\r\n", b"int a;\r\nint b;\r\n"),
        ("c", b'char *s = "a  b";', b'char *s = "a  b";'),
        ("c", b"int a;   ", b"int a;"),
        ("c", b"int a;\n", b"int a;\n"),
        ("json", b'{\n    "a":  [\n        1\n    ]\n}\n', b'{\n"a": [\n1\n]\n}\n'),
    ],
)
def test_white_space(language: str, before: bytes, after: bytes) -> None:
    assert simplest(before, spaces(parsed(language, before), ALL)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"if x:\n    if y:\n\n        z\n    u\n", b"if x:\n if y:\n  z\n u\n"),
        (b"if x:\n\tif y:\n\t\tz\n", b"if x:\n\tif y:\n\t\tz\n"),
        (b's = """a\n    b\n"""\n', b's = """a\n    b\n"""\n'),
    ],
)
def test_where_indentation_has_a_meaning_it_is_kept_in_proportion(before: bytes, after: bytes) -> None:
    assert simplest(before, spaces(parsed("python", before), ALL, flush=False)) == after


def test_the_first_line_of_a_region_has_its_indentation() -> None:
    data = b"// DDBEGIN\n    int   a;\n// DDEND\n"
    assert simplest(data, spaces(parsed("c", data), Config((11, 24)))) == b"// DDBEGIN\nint a;\n// DDEND\n"


@pytest.mark.parametrize(
    ("language", "data"), [("html", b"<p>&amp; a</p>"), ("xml", b"<r>&#38;&lt;</r>"), ("css", b"a{}")]
)
def test_what_is_no_name_of_the_file_stays(language: str, data: bytes) -> None:
    assert b"&" not in data or data[3:7] in named(language, data)
