"""Read a grammar in any notation that is supported: Lark's own, YACC's and Bison's, ANTLR's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from lark import Lark
from lark.exceptions import LarkError

from wynot.domains.grammar.grammar_model import ConvertedGrammar, GrammarError, patterns_as_written
from wynot.domains.grammar.readers.antlr import read_antlr
from wynot.domains.grammar.readers.yacc import read_yacc

_DEFINED = re.compile(r"^[ \t]*[!?]{0,2}(?P<name>_*[A-Za-z]\w*)(?:\{[^}\n]*\})?(?:\.-?\d+)?[ \t]*:", re.MULTILINE)

_FAULTS = LarkError, re.error, ValueError, SyntaxError, AssertionError, OSError
"""What Lark raises where a grammar is at fault; files cannot be imported."""


def read_lark(file: str, text: str, *, start: str | None) -> ConvertedGrammar:
    """Gives the grammar; begins with the rule `start`, else with the first, where nothing else is asked for."""
    lines: dict[str, int] = {}
    for found in _DEFINED.finditer(text):
        lines.setdefault(found["name"], text.count("\n", 0, found.start("name")) + 1)
    rules = [name for name in lines if name.islower()]
    if not rules:
        raise GrammarError(f"{file}:1: there are no rules")
    begin = start or ("start" if "start" in lines else rules[0])
    if begin not in rules:
        raise GrammarError(f"{file}:1: there is no rule {begin} to start with; there are {', '.join(rules[:8])}")
    try:
        Lark(text, start=begin, parser=None, lexer="basic")
    except _FAULTS as error:
        raise GrammarError(f"{file}: {_one_line(error)}") from None
    return ConvertedGrammar(text, begin, {name: name for name in lines}, lines)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


__all__ = ["ConvertedGrammar", "GrammarError", "read_grammar"]

YACC = {".y", ".yy", ".ypp", ".yxx", ".y++", ".yacc"}
NOTHING: Mapping[str, str] = MappingProxyType({})


def read_grammar(
    path_name: str, text: str, *, start: str | None = None, beside: Mapping[str, str] = NOTHING
) -> ConvertedGrammar:
    """Gives the grammar in `text`, read as its file's suffix says: .lark, .y (.yy, .ypp, .yxx), .g4.

    `beside` holds the texts of other files by name: a .l file or a tokens file for YACC, the lexer grammar and the
    imported grammars for ANTLR.
    """
    try:
        with patterns_as_written():
            return _read(path_name, _plain(text), start, {name: _plain(other) for name, other in beside.items()})
    except RecursionError:
        raise GrammarError(f"{path_name}: this is nested too deeply") from None


def _plain(text: str) -> str:
    """The text with one kind of line end, without the mark of byte order."""
    return text.removeprefix("\ufeff").removeprefix("ï»¿").replace("\r\n", "\n").replace("\r", "\n")


def _read(path_name: str, text: str, start: str | None, beside: Mapping[str, str]) -> ConvertedGrammar:
    suffix = PurePosixPath(path_name).suffix.lower()
    if suffix == ".g4":
        return read_antlr(path_name, text, start=start, beside=beside)
    if suffix in YACC:
        return read_yacc(path_name, text, start=start, beside=beside)
    if suffix == ".lark":
        return read_lark(path_name, text, start=start)
    raise GrammarError(f"{path_name}: no grammar is known by the suffix {suffix!r}; known are .lark, .y, .g4")
