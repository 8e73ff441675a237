from __future__ import annotations

import pytest

from tests.domains.grammar.reading import kinds, yacc
from wynot.domains.grammar.readers.read_grammar import GrammarError

GRAMMAR = "%token A B C\n%%\ns: A B C '+';\n"


def test_the_longest_line_wins_then_the_first() -> None:
    tokens = 'A if\nB [a-z]+\nC : "->" "->"\n\'+\' \\+\nSKIP : /\\/\\*.*?\\*\\//s\nSKIP  \\s\n# end\n'
    found = yacc(GRAMMAR, tokens=tokens)
    assert kinds(found, "if iff -> /* a\n */+") == [("A", "if"), ("B", "iff"), ("C", "->"), ("'+'", "+")]
    assert found.minimal == {"C": "->"}
    assert found.lines["B"] == 2


def test_flags_and_texts() -> None:
    found = yacc(GRAMMAR, tokens='A : /[a-z]+/i "q"\nB : "END"i\nC (?i)xy1\n')
    assert [kind for kind, _text in kinds(found, "Ab")] == ["A"]
    assert [kind for kind, _text in kinds(found, "XY1")] == ["C"]
    assert found.minimal == {"A": "q"}


def test_the_sections_of_the_thesis_may_stand_there() -> None:
    found = yacc(GRAMMAR, tokens="A : [|a+|] [|a|];\nB : [|b|c|];\nC : [|[|]]|];\n")
    assert [kind for kind, _text in kinds(found, "aabc")] == ["A", "B", "B"]
    assert found.minimal == {"A": "a"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A [a-z", r"t\.tokens:1: this is no regular expression: '\[a-z'"),
        ("A x*", r"t\.tokens:1: a token cannot be empty"),
        ("A", r"t\.tokens:1: this is no token and its regular expression: 'A'"),
        ("A : /x", r"t\.tokens:1: this is no regular expression between slashes"),
        ("= x", r"t\.tokens:1: this is no token"),
        ("\n\nA : [|x|]", r"t\.tokens:3: this is no token and its regular expression"),
        ("A : [|x(|];", r"t\.tokens:1: this is no regular expression of Lex"),
    ],
)
def test_what_is_no_token_is_refused_with_its_line(line: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        yacc(GRAMMAR, tokens=line)
