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

from wynot.domains.grammar.grammar_model import GrammarDraft, quoted
from wynot.domains.grammar.readers.character_sets import unescaped
from wynot.domains.grammar.readers.lex_patterns import LexPattern
from wynot.domains.grammar.rule_parts import LexerRule, Part, Raw, Text

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
