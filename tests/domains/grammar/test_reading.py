"""The parser: it reads what Lark reads, whatever the grammar; a text that was read before only where it differs."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import GrammarError as LarkGrammarError
from lark.exceptions import UnexpectedInput

from tests.domains.grammar.grammars import PROGRAM, SIGNS, STATEMENTS, Bodies, bodies, language, rules_of, written
from wynot.domains.grammar.glr import ParseNode
from wynot.domains.grammar.tokenizer import Modes, NextToken, Tokenizer, TokenReader
from wynot.domains.grammar.tree_builder import Reparser


def held(node: ParseNode) -> list[int]:
    """The tokens of a tree, from left to right."""
    found: list[int] = []
    waiting: list[ParseNode | int] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, int):
            found.append(each)
        else:
            waiting.extend(reversed(each.children))
    return found


@given(bodies(empty=False), st.lists(st.text(SIGNS, min_size=1, max_size=5), max_size=6))
@settings(max_examples=40, deadline=None)
def test_reads_what_lark_reads(rules: Bodies, texts: list[str]) -> None:
    reader = TokenReader(rules_of(written(rules), "p"))
    earley = Lark(written(rules), start="p", parser="earley", lexer="basic")
    for text in texts:
        try:
            earley.parse(text)
        except UnexpectedInput:
            expected = False
        else:
            expected = True
        reading = reader.read(text)
        assert (reading.root is not None) == expected, text
        if reading.root is not None:
            assert held(reading.root) == list(range(len(text)))


@given(bodies(), st.text(SIGNS, max_size=5))
@settings(max_examples=40, deadline=None)
def test_empty_productions_do_no_harm(rules: Bodies, text: str) -> None:
    """Lark's Earley and ours agree, hidden recursion and cycles or not."""
    reader = TokenReader(rules_of(written(rules), "p"))
    try:
        earley = Lark(written(rules), start="p", parser="earley", lexer="basic")
    except LarkGrammarError:
        assume(False)
    try:
        earley.parse(text)
    except UnexpectedInput:
        assert reader.read(text).root is None
    else:
        assert reader.read(text).root is not None


READER = TokenReader(rules_of(STATEMENTS))
SPOILERS = ("", " ", "(", ")", ";", "x", "+ 1", "if", "else", "{ }", "# \n", "\n", ",")


@given(st.integers(0, len(PROGRAM)), st.integers(0, 30), st.sampled_from(SPOILERS))
@settings(max_examples=120, deadline=None)
def test_reading_again_says_what_reading_says(start: int, size: int, text: str) -> None:
    program = PROGRAM.decode()
    again = Reparser(READER, READER.read(program))
    changed = program[:start] + text + program[start + size :]
    assert again(changed) == (READER.read(changed).root is not None)


class Counted:
    """A lexer that counts its tokens."""

    def __init__(self, cut: Tokenizer) -> None:
        self.modes, self.cuts, self._cut = cut.modes, 0, cut

    def __call__(self, text: str, at: int, modes: Modes, accepts: frozenset[str] | None) -> NextToken | None:
        self.cuts += 1
        return self._cut(text, at, modes, accepts)


def test_a_text_is_read_again_only_where_it_differs() -> None:
    reader = TokenReader(rules_of(STATEMENTS))
    program = PROGRAM.decode() * 100
    again = Reparser(reader, reader.read(program))
    counted = reader.cut = Counted(reader.cut)
    middle = program.index("two + 1", len(program) // 2)
    assert again(program[:middle] + "two" + program[middle + 7 :])
    assert not again(program[:middle] + "two +" + program[middle + 7 :])
    assert counted.cuts < 60


def test_where_a_text_stops_and_what_might_have_come() -> None:
    stop = TokenReader(rules_of(STATEMENTS)).read("var one, ;").stop
    assert stop is not None
    assert (stop.at, stop.expected) == (9, ("NAME",))


@pytest.mark.parametrize("grammar", ['start: "(" start ")" | "x"\n', 'start: "(" start | "x" ")"\n| start ")"\n'])
def test_deep_texts(grammar: str) -> None:
    deep = b"(" * 5_000 + b"x" + b")" * 5_000
    tree = language(grammar).parse(deep)
    assert len(tree) > 1


def test_long_sums_are_read_in_one_go() -> None:
    """An ambiguous grammar of expressions costs no more than any other."""
    sums = language('e: e "*" e | e "+" e | "(" e ")" | N\nN: /[0-9]+/\n', "e")
    assert sums.reader.tables.conflicts == ()
    assert len(sums.read(b"1+2*3+" * 1000 + b"4").terminals) == 6001


def test_equals_bind_to_the_left_and_earlier_alternatives_tighter() -> None:
    reader = TokenReader(rules_of('e: e "*" e | e "-" e | N\nN: /[0-9]+/\n', "e"))
    root = reader.read("1-2*3-4").root
    assert root is not None
    first, _, last = root.children
    assert isinstance(first, ParseNode)
    assert isinstance(last, ParseNode)
    assert (first.start, first.end, last.start) == (0, 5, 6)
