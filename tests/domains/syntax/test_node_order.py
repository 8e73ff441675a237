"""In which order the nodes of a level are looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.domains.syntax.edits.name_usage import CROWD, members, users_last
from wynot.domains.syntax.language_loading import load
from wynot.domains.syntax.syntax_tree import SyntaxTree


def test_kinds_stand_side_by_side_the_heaviest_last() -> None:
    tree = load("c").parse(b"int f(int a) { return a + 1; }\nint g(int b) { return b * 2; }\n")
    level = [node for node in range(len(tree)) if tree.shape.depths[node] == 2]
    kinds = [tree.kinds[node] for node in tree.by_kind(level)]
    assert kinds == [kind for kind in ("primitive_type", "function_declarator", "compound_statement") for _ in "fg"]


def items(language: str, text: bytes) -> tuple[SyntaxTree, list[int]]:
    tree = load(language).parse(text)
    return tree, list(tree.shape.children(0))


def test_items_that_are_declared_before_they_are_used_stay_in_order() -> None:
    tree, level = items("c", b"int a;\nint f(void) { return a; }\nint b;\nint g(void) { return f() + b; }\n")
    assert users_last(tree, level) == level


@pytest.mark.parametrize(
    ("language", "text", "order"),
    [
        (
            "go",
            b"package p\nfunc f() { g() }\ntype T struct { u U }\nfunc g() { var t T }\ntype U int\n",
            [0, 4, 2, 3, 1],
        ),
        ("rust", b"fn main() { f(S) }\nimpl S { fn h() {} }\nstruct S;\nfn f(s: S) {}\n", [2, 3, 0, 1]),
        ("javascript", b"f();\nconst x = 1;\nfunction f() { return x; }\n", [1, 2, 0]),
        ("java", b"class A { B b; }\n// B comes\nclass B { }\n", [2, 0, 1]),
        ("php", b"<?php\nfoo();\nfunction foo() { }\nnew A;\nclass A { }\n", [0, 2, 1, 4, 3]),
        (
            "fortran",
            b"subroutine s\nuse m\nend\nmodule m\nuse k\nend module\nmodule k\nend module\n",
            [2, 1, 0],
        ),
    ],
)
def test_what_uses_an_item_stands_after_it(language: str, text: bytes, order: list[int]) -> None:
    tree, level = items(language, text)
    assert [level.index(item) for item in users_last(tree, level)] == order


def crowd(language: str, text: bytes) -> list[bytes]:
    """The names of the members of the last item."""
    tree, level = items(language, text)
    found = members(tree, level[-1], list)
    return [tree.text(node).split()[1].partition(b"(")[0] for node in found]


@pytest.mark.parametrize(
    ("language", "opening"), [("java", b"class A {\n"), ("cpp", b"namespace a {\n"), ("c-sharp", b"class A {\n")]
)
def test_what_is_a_frame_around_many_things_has_members(language: str, opening: bytes) -> None:
    """The first of them calls the last one, so it comes after it."""
    methods = [b"int m%d() { return %d; }\n" % (i, i) for i in range(1, CROWD)]
    text = opening + b"int m0() { return m%d(); }\n" % (CROWD - 1) + b"".join(methods) + b"}\n"
    names = [b"m%d" % i for i in (CROWD - 1, 0, *range(1, CROWD - 1))]
    assert crowd(language, text) == names
    assert not crowd(language, text.replace(methods[3], b""))


def test_a_function_of_many_calls_has_none() -> None:
    assert not crowd("c", b"int f(int a) {\n" + b"  f(a);\n" * 40 + b"}\n")


def test_a_name_that_many_items_give_tells_nothing() -> None:
    tree, level = items("go", b"package p\n" + b"".join(b"func (x T%d) Len() { }\n" % i for i in range(5)))
    assert users_last(tree, level) == level


@given(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=10, max_size=10))
def test_every_item_has_its_place_and_no_user_stands_before_what_it_uses(uses: list[list[int]]) -> None:
    """As long as no items use each other, which is so where each uses earlier ones only, whatever the order is."""
    earlier = [[other for other in others if other < item] for item, others in enumerate(uses)]
    texts = [b"function f%d() { %s }\n" % (i, b" ".join(b"f%d();" % j for j in o)) for i, o in enumerate(earlier)]
    tree, level = items("javascript", b"".join(reversed(texts)))
    numbers = [9 - level.index(item) for item in users_last(tree, level)]
    assert sorted(numbers) == list(range(10))
    assert all(numbers.index(other) < numbers.index(item) for item in range(10) for other in earlier[item])


def test_items_that_use_each_other_stay_in_order() -> None:
    """A module has the interface of a procedure that uses the module."""
    text = b"module m\ninterface\nsubroutine s\nend\nend interface\nend module\nsubroutine s\nuse m\nend\n"
    tree, level = items("fortran", text)
    assert users_last(tree, level) == level
