"""A grammar takes a reserved word for a name where nothing else fits; the language does not."""

from __future__ import annotations

import pytest

from tests.domains.syntax.files import sample
from wynot.domains.syntax.language_loading import load
from wynot.domains.syntax.language_table import GRAMMARS

RESERVED = [grammar.name for grammar in GRAMMARS if grammar.reserved]
MISUSED = {
    "c": ("int f() { int x; return 0; }", "int f() { int return ; }"),
    "c-sharp": ("class A { int f() { return 1; } }", "class A { int return; }"),
    "cpp": ("struct a { int b; };", "struct class { int b; };"),
    "go": ("package p; func f() { if x {} }", "package p; func if() {}"),
    "java": ("class A { int f() { int a; return 0; } }", "class A { int f() { int return ; } }"),
    "javascript": ("f(x); while (y) {}", "f(while)"),
    "kotlin": ("fun f() { if (a) b() }", "fun f() { if }"),
    "lua": ("if a then b() end x=1", "end=1"),
    "python": ("x = y if a else b", "x = if"),
    "ruby": ("def f; if x; end; end", "def if; end"),
    "rust": ("fn f() { if true {} }", "fn if() {}"),
    "scala": ("object A { def f = if (a) b else c }", "object A { def if = c }"),
    "solidity": ("contract A { function f() public { if (a) b(); } }", "contract if { }"),
    "sql": ("SELECT a FROM b;", "SELECT FROM b;"),
    "swift": ("func f() { if a { } }", "func if() { }"),
    "tsx": ("f(x); while (y) {}", "f(while)"),
    "typescript": ("f(x); while (y) {}", "f(while)"),
    "zig": ("const a = if (b) 1 else 2;", "const if = 2;"),
}


@pytest.mark.parametrize("name", RESERVED)
def test_no_name(name: str) -> None:
    right, wrong = (text.encode() for text in MISUSED[name])
    checker = load(name).checker(right)
    assert checker.clean
    assert not checker(wrong)


@pytest.mark.parametrize("name", RESERVED)
def test_words_in_their_places(name: str) -> None:
    assert load(name).checker(sample(name)).clean


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c", "#define int long\nint x;\n"),
        ("c", "#ifdef if\n#endif\n"),
        ("javascript", "export { a as default }; b = { default: 1, if: 2 }; b.if = b.delete();"),
        ("typescript", "export { default as A } from 'a'; interface B { delete(a: number): void; null: string }"),
        ("rust", "macro_rules! m { (fn $a:ident) => { if let type = $a {} } }"),
        ("java", "class A { Class<?> a = int.class; }"),
        ("c-sharp", "class A { int @if; }"),
        ("sql", 'SELECT "from" FROM a;'),
        ("kotlin", "fun `if`() { }"),
        ("lua", "a.b['end'] = 1"),
    ],
)
def test_where_any_word_may_stand(name: str, text: str) -> None:
    assert load(name).checker(text.encode()).clean


def test_what_the_file_misuses_it_may_misuse() -> None:
    checker = load("c").checker(b"int f() { int return; int x; }")
    assert checker(b"int f() { int return; }")
    assert not checker(b"int f() { int return; int while; }")
