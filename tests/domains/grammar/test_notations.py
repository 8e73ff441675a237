"""The same grammar in three notations is the same language."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domains.grammar.reading import accepts, parser
from wynot.domains.grammar.readers.read_grammar import GrammarError, read_grammar

DATA = Path(__file__).parent / "data"
RULES, SIGNS = ["ra", "rb", "rc"], "xyz"
SYMBOL = st.sampled_from([*RULES, *SIGNS])
GRAMMARS = st.lists(st.lists(st.lists(SYMBOL, max_size=3), min_size=1, max_size=3), min_size=3, max_size=3)
TEXTS = ["".join(some) for size in range(4) for some in product(SIGNS, repeat=size)]


def in_lark(rules: list[list[list[str]]]) -> str:
    def row(some: list[str]) -> str:
        return " ".join(one if one in RULES else f'"{one}"' for one in some)

    unique = [list(dict.fromkeys(map(row, some))) for some in rules]
    return "\n".join(f"{name}: {' | '.join(some)}" for name, some in zip(RULES, unique, strict=True)) + "\n"


def in_yacc(rules: list[list[list[str]]]) -> str:
    def row(some: list[str]) -> str:
        return " { act('}'); } ".join(one if one in RULES else f"'{one}'" for one in some) or "%empty"

    body = "\n".join(f"{name}: {' | '.join(map(row, some))} ;" for name, some in zip(RULES, rules, strict=True))
    return f"%start ra\n%%\n{body}\n"


def in_antlr(rules: list[list[list[str]]]) -> str:
    def row(some: list[str]) -> str:
        return " ".join(f"l{at}={one}" if one in RULES else f"'{one}'" for at, one in enumerate(some))

    body = "\n".join(f"{name} : {' | '.join(map(row, some))} ;" for name, some in zip(RULES, rules, strict=True))
    return f"grammar T;\n{body}\n"


@given(GRAMMARS)
@settings(max_examples=25, deadline=None)
def test_random_grammars_accept_the_same(rules: list[list[list[str]]]) -> None:
    texts = {"t.lark": in_lark(rules), "t.y": in_yacc(rules), "T.g4": in_antlr(rules)}
    grammars = [parser(read_grammar(name, text, start="ra")) for name, text in texts.items()]
    for text in TEXTS:
        assert len({accepts(grammar, text) for grammar in grammars}) == 1, text


def bodies() -> st.SearchStrategy[str]:
    """The body of a rule in the signs that ANTLR and regular expressions share, but for the quotes."""
    return st.recursive(
        st.sampled_from(["'x'", "'y'", "'z'"]),
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=4).map(" ".join),
            st.lists(inner, min_size=2, max_size=3).map(lambda some: f"({' | '.join(some)})"),
            st.tuples(inner, st.sampled_from("?*+")).map(lambda pair: f"({pair[0]}){pair[1]}"),
        ),
        max_leaves=8,
    )


@pytest.mark.parametrize("expanded", [2, 32])
@given(body=bodies())
@settings(max_examples=40, deadline=None)
def test_repetitions_and_choices_mean_what_they_say(expanded: int, body: str) -> None:
    """Whether or not helpers are made for parts of it."""
    with patch("wynot.domains.grammar.lark_writer.EXPANDED", expanded):
        grammar = parser(read_grammar("T.g4", f"grammar T; s : {body} ; t : 'x' 'y' 'z' ;", start="s"))
    regex = re.compile(body.replace("'", "").replace(" ", ""))
    for text in TEXTS:
        assert accepts(grammar, text) == bool(regex.fullmatch(text)), text


@pytest.mark.parametrize("kind", ["lalr", "earley"])
@pytest.mark.parametrize("suffix", ["lark", "y", "g4"])
def test_arithmetic(suffix: str, kind: str) -> None:
    name = f"arithmetic.{suffix}"
    grammar = parser(read_grammar(name, (DATA / name).read_text()), kind)
    for text in ("1", "((1+(2*3))/(2-2))+(3*5)", " 1 +\t2\n", "12*3"):
        assert accepts(grammar, text)
    for text in ("", "1+", "(1", "01", "1 1", "a"):
        assert not accepts(grammar, text)


@pytest.mark.parametrize("suffix", ["lark", "y", "g4"])
def test_line_ends_and_byte_order_marks_make_no_difference(suffix: str) -> None:
    name = f"arithmetic.{suffix}"
    text = (DATA / name).read_text()
    plain = read_grammar(name, text)
    assert read_grammar(name, "\ufeff" + text.replace("\n", "\r\n")) == plain
    assert read_grammar(name, (b"\xef\xbb\xbf" + text.encode()).decode("latin-1")) == plain


@pytest.mark.parametrize("suffix", ["lark", "y", "g4"])
def test_unknown_start(suffix: str) -> None:
    name = f"arithmetic.{suffix}"
    with pytest.raises(GrammarError, match=r"arithmetic\.\w+:1: there is no rule nope to start with; there are [eE]$"):
        read_grammar(name, (DATA / name).read_text(), start="nope")


def test_unknown_suffix() -> None:
    with pytest.raises(GrammarError, match=r"x\.bnf: no grammar is known by the suffix '\.bnf'"):
        read_grammar("x.bnf", "")


@pytest.mark.parametrize("path", sorted((DATA / "golden").glob("*.lark")), ids=lambda path: path.stem)
def test_golden_conversions(path: Path) -> None:
    """NAME.lark is what NAME.y or NAME.g4 becomes, with all that lies beside; warnings stand there as comments."""
    files = {one.name: one.read_text() for one in path.parent.glob(f"{path.stem}*") if one != path}
    main = next(name for name in (f"{path.stem}.y", f"{path.stem}.g4") if name in files)
    found = read_grammar(main, files.pop(main), beside=files)
    warnings = "".join(f"// {warning}\n" for warning in found.warnings)
    assert f"{warnings}// start: {found.start}\n{found.lark}" == path.read_text()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.y", "%%\na: b ;\n", r"t\.y:2: rule a: b is not defined"),
        ("t.y", "%token A\n%%\na: A { if (x) { ;\n", r"t\.y:3: this action has no end"),
        ("t.y", "%token A\n", r"t\.y:2: there is no %% before the rules"),
        ("t.y", "%%\n", r"t\.y:1: there are no rules"),
        ("t.y", "%token A\n%%\na ::= A.\n", r"t\.y:3: a: this is Lemon's notation"),
        ("t.y", "%%\na: ( 'x' ) ;\n", r"t\.y:2: rule a: '\(' cannot stand here"),
        ("T.g4", "grammar T;\na : b ;\n", r"T\.g4:2: rule a: b is not defined"),
        ("T.g4", "grammar T;\na : 'x' {", r"T\.g4:2: this action has no end"),
        ("T.g4", "grammar T;\na : 'x' \n", r"T\.g4:3: rule a: expected ';', found 'the end of the file'"),
        ("T.g4", "lexer grammar T;\nA : 'x' ;", r"T\.g4:1: there are no rules of a parser"),
        ("T.g4", "parser grammar T;\noptions { tokenVocab=L; }\na : A ;", r"T\.g4:2: this grammar needs L\.g4"),
        ("T.g4", "grammar T;\na : A ;\nA : B ;\n", r"T\.g4:3: B is not defined"),
        ("T.g4", "grammar T;\na : A ;\nA : 'x' A ;\n", r"T\.g4:3: A holds itself, without an end"),
        (
            "T.g4",
            "grammar T;\na : A ;\nA : [\\p{Script=Klingon}] ;\n",
            r"T\.g4:3: A: the characters of .* are not known",
        ),
        ("T.g4", "grammar T;\na : A ;\nA : ~'ab' ;\n", r"T\.g4:3: rule A: only characters can stand behind ~"),
        ("T.g4", "grammar T;\na : A ;\nA : 'a' -> fly ;\n", r"T\.g4:3: rule A: the command 'fly' is not known"),
        ("T.g4", "grammar T;\na : A ;\nA : 'a' -> mode(M) ;\n", r"T\.g4:3: A: there is no mode M"),
        ("T.g4", "just words", r"T\.g4:1: expected 'grammar', found 'just'"),
        ("T.g4", "grammar T;\na b : 'x' ;\n", r"T\.g4:2: rule a: expected ':', found 'b'"),
        ("T.g4", "grammar T;\na : ( 'x' | 'y' ;\n", r"T\.g4:2: rule a: expected '\)', found ';'"),
        ("T.g4", "grammar T;\na : 'x' 'y'..'z' ;\n", r"T\.g4:2: rule a: '\.\.' cannot stand here"),
        ("T.g4", "grammar T;\na : 'x' [xyz] ;\n", r"T\.g4:2: rule a: '\[xyz\]' cannot stand here"),
        ("T.g4", "grammar T;\na : 'x' <assoc=right ;\n", r"T\.g4:3: rule a: expected '>', found 'the end of the file'"),
        ("T.g4", "grammar T;\na : A ;\nA : ('x' -> skip) ;\n", r"T\.g4:3: rule A: expected '\)', found '->'"),
        ("T.g4", "grammar T;\na : 'x' ; 'y'\n", r"T\.g4:2: expected a name, found \"'y'\""),
        ("T.g4", "grammar T;\n@header x\n", r"T\.g4:2: expected an action, found 'x'"),
        ("T.g4", "grammar T;\na : 'x' % ;\n", r"T\.g4:2: this is not ANTLR: '% ;'"),
        ("t.y", "%token A\na : A ;\n%%\n", r"t\.y:2: the rule a stands before any %%"),
        ("t.y", "%%\na: 'x' ;\nb 'y' ;\n", r"t\.y:3: expected a rule, found 'b'"),
        ("t.y", "%%\na: 'x' ` ;\n", r"t\.y:2: this is not YACC: '` ;'"),
        ("t.lark", "a: b\n", r"t\.lark: .*b.*"),
        ("t.lark", "a: (\n", r"t\.lark: "),
        ("t.lark", "A: /x/\n", r"t\.lark:1: there are no rules"),
    ],
)
def test_what_cannot_be_converted_is_refused_with_its_line(name: str, text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        read_grammar(name, text)
