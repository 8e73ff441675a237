"""C without a return type before a function: an int is implied."""

from __future__ import annotations

import pytest

from wynot.domains.syntax.incremental_parse import SMALL
from wynot.domains.syntax.language_loading import load, load_c89

TYPED = b"int f(double z[]) { return z[0]; }\n"
UNTYPED = TYPED.removeprefix(b"int ")


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        (b"f(double z[]) { return z[0]; }\n", True),
        (b"f() { }\ng() { }\n", True),
        (b"static f() { }\n", True),
        (b"f(double z[]) { return z[]; }\n", False),  # valid C++
        (b"f(double z[]) { return new z; }\n", False),
        (b"class f { f() {} };\n", False),
        (b"f(double z[] { return z[0]; }\n", False),
    ],
)
def test_what_is_valid_c89(text: bytes, valid: bool) -> None:
    language = load_c89()
    assert language.checker(TYPED)(text) == valid
    assert language.checker(text).clean == valid
    assert not load("c").checker(TYPED)(text)


def test_a_text_without_types_is_checked_as_strictly() -> None:
    checker = load_c89().checker(UNTYPED)
    assert checker.broken == 0
    assert checker(b"f(double z[]) { return 0; }\n")
    assert checker(TYPED)
    assert not checker(b"f(double z[]) { return z[0] }\n")


def test_its_tree_has_the_function() -> None:
    tree = load_c89().parse(UNTYPED)
    assert "function_definition" in tree.kinds
    assert "ERROR" not in tree.kinds
    assert "function_definition" in load_c89().checker(TYPED).kinds(UNTYPED, 0, len(UNTYPED) - 1)


def test_long_texts_are_left_to_the_grammar_of_c() -> None:
    filler = b"int g;\n" * (SMALL // 7 + 1)
    assert not load_c89().checker(filler + TYPED)(filler + UNTYPED)
