"""CSS closes what is open at its end."""

from __future__ import annotations

import pytest

from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.domains.tree.languages import load
from wynot.domains.tree.reading import SMALL
from wynot.run.options import Options
from wynot.run.reduce import reduce

CLOSED = b"@media x { a { b: c } }\n"


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        (b"@media x { a { b: c }", True),
        (b"@media x { a { b: c", True),
        (b"@media x { a {", True),
        (b"a { b: url(c", True),
        (b"a { content: '}'", True),
        (b"a { b: c /* { */", True),
        (b"a b: c }", False),
        (b"a { b: c } }", False),
        (b"a } {", False),
        (b"a { b: [c } d", False),
        (b"@media x { : c", False),
        (b"a { b: 'c", False),
    ],
)
def test_what_lacks_brackets_at_its_end_only_is_valid(text: bytes, valid: bool) -> None:
    language = load("css")
    assert language.checker(CLOSED)(text) == valid
    assert language.checker(text).clean == valid


def test_a_text_that_lacks_some_is_as_strict() -> None:
    """Nothing is allowed by the errors that the grammar would see in it."""
    checker = load("css").checker(b"a { b: c")
    assert checker.broken == 0
    assert checker(b"a { b:")
    assert not checker(b"a b: c")


def test_its_tree_is_that_of_the_closed_text_up_to_its_end() -> None:
    language, text = load("css"), b"@media x { a { b: c; d: e"
    tree, closed = language.parse(text), language.parse(text + b"}}")
    assert list(tree.kinds) == list(closed.kinds)
    assert "ERROR" not in tree.kinds
    assert list(tree.starts) == list(closed.starts)
    assert max(tree.ends) == len(text)
    assert tree.text(0) == text
    assert list(tree.shape.weights) == [end - start for start, end in zip(tree.starts, tree.ends, strict=True)]


def test_the_kinds_of_what_is_at_the_end() -> None:
    checker = load("css").checker(CLOSED)
    assert "block" in checker.kinds(b"a { b: c", 2, 8)
    assert "declaration" not in checker.kinds(b"a { b: c", 2, 8)
    assert "block" in checker.kinds(b"a { b: c }", 2, 10)


def test_long_texts_are_left_to_the_grammar() -> None:
    filler = b"a { b: c }\n" * (SMALL // 11 + 1)
    assert not load("css").checker(filler + CLOSED)(filler + b"a { b: c")


def test_other_languages_close_their_brackets() -> None:
    assert not load("c").checker(b"int f(void) { }\n")(b"int f(void) {")


def test_the_last_brackets_go() -> None:
    """What is left is valid all the same: by the language's own rule, not by the grammar's."""

    def test(text: bytes) -> Outcome:
        return FAIL if b"print" in text and b"{" in text and text.count(b"a") > 1 and b"d" in text else PASS

    text = b"x { y: z }\n" * 20 + b"@media print { a { a: d; e: f } }\n"
    result = reduce(text, test, Options(), name="x.css").data
    assert b"}" not in result
    assert load("css").checker(CLOSED)(result)
