"""Functions that do the least they may."""

from __future__ import annotations

import pytest

from wynot.core.config import Config
from wynot.domains.syntax.edits.function_bodies import HOLLOW, bodies
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.syntax.language_loading import load


def hollowed(language: str, text: bytes) -> bytes:
    """A text without all that its functions do."""
    places = load(language).places(text)
    found = bodies(places, language)
    left = Config.full(len(places.tree))
    for node in found:
        left -= places.tree.shape.subtree(node)
    return TreeDomain(places.tree, places, found).render(left)


@pytest.mark.parametrize(
    ("language", "text", "hollow"),
    [
        ("c", b"int f(int a) { return a; }\nint g(void);\n", b"int f(int a) {}\nint g(void);\n"),
        ("cpp", b"struct A { A() : x(1) { y(); } int f() const { return x; } int x; };",
         b"struct A { A() : x(1) {} int f() const {} int x; };"),
        ("cpp", b"namespace n { template <class T> T f() { return T(); } }",
         b"namespace n { template <class T> T f() {} }"),
        ("go", b"package p\nfunc f() int { return g(1, 2) }\nfunc (t T) m() { t.f(1, 2) }\n",
         b"package p\nfunc f() int {panic(0)}\nfunc (t T) m() {panic(0)}\n"),
        ("rust", b"impl A { fn f(&self) -> u8 { self.g(1, 2) } }\nfn h() { a(1); }",
         b"impl A { fn f(&self) -> u8 {loop{}} }\nfn h() {loop{}}"),
        ("java", b"class A { A() { super(1); x = 2; y = 3; } int f() { return x + y + 1; } abstract void g(); }",
         b"class A { A() {super(1);throw null;} int f() {throw null;} abstract void g(); }"),
        ("c-sharp", b"class A { int F() { return x + y + 1; } }", b"class A { int F() {throw null;} }"),
        ("typescript", b"class A { f(): number { return this.x + 1; } }", b"class A { f(): number {throw 0} }"),
        ("kotlin", b"class A { fun f(): Int { val x = 1; return x + 1 } }", b"class A { fun f(): Int {TODO()} }"),
        ("scala", b"object A { def f(x: Int): Int = { g(x) + 1 } }", b"object A { def f(x: Int): Int = ??? }"),
        ("kotlin", b"fun f(x: Int): Int = x + 1 + g(x)", b"fun f(x: Int): Int = TODO()"),
        ("typescript", b"class A extends B { constructor() { super(1); this.x = 1; this.y = 2; } }",
         b"class A extends B { constructor() {super(1);throw 0} }"),
        ("ocaml", b"let rec f : type a. a t -> int = fun x -> g x x x\nand h x (y : int) = x + y + f x * 2\nlet z = 1",
         b"let rec f : type a. a t -> int = assert false\nand h x (y : int) = assert false\nlet z = 1"),
        ("ocaml", b"let z = [1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11]", b"let z = [1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11]"),
        ("ocaml", b"let f = function A -> 1 | B -> 2 | C -> 3", b"let f = fun _ -> assert false"),
        ("haskell", b"f :: Int -> Int\nf x = x + 1 + x * 2\ng y | y > 1 = 2 + y + y\n    | otherwise = 3 + y + y\n",
         b"f :: Int -> Int\nf x = undefined\ng y | y > 1 = 2 + y + y\n    | otherwise = 3 + y + y\n"),
        ("swift", b"func f() -> Int { let x = 1; return x + 1 }", b"func f() -> Int {fatalError()}"),
    ],
)  # fmt: skip
def test_what_is_left(language: str, text: bytes, hollow: bytes) -> None:
    assert load(language).checker(text).clean
    assert hollowed(language, text) == hollow
    assert load(language).checker(text)(hollow)


def test_what_is_no_larger_stays() -> None:
    text = b"class A { void f() { } void g() { return; } int k() { throw null; } }"
    assert hollowed("java", text) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("cpp", b"constexpr int f() { return 1 + 2 + 3; }"),
        ("cpp", b"auto f() { return 1 + 2 + 3; }"),
        ("rust", b"const fn f() -> u8 { 1 + 2 + 3 + 4 + 5 }"),
        ("rust", b"fn f() -> impl Iterator<Item = u8> { a.iter().map(1) }"),
        ("java", b"class A { int f(){return a+b;} }"),
    ],
)
def test_what_is_nothing_without_its_body_and_what_is_short_stays(language: str, text: bytes) -> None:
    assert hollowed(language, text) == text


def test_functions_within_others_go_with_them() -> None:
    text = b"fn f() { fn g() { a(1, 2); } g(); }"
    assert hollowed("rust", text) == b"fn f() {loop{}}"


def test_other_languages_have_none() -> None:
    assert "python" not in HOLLOW
    assert hollowed("python", b"def f():\n    return 1\n") == b"def f():\n    return 1\n"
