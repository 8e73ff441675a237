from __future__ import annotations

import pytest

from tests.domains.grammar.reading import accepts, antlr, kinds, parser

LEXER = """lexer grammar L;
IF : 'if' ;
ID : [a-z]+ ;
OPEN : '"' -> pushMode(STR) ;
END : '}' -> popMode ;
WS : [ \\n]+ -> channel(HIDDEN) ;
mode STR;
TEXT : ~["$]+ ;
IN : '${' -> pushMode(DEFAULT_MODE) ;
CLOSE : '"' -> popMode ;
"""
PARSER = """parser grammar T;
options { tokenVocab=L; }
s : e EOF ;
e : IF | ID | OPEN (TEXT | IN e END)* CLOSE ;
"""


def test_the_longest_match_then_the_first_rule() -> None:
    found = antlr("grammar T; s : (IF|ID|INT|HEX|'<'|'<=')* ; IF:'if'; ID:[a-z]+; INT: '0' | [1-9]+ | '0x' [0-9a-f]+;"
                  "HEX : 'hex' [0-9]+; WS: ' ' -> skip;")  # fmt: skip
    assert kinds(found, "if iff 0x1f <= < hex1") == [
        ("IF", "if"), ("ID", "iff"), ("INT", "0x1f"), ("'<='", "<="), ("'<'", "<"), ("HEX", "hex1"),
    ]  # fmt: skip


def test_literals_of_the_parser_come_first_and_meet_the_lexers() -> None:
    found = antlr("grammar T; s : 'if' ID '+' ; ID : [a-z]+ ; PLUS : '+' ; WS : ' ' -> skip ;")
    assert kinds(found, "if a +") == [("'if'", "if"), ("ID", "a"), ("PLUS", "+")]
    assert accepts(parser(found), "if a+")


def test_split_grammars_and_modes() -> None:
    found = antlr(PARSER, L=LEXER)
    lark = parser(found)
    for text in ('"a${ "b${if}" }c"', "x", '""'):
        assert accepts(lark, text)
    for text in ('"a${ "b" c"', "}", '"'):
        assert not accepts(lark, text)
    assert kinds(found, '"if ${if}')[:3] == [("OPEN", '"'), ("TEXT", "if "), ("IN", "${")]


def test_a_mode_that_collects_a_token_becomes_one_pattern() -> None:
    found = antlr("""grammar T; s : STRING+ ;
        LQ : '"' -> more, pushMode(STR) ;
        WS : [ ]+ -> skip ;
        mode STR;
        ESC : '\\\\' . -> more ;
        STRING : '"' -> popMode ;
        REST : . -> more ;
    """)
    assert found.lexing
    assert list(found.lexing.modes) == [""]
    assert kinds(found, r'"a\"b" "c"') == [("STRING", r'"a\"b"'), ("STRING", '"c"')]
    assert 'STRING: /"' in found.lark


def test_key_words_are_names_where_no_key_word_can_stand() -> None:
    found = antlr("grammar T; options : mode | catch=throws ; mode : 'x' parser? ; throws : 'y' ; parser : 'z' ;")
    assert [text for text in ("x", "xz", "y", "z") if accepts(parser(found), text)] == ["x", "xz", "y"]


def test_imports() -> None:
    found = antlr(
        "grammar T; import Common; s : name+ ; A : 'aa' ;", Common="grammar Common; name : A | B ; A : 'a' ; B : 'b' ;"
    )
    assert accepts(parser(found), "aab")
    assert not accepts(parser(found), "ab")


def test_what_is_ignored_is_told_with_rule_and_line() -> None:
    found = antlr("""grammar T;
        @parser::members { int n = '}'; }
        options { language = Java; superClass = Base; }
        s[int a, String b] returns [int c = f("]")] locals [int d] @init { x(); } : {n > 0}? x=A y+=B {act();}
          | <assoc=right> A A # twice
          ;
        catch [RecognitionException e] { throw e; } finally { done(); }
        A : 'a' { text(); } ; B : 'b' ;
    """)
    assert [warning.replace("  ", " ") for warning in found.warnings] == [
        "T.g4:3: the methods of Base are not known here",
        "T.g4:4: rule s: a predicate is ignored",
        "T.g4:4: rule s: an action is ignored",
        "T.g4:8: rule A: an action is ignored",
    ]
    assert accepts(parser(found), "ab")
    assert accepts(parser(found), "aa")


@pytest.mark.parametrize(
    ("body", "good", "bad"),
    [
        ("[a-c\\]\\-]+", ["a]-b"], ["d"]),
        ("~[ab]", ["c", "\n", "é"], ["a"]),
        ("~('a'|'b'|[c-d])", ["e"], ["a", "d"]),
        ("~(B|C)+", ["x"], ["b", "c", "d"]),
        ("'a'..'f'", ["c"], ["g"]),
        ("[\\p{Lu}] [\\p{L}\\p{Nd}_]*", ["Éa1"], ["a", "É-"]),
        ("[\\P{L}]", ["1"], ["a"]),
        ("'\\u0041' '\\u{1F600}' '\\n'", ["A😀\n"], ["A"]),
        ("'/*' .*? '*/'", ["/* a */"], ["/* */ */"]),
        ("'\"' ('\\\\' . | ~[\"\\\\])* '\"'", ['"a\\"b"'], ['"a"b"']),
        ("'a' ('b' | 'bc') 'd'?", ["ab", "abcd", "abd"], ["ad"]),
        ("('a' | 'ab')+", ["aab", "abab"], ["b"]),
        ("'x' | 'x' 'y' EOF", ["x", "xy"], ["y"]),
        ("'a'? [b]* | 'c'*?", ["a", "abb", "b", "c"], ["", "ac"]),
        ("'a'? 'b'*? 'c'+", ["c", "abbc"], ["ab"]),
        ("[/\\\\\"']", ["/", "\\", '"', "'"], ["a"]),
        ("'(*' (A | ~[*])* '*)'", ["(* a *)", "(* (* *) *)"], ["(* (* *)"]),
    ],
)
def test_tokens(body: str, good: list[str], bad: list[str]) -> None:
    lark = parser(antlr(f"grammar T; s : A ; A : {body} ; fragment B : 'b' | C ; fragment C : [cd] ;"))
    assert [text for text in good if not accepts(lark, text)] == []
    assert [text for text in bad if accepts(lark, text)] == []


def test_case_insensitive_grammars() -> None:
    found = antlr(
        "grammar T; options { caseInsensitive = true; } s : 'select' ID ; ID : [a-f] [a-z]* ; WS : ' ' -> skip ;"
    )
    assert accepts(parser(found), "SeLECT Frobnicate")
    assert '"select"i' in found.lark


def test_any_token_and_any_but() -> None:
    lark = parser(antlr("grammar T; s : A . ~(A|B) ~'b' ; A : 'a' ; B : 'b' ; C : 'c' ; WS : ' ' -> skip ;"))
    assert accepts(lark, "a b c a")
    assert not accepts(lark, "a b b a")
    assert not accepts(lark, "a b c b")


def test_nested_comments_are_followed_some_levels_deep() -> None:
    found = antlr("grammar T; s : A ; A : 'a' ; C : '/*' (C | .)*? '*/' -> skip ;")
    assert found.warnings == ("T.g4:1: C holds itself; followed a few levels deep only",)
    assert accepts(parser(found), "/* x /* y */ z */a")


@pytest.mark.parametrize(
    ("rules", "start"),
    [
        ("e : e '+' e | 'x' ; prog : e EOF ;", "prog"),
        ("helper : 'x' ; unused : 'y' ; file : helper EOF ;", "file"),
        ("a : b ; b : 'x' ;", "a"),
        ("a : b ; b : a | 'x' ;", "a"),
    ],
)
def test_the_rule_to_begin_with(rules: str, start: str) -> None:
    assert antlr(f"grammar T; {rules}").start == start


def test_many_optional_parts_do_not_explode() -> None:
    """Lark writes n optional parts out as 2^n alternatives; helpers keep them few."""
    parts = " ".join(f"('{letter}' | '{letter.upper()}' x)?" for letter in "abcdefghijklmnopqrst")
    found = antlr(f"grammar T; s : {parts} ; x : '1' ;")
    lark = parser(found)
    assert len(lark.rules) < 1000
    assert accepts(lark, "bcD1t")
    assert not accepts(lark, "ba")


def test_names_keep_apart() -> None:
    found = antlr("grammar T; aB : a_b 'a' 'A' AB a_B ; a_b : 'x' ; a_B : 'y' ; AB : 'z' ; A_B : 'w' ;")
    assert accepts(parser(found), "xaAzy")
    assert {user: mine for mine, user in found.names.items()}["aB"] == "a_b"
    assert found.lines["a_b"] == 1
    assert len({mine.lower() if mine.islower() else mine for mine in found.names}) == len(found.names)
