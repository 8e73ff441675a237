"""Reads texts with Lark itself, by a grammar that was converted."""

from __future__ import annotations

from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput

from tests.domains.grammar.longest import lexer_of, tokens
from wynot.domains.grammar.grammar_model import patterns_as_written
from wynot.domains.grammar.readers.read_grammar import ConvertedGrammar, read_grammar


def parser(converted: ConvertedGrammar, kind: str = "earley") -> Lark:
    """Lark's parser; its lexer is the one that the grammar asks for."""
    options: dict[str, Any] = {"lexer": lexer_of(converted.lexing)} if converted.lexing else {"lexer": "basic"}
    with patterns_as_written():
        return Lark(converted.lark, start=converted.start, parser=kind, keep_all_tokens=True, **options)


def accepts(lark: Lark, text: str) -> bool:
    """Whether the text is in the language."""
    try:
        lark.parse(text)
    except UnexpectedInput:
        return False
    return True


def kinds(converted: ConvertedGrammar, text: str) -> list[tuple[str, str]]:
    """The tokens of a text: what they are called in the user's file, and their texts."""
    assert converted.lexing is not None
    return [(converted.names[token.type], str(token)) for token in tokens(converted.lexing, text)]


def antlr(text: str, start: str | None = None, **beside: str) -> ConvertedGrammar:
    """A grammar of ANTLR's."""
    return read_grammar("T.g4", text, start=start, beside={f"{name}.g4": other for name, other in beside.items()})


def yacc(text: str, lex: str = "", tokens: str = "", start: str | None = None) -> ConvertedGrammar:
    """A grammar of YACC's."""
    beside = {name: other for name, other in (("t.l", lex), ("t.tokens", tokens)) if other}
    return read_grammar("t.y", text, start=start, beside=beside)
