"""C without a type before a function: an int is implied."""

from __future__ import annotations

import pytest

from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.domains.tree import languages
from wynot.domains.tree.languages import MissingWheelError, load
from wynot.domains.tree.reading import SMALL
from wynot.run.reduce import reduce

TYPED = b"int f(double z[]) { return z[0]; }\n"


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        (b"f(double z[]) { return z[0]; }\n", True),
        (b"f() { }\ng() { }\n", True),
        (b"static f() { }\n", True),
        (b"f(double z[]) { return z[]; }\n", False),  # C++ takes that
        (b"f(double z[]) { return new z; }\n", False),
        (b"class f { f() {} };\n", False),
        (b"f(double z[] { return z[0]; }\n", False),
    ],
)
def test_what_is_c_with_an_int(text: bytes, valid: bool) -> None:
    language = load("c")
    assert language.checker(TYPED)(text) == valid
    assert language.checker(text).clean == valid


def test_a_text_without_types_is_as_strict() -> None:
    """Nothing is allowed by the errors that the grammar of C would see in it."""
    checker = load("c").checker(b"f(double z[]) { return z[0]; }\n")
    assert checker.broken == 0
    assert checker(b"f(double z[]) { return 0; }\n")
    assert checker(b"int f(double z[]) { return 0; }\n")
    assert not checker(b"f(double z[]) { return z[0] }\n")
    assert not checker(b"f(double z[) { return z[0]; }\n")


def test_its_tree_has_the_function() -> None:
    text = b"f(double z[]) { return z[0]; }\n"
    tree = load("c").parse(text)
    assert "function_definition" in tree.kinds
    assert "ERROR" not in tree.kinds
    assert "function_definition" in load("c").checker(TYPED).kinds(text, 0, len(text) - 1)


def test_long_texts_are_left_to_the_grammar() -> None:
    filler = b"int g;\n" * (SMALL // 7 + 1)
    assert not load("c").checker(filler + TYPED)(filler + TYPED.removeprefix(b"int "))


def test_the_type_goes() -> None:
    """The result parses, as compilers see it."""

    def test(text: bytes) -> Outcome:
        return FAIL if b"guilty(double z[])" in text and b"z[0]" in text else PASS

    text = b"int other;\nstatic double guilty(double z[]) { int i = 1; return z[0] * i; }\n"
    assert reduce(text, test, name="x.c").data.split() == b"guilty(double z[]) { z[0]; }".split()


FUNCTION = b"static int f%d(int a, int b) {\n  int c = a + b;\n  if (c > %d) { c = c - 1; }\n  return c;\n}\n"


@pytest.mark.parametrize("functions", [100, 750])
def test_of_a_large_file_no_part_loses_its_type(functions: int) -> None:
    """Parts are short, and the whole is not: it would be full of errors then."""
    needed = [b"f%d(int a" % at for at in range(0, functions, functions // 7)]
    broken = []

    def test(text: bytes) -> Outcome:
        if len(text) > SMALL and not load("c").checker(text).clean:
            broken.append(text)
        return FAIL if all(each in text for each in needed) else PASS

    text = b"".join(FUNCTION % (at, at) for at in range(functions))
    result = reduce(text, test, name="x.c").data
    assert not broken
    assert load("c").checker(result).clean


def test_without_the_grammar_of_cpp(monkeypatch: pytest.MonkeyPatch) -> None:
    def load_c_only(name: str) -> object:
        if name == "cpp":
            raise MissingWheelError(languages._BY_NAME["cpp"])
        return original(name)

    original = languages.load.__wrapped__
    monkeypatch.setattr(languages, "load", load_c_only)
    language = original("c")
    assert language.checker(TYPED)(TYPED)
    assert not language.checker(TYPED)(TYPED.removeprefix(b"int "))
