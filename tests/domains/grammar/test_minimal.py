"""Minimal strings: in the language, none shorter, found within as many rounds as there are nonterminals."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark

from tests.domains.grammar.grammars import SIGNS, Bodies, bodies, language, productions, rules_of, written
from wynot.domains.grammar.minimal_strings import MinimalStrings, fixpoint, shortest, taken

LONGEST = 4
SIGN = {sign.upper(): sign for sign in SIGNS}


def all_strings(rules: Bodies) -> dict[str, set[str]]:
    """By brute force: all strings of each nonterminal, up to a length."""
    found: dict[str, set[str]] = {name: set() for name in rules}
    while True:
        before = {name: set(strings) for name, strings in found.items()}
        for name, alternatives in rules.items():
            for body in alternatives:
                strings = {""}
                for symbol in body:
                    some = {SIGN[symbol]} if symbol in SIGN else before[symbol]
                    strings = {one + other for one in strings for other in some if len(one + other) <= LONGEST}
                found[name] |= strings
        if found == before:
            return found


@given(bodies())
@settings(max_examples=100, deadline=None)
def test_none_shorter_exists(rules: Bodies) -> None:
    phi, rounds = fixpoint(productions(rules), SIGN)
    assert rounds <= len(rules)
    for name, strings in all_strings(rules).items():
        if strings:
            assert "".join(phi[name].tokens) in strings
            assert phi[name].length == min(map(len, strings))
        else:
            assert name not in phi or phi[name].length > LONGEST


@given(bodies())
@settings(max_examples=40, deadline=None)
def test_every_one_is_in_the_language(rules: Bodies) -> None:
    for name in rules:
        text = written(rules)
        minimal = MinimalStrings(rules_of(text, name))
        shown = minimal.text(name)
        if shown:  # Lark's parser takes no empty text where a rule is nothing but empty
            Lark(text, start=name, parser="earley").parse(shown)
        assert (shown is None) == (name in minimal.barren)


def test_ties_are_broken_steadily() -> None:
    one, other = rules_of('start: "b" | "a"\n'), rules_of('start: "a" | "b"\n')
    assert MinimalStrings(one).text("start") == MinimalStrings(other).text("start") == "a"


def test_tokens_that_would_be_read_as_others_are_kept_apart() -> None:
    words = language('start: "int" NAME ";" "+" "++"\nNAME: /[a-z]+/\n%ignore " "\n')
    assert words.minimal.text("start") == "int a;+ ++"
    assert words.read(b"int a;+ ++").root is not None


def test_a_name_is_no_key_word() -> None:
    assert MinimalStrings(rules_of('start: "a" NAME\nNAME: /[a-c]/\n')).text("start") == "ab"


def test_what_derives_nothing_is_named() -> None:
    assert MinimalStrings(rules_of('start: "a" | loop\nloop: "b" loop\n')).barren == ["loop"]


@pytest.mark.parametrize(
    ("regex", "text"),
    [
        ("a{3,}", "aaa"), ("(ab|c)d?", "c"), ("[^a-z0-9]", "A"), (r"(?i:select)", "select"), (r"\w(?!x)", "a"),
        (r"(?=b)\w", "b"), (r'"(?:[^"\\]|\\.)*"', '""'), (r"/\*(.|\n)*?\*/", "/**/"), (r"[Ѐ-ӿ]+", "Ѐ"),
        (r"(a|b)\1", "aa"), ("(?s:.)", "a"), (r"0[xX][0-9a-fA-F]+", "0xa"), ("[0-9]+", "1"), (r"\s+", " "),
    ],
)  # fmt: skip
def test_shortest_texts_of_regular_expressions(regex: str, text: str) -> None:
    assert shortest(regex) == text


def test_an_expression_that_nothing_fits_has_none() -> None:
    assert shortest("(?!)") is None


pieces = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "[^a]", "."]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "*?"])).map(
            lambda two: f"(?:{two[0]}){two[1]}"
        ),
    ),
    max_leaves=6,
)


@given(pieces)
@settings(max_examples=60, deadline=None)
def test_no_shorter_text_is_taken(regex: str) -> None:
    found = next(taken(regex))
    assert re.fullmatch(regex, found)
    shorter = ("".join(word) for size in range(min(len(found), 5)) for word in product("ab", repeat=size))
    assert not any(re.fullmatch(regex, word) for word in shorter)
