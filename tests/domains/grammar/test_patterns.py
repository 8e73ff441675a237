"""Patterns find the longest match, and mean what the parts mean."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from wynot.domains.grammar.grammar_model import (
    LAST,
    Chars,
    Choice,
    Part,
    PartSequence,
    Repeat,
    Text,
    both_cases,
    others,
    overlap,
    ranges,
    without,
)
from wynot.domains.grammar.token_patterns import begins, char_class, never_empty, regex, ways

LETTERS = "abc"
SETS = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 40)).map(lambda p: (p[0], p[0] + p[1])), max_size=5)


def parts() -> st.SearchStrategy[Part]:
    leaves = st.one_of(
        st.text(LETTERS, min_size=1, max_size=3).map(Text),
        st.sets(st.sampled_from(LETTERS), min_size=1).map(lambda some: Chars(ranges((ord(c), ord(c)) for c in some))),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(lambda some: PartSequence(tuple(some))),
            st.lists(inner, min_size=2, max_size=3, unique=True).map(lambda some: Choice(tuple(some))),
        ),
        max_leaves=6,
    )


def language(part: Part) -> set[str]:
    match part:
        case Text(text=text):
            return {text}
        case Chars(ranges=some):
            return {chr(code) for low, high in some for code in range(low, high + 1)}
        case Choice(items):
            return set().union(*map(language, items))
        case PartSequence(items):
            found = {""}
            for item in items:
                found = {one + other for one in found for other in language(item)}
            return found
    raise AssertionError(part)


@given(parts(), st.text(LETTERS, max_size=8))
@settings(max_examples=80)
def test_the_longest_match_is_found(part: Part, text: str) -> None:
    found = [re.match(regex(one), text) for one in ways(part)]
    longest = max((match.end() for match in found if match), default=None)
    assert longest == max((len(one) for one in language(part) if text.startswith(one)), default=None)


@given(st.lists(st.tuples(parts(), st.booleans()), min_size=1, max_size=3), st.text(LETTERS, min_size=1, max_size=4))
@settings(max_examples=50)
def test_never_empty_is_the_same_but_for_the_empty_text(some: list[tuple[Part, bool]], text: str) -> None:
    whole = PartSequence(tuple(Repeat(part, 0, None if more else 1) for part, more in some))
    other = never_empty(whole)
    assert other is not None
    assert not begins(other)[1]
    assert bool(re.fullmatch(regex(whole), text)) == bool(re.fullmatch(regex(other), text))


@given(parts())
def test_what_it_begins_with(part: Part) -> None:
    some, empty = begins(part)
    assert {chr(code) for low, high in some for code in range(low, high + 1)} == {one[0] for one in language(part)}
    assert not empty


@given(SETS, SETS)
def test_sets_of_characters(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> None:
    a, b = ranges(one), ranges(other)
    in_a, in_b = ({code for low, high in some for code in range(low, high + 1)} for some in (a, b))
    assert others(others(a)) == a
    assert overlap(a, b) == bool(in_a & in_b)
    assert {code for low, high in without(a, b) for code in range(low, high + 1)} == in_a - in_b
    for code in (0, 9, 10, 45, 91, 92, 93, 94, 120, 200, 300):
        assert bool(re.fullmatch(char_class(a), chr(code))) == (code in in_a)
        assert bool(re.fullmatch(char_class(others(a)), chr(code))) == (code not in in_a)


def test_lazy_repetition_ends_as_soon_as_it_can() -> None:
    comment = PartSequence((Text("/*"), Repeat(Chars(((0, LAST),)), 0, None, lazy=True), Text("*/")))
    found = re.match(regex(comment), "/* a */ b */")
    assert found
    assert found[0] == "/* a */"


def test_both_cases() -> None:
    assert both_cases(((97, 98), (48, 48))) == ((48, 48), (65, 66), (97, 98))
