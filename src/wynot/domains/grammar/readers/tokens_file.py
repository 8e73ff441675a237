r"""Tokens that the user writes down: a tokens file, or the lexical section of the thesis (chapter 7).

A tokens file has one token a line; the longest match wins, then the first line:

    # a comment
    NUMBER  [0-9]+                    Python's regular expression, to the end of the line
    NAME    : /[a-z]\w*/i "x"         with flags, and the minimal string to put in its place
    WHILE   : "while"                 these very characters
    '+'     \+                        a literal of the grammar
    SKIP    \s+|//.*                  white space and comments; may stand there several times

The lexical section has Lex's regular expressions, and perhaps minimal strings:

    NUMBER : [|[0-9]+|] [|0|];
    SKIP : [|[ \t\n]+|];
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from wynot.domains.grammar.grammar_model import (
    Chars,
    GrammarDraft,
    GrammarError,
    LexerRule,
    Part,
    Ranges,
    Raw,
    Repeat,
    Text,
    both_cases,
    choice,
    others,
    quoted,
    ranges,
    row,
    without,
)
from wynot.domains.grammar.readers.character_sets import POSIX, CharacterSetError, characters, unescaped
from wynot.domains.grammar.readers.code_lexer import Node, tokens_of
from wynot.domains.grammar.token_patterns import regex

# Read Lex's regular expressions; lex_patterns.lark describes the notation.


_ASCII: dict[str, Ranges] = {
    "alpha": ((65, 90), (97, 122)),
    "digit": ((48, 57),),
    "alnum": ((48, 57), (65, 90), (97, 122)),
    "upper": ((65, 90),),
    "lower": ((97, 122),),
    "space": ((9, 13), (32, 32)),
    "blank": ((9, 9), (32, 32)),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "xdigit": ((48, 57), (65, 70), (97, 102)),
    "cntrl": ((0, 31), (127, 127)),
    "print": ((32, 126),),
    "graph": ((33, 126),),
}
_BEYOND = 0x80
"""A byte above stands for any character above: Lex reads bytes, and what is read here are characters."""
_DEEPEST = 50
"""Names in names; more of them never end."""
_COUNTS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_FIXED: dict[str, Part] = {
    "BEGIN": Raw("(?m:^)"),
    "END": Raw(r"(?=\n|\Z)"),
    "NO_LINE_END": Chars(others(((10, 10),))),
}


@cache
def _notation() -> Lark:
    return Lark.open("lex_patterns.lark", rel_to=__file__, parser="lalr", lexer="basic")


@dataclass(frozen=True, slots=True)
class LexPattern:
    """One expression; `definitions` are the names that may stand in it in braces."""

    draft: GrammarDraft
    line: int
    text: str
    definitions: Mapping[str, str]
    any_case: bool = False
    deep: int = 0

    def whole(self) -> Part:
        """The expression as a part of a token; refuses what is none."""
        try:
            tree = _notation().parse(self.text)
        except UnexpectedInput as error:
            at = error.pos_in_stream or 0
            ends = isinstance(error, UnexpectedToken) and error.token.type == "$END"
            raise self._fault(len(self.text) if ends or self.text[at : at + 1] == "[" else at) from None
        return row(self._parts(tree.children))

    def _fault(self, at: int) -> GrammarError:
        what = f"this is no regular expression of Lex: {self.text!r} (at {self.text[at:]!r})"
        return self.draft.fault(self.line, what)

    def _parts(self, nodes: Iterable[Node]) -> list[Part]:
        return [self.part(node) for node in nodes]

    def part(self, node: Node) -> Part:
        """What a part of the expression is."""
        match node:
            case Tree("choice", rows):
                return choice(self._parts(rows))
            case Tree("row", items):
                return row(self._parts(items))
            case Tree("repeated", [item, count]):
                return Repeat(self.part(item), *_counted(str(count)))
            case Tree("group", [sign, inner]):
                on, _, off = str(sign)[2:-1].partition("-")
                return replace(self, any_case=("i" in on or self.any_case) and "i" not in off).part(inner)
            case Tree("trailing", [inner]):
                return Raw(f"(?={regex(self.part(inner))})")
        return self._one(node) if isinstance(node, Token) else Chars(self._sets(tokens_of(node)))

    def _one(self, token: Token) -> Part:
        if token.type in _FIXED:
            return _FIXED[token.type]
        if token.type == "NAMED":
            return self._named(token)
        text = unescaped(token[1:-1] if token.type == "QUOTED" else token)
        return Text(text, self.any_case and text.lower() != text.upper())

    def _named(self, name: str) -> Part:
        if name[1:-1] not in self.definitions or self.deep > _DEEPEST:
            raise self.draft.fault(self.line, f"{name} is not defined")
        return replace(self, text=self.definitions[name[1:-1]], deep=self.deep + 1).whole()

    def _sets(self, tokens: Sequence[Token]) -> Ranges:
        """A set, perhaps without the characters of others ({-}) or with them ({+})."""
        some = self._set(tokens[0])
        for sign, token in zip(tokens[1::2], tokens[2::2], strict=True):
            other = self._set(token)
            some = without(some, other) if sign == "{-}" else ranges((*some, *other))
        return some

    def _set(self, token: Token) -> Ranges:
        begin = 2 if token.startswith("[^") else 1
        try:
            some = characters(token[begin:-1], POSIX, _ASCII.get)
        except CharacterSetError as error:
            raise self._fault((token.start_pos or 0) + begin + error.at) from None
        if any(high >= _BEYOND for _low, high in some):
            some = ranges((*some, (_BEYOND, 0x10FFFF)))
        some = both_cases(some) if self.any_case else some
        return others(some) if begin == 2 else some


def _counted(count: str) -> tuple[int, int | None]:
    if count in _COUNTS:
        return _COUNTS[count]
    least, comma, most = count[1:-1].partition(",")
    return int(least), int(most) if most else None if comma else int(least)


SKIP = "SKIP"
_NAMED = r"(?P<name>[^\W\d]\w*|'(?:[^'\\\n]|\\.)+')"
_LEXICAL = re.compile(
    rf"\s*(?:{_NAMED}\s*:\s*\[\|(?P<regex>.*?)\|\](?:\s*\[\|(?P<minimal>.*?)\|\])?\s*;|(?P<over>/\*.*?\*/|//[^\n]*|%%))",
    re.DOTALL,
)
_LINE = re.compile(rf"{_NAMED}(?:\s*:\s*(?P<mark>[/\"].*)|\s+(?P<regex>\S.*)|\s*:?\s*$)")
_MARKED = re.compile(
    r"(?:/(?P<regex>(?:[^/\\]|\\.)*)/(?P<flags>[imsx]*)|\"(?P<text>(?:[^\"\\]|\\.)*)\"(?P<any_case>i?))"
    r"\s*(?:\"(?P<minimal>(?:[^\"\\]|\\.)*)\")?\s*(?:\#.*)?"
)


def read_tokens(draft: GrammarDraft, text: str) -> None:
    """Adds the tokens of a tokens file."""
    if re.search(r":\s*\[\|", text):
        read_lexical(draft, text, 0)
        return
    for number, line in enumerate(text.split("\n"), 1):
        plain = line.strip()
        if not plain or plain.startswith("#"):
            continue
        found = _LINE.fullmatch(plain)
        if found is None or not (found["mark"] or found["regex"]):
            raise draft.fault(number, f"this is no token and its regular expression: {plain!r}")
        name = _named(found["name"])
        if found["mark"]:
            body, minimal = _marked(draft, number, found["mark"])
        else:
            body, minimal = checked(draft, number, found["regex"]), None
        _add(draft, LexerRule(name, number, body, skip=name == SKIP), minimal)


def _marked(draft: GrammarDraft, line: int, text: str) -> tuple[Part, str | None]:
    found = _MARKED.fullmatch(text)
    if found is None:
        raise draft.fault(line, f"this is no regular expression between slashes, nor a text in quotes: {text!r}")
    minimal = None if found["minimal"] is None else unescaped(found["minimal"])
    if found["text"] is not None:
        return Text(unescaped(found["text"]), bool(found["any_case"])), minimal
    pattern = found["regex"].replace(r"\/", "/")
    return checked(draft, line, f"(?{found['flags']}:{pattern})" if found["flags"] else pattern), minimal


def checked(draft: GrammarDraft, line: int, pattern: str) -> Part:
    """A regular expression of Python's; plain characters as such."""
    flags = re.match(r"\(\?([imsx]+)\)", pattern)
    if flags:
        pattern = f"(?{flags[1]}:{pattern[flags.end() :]})"
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise draft.fault(line, f"this is no regular expression: {pattern!r}: {error}") from None
    if compiled.fullmatch(""):
        raise draft.fault(line, f"a token cannot be empty, but {pattern!r} matches nothing at all")
    return Text(pattern) if re.fullmatch(r"[\w \-]+", pattern) else Raw(pattern)


def _named(name: str) -> str:
    return quoted(unescaped(name[1:-1])) if name[0] == "'" else name


def _add(draft: GrammarDraft, way: LexerRule, minimal: str | None) -> None:
    draft.way(way)
    if minimal is not None:
        draft.minimal[way.name] = minimal


def read_lexical(draft: GrammarDraft, text: str, line: int) -> None:
    """Adds the tokens of a lexical section that begins behind a line."""
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _LEXICAL.match(text, at)
        if found is None:
            rest = text[at:].lstrip()
            here = line + text.count("\n", 0, len(text) - len(rest)) + 1
            raise draft.fault(here, f"this is no token and its regular expression: {rest.splitlines()[0]!r}")
        at = found.end()
        if found["over"]:
            continue
        here = line + text.count("\n", 0, found.start("name")) + 1
        name = _named(found["name"])
        body = LexPattern(draft, here, found["regex"].strip(), {}).whole()
        _add(draft, LexerRule(name, here, body, skip=name == SKIP), found["minimal"])
