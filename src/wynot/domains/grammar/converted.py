"""Grammars that users bring, as Lark reads them: Lark's own, YACC's and Bison's, ANTLR's.

With `converted.lexing` set, tokens are cut as it says; without it, as Lark's own lexers do. Rules named with a first
underscore are helpers, which Lark inlines.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from wynot.domains.grammar.antlr import read_antlr
from wynot.domains.grammar.larkfile import read_lark
from wynot.domains.grammar.model import Converted, GrammarError
from wynot.domains.grammar.yacc import read_yacc

__all__ = ["Converted", "GrammarError", "read_grammar"]

YACC = {".y", ".yy", ".ypp", ".yxx", ".y++", ".yacc"}
NOTHING: Mapping[str, str] = MappingProxyType({})


def read_grammar(
    path_name: str, text: str, *, start: str | None = None, beside: Mapping[str, str] = NOTHING
) -> Converted:
    """Gives the grammar in `text`, read as its file's suffix says: .lark, .y (.yy, .ypp, .yxx), .g4.

    `beside` holds the texts of other files by name: a .l file or a tokens file for YACC, the lexer grammar and the
    imported grammars for ANTLR.
    """
    try:
        return _read(path_name, text, start, beside)
    except RecursionError:
        raise GrammarError(f"{path_name}: this is nested too deeply") from None


def _read(path_name: str, text: str, start: str | None, beside: Mapping[str, str]) -> Converted:
    suffix = PurePosixPath(path_name).suffix.lower()
    if suffix == ".g4":
        return read_antlr(path_name, text, start=start, beside=beside)
    if suffix in YACC:
        return read_yacc(path_name, text, start=start, beside=beside)
    if suffix == ".lark":
        return read_lark(path_name, text, start=start)
    raise GrammarError(f"{path_name}: no grammar is known by the suffix {suffix!r}; known are .lark, .y, .g4")
