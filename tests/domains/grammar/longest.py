"""The lexer of ANTLR and Lex for Lark's parsers: the longest match wins, then the first rule; modes on a stack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lark.exceptions import UnexpectedCharacters
from lark.lexer import Lexer, Token

from wynot.domains.grammar.grammar_model import Lexing, Match


@dataclass(frozen=True, slots=True)
class _Try:
    match: Match
    compiled: re.Pattern[str]

    def may_begin(self, char: str) -> bool:
        code = ord(char)
        return not self.match.begins or any(low <= code <= high for low, high in self.match.begins)


class _Cutter:
    """Cuts one text after the other; what may begin with a character is looked up once."""

    def __init__(self, lexing: Lexing) -> None:
        self.start = lexing.start
        self.modes = {
            mode: [_Try(match, re.compile(match.pattern)) for match in matches]
            for mode, matches in lexing.modes.items()
        }
        self.known: dict[tuple[str, str], list[_Try]] = {}

    def longest(self, mode: str, text: str, at: int) -> tuple[Match | None, int]:
        key = mode, text[at]
        if key not in self.known:
            self.known[key] = [one for one in self.modes[mode] if one.may_begin(text[at])]
        best, end = None, at
        for one in self.known[key]:
            found = one.compiled.match(text, at)
            if found and found.end() > end:
                best, end = one.match, found.end()
        return best, end

    def cut(self, text: str) -> Iterator[Token]:
        at = begun = 0
        line, line_at = 1, 0
        modes = [self.start]
        while at < len(text):
            match, end = self.longest(modes[-1], text, at)
            if match is None:
                raise _unexpected(text, at, line, at - line_at + 1)
            _move(modes, match)
            at = end
            if match.more and end < len(text):
                continue
            first_line, column = line, begun - line_at + 1
            newlines = text.count("\n", begun, end)
            if newlines:
                line, line_at = line + newlines, text.rindex("\n", begun, end) + 1
            if match.more:
                raise _unexpected(text, begun, first_line, column)
            if not match.skip:
                value = text[begun:end]
                yield Token(match.terminal, value, begun, first_line, column, line, end - line_at + 1, end)
            begun = end


def _unexpected(text: str, at: int, line: int, column: int) -> UnexpectedCharacters:
    return UnexpectedCharacters(text, at, line, column)  # type: ignore[no-untyped-call]


def _move(modes: list[str], match: Match) -> None:
    for what, mode in match.moves:
        if what == "push":
            modes.append(mode)
        elif what == "mode":
            modes[-1] = mode
        elif len(modes) > 1:
            modes.pop()


def lexer_of(lexing: Lexing) -> type[Lexer]:
    """Gives the class to hand to Lark as `lexer`."""
    cutter = _Cutter(lexing)

    class Longest(Lexer):
        def __init__(self, _conf: object) -> None:
            pass

        def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
            return cutter.cut(text)

    return Longest


def tokens(lexing: Lexing, text: str) -> list[Token]:
    """The tokens of a text."""
    return list(_Cutter(lexing).cut(text))
