"""Cut a grammar's text into tokens for Lark, with code in braces as one token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from lark import Token, Tree
from lark.common import LexerConf
from lark.lexer import Lexer, PatternStr

_CODE = re.compile(
    r"""(?P<quiet>/\*[\s\S]*?(?:\*/|\Z) | //[^\n]* | "(?:[^"\\\n]|\\[\s\S])*" | '(?:[^'\\\n]|\\[\s\S])[^'\n]{0,8}?')
      | (?P<open>\{) | (?P<close>\})""",
    re.VERBOSE,
)


Node: TypeAlias = Token | Tree[Token]


def tokens_of(node: Node) -> list[Token]:
    """The tokens that are children of a node."""
    return [one for one in node.children if isinstance(one, Token)] if isinstance(node, Tree) else []


def line_of(token: Node) -> int:
    """The line of a token, counted from one."""
    return (token.line if isinstance(token, Token) else None) or 0


def braces_end(text: str, at: int) -> int | None:
    """Where the code in braces that begins here ends; None where it does not.

    >>> braces_end("a {x = '}'; /* } */ {}} b", 2)
    23
    """
    depth = 0
    for found in _CODE.finditer(text, at):
        if found["open"]:
            depth += 1
        elif found["close"]:
            depth -= 1
            if depth == 0:
                return found.end()
    return None


class NoTokenError(ValueError):
    """The text that begins here is no token, or code without an end."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class CodeLexer(Lexer):
    """Cuts text into the terminals of a Lark grammar, and CODE, which no regular expression describes.

    Terminals are tried by priority, then in the order of the grammar; those that are plain texts come last. A token
    that equals a plain text, such as "import", is that terminal, whichever other terminal matched it.
    """

    def __init__(self, conf: LexerConf) -> None:
        texts = {one.pattern.value: one.name for one in conf.terminals if isinstance(one.pattern, PatternStr)}
        others = [one for one in conf.terminals if one.name not in texts.values()]
        others.sort(key=lambda one: -one.priority)
        signs = "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
        patterns = [f"(?P<{one.name}>{one.pattern.to_regexp()})" for one in others]
        self._texts, self._ignored = texts, frozenset(conf.ignore)
        self._terminals = re.compile("|".join((*patterns, signs)))

    def lex(self, data: str) -> Iterator[Token]:  # type: ignore[override]
        """All tokens; text that is no token is refused before the first one is parsed."""
        return iter(list(self.tokens(data)))

    def tokens(self, text: str) -> Iterator[Token]:
        """The tokens in their order."""
        last, at, line = None, 0, 1
        while at < len(text):
            kind, end = self.terminal(text, at, last)
            if kind not in self._ignored:
                last = Token(kind, text[at:end], at, line)
                yield last
            line += text.count("\n", at, end)
            at = end

    def terminal(self, text: str, at: int, last: Token | None) -> tuple[str, int]:  # noqa: ARG002 - for subclasses
        """The terminal that begins here, and its end; `last` is the token before it."""
        if text[at] == "{":
            kind, end = "CODE", braces_end(text, at)
        else:
            match = self._terminals.match(text, at)
            kind, end = (self._texts.get(match[0]) or str(match.lastgroup), match.end()) if match else ("", None)
        if end is None:
            raise NoTokenError(at)
        return kind, end
