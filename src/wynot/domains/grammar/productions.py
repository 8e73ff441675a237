"""A grammar as its productions: what Lark makes of the text, with the repetitions of EBNF written out as rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from lark import Lark
from lark.exceptions import LarkError
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef

from wynot.domains.grammar.grammar_model import ConvertedGrammar, GrammarError, Lexing

HELPER = "_"
"""Names that begin so are no rules of the user's: Lark inlines them."""

_REPEATED = re.compile(r"__(.+)_(?:star|plus)_\d+")


class Production(NamedTuple):
    """One way to write a nonterminal; `number` is its place in the grammar."""

    number: int
    origin: str
    symbols: tuple[str, ...]
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Terminal:
    """A kind of token: which texts are one."""

    name: str
    regex: str
    literal: str | None = None
    """The only text there is, if there is but one."""
    priority: int = 0
    width: int = 0
    """The most characters that it can have."""
    length: int = 0
    """How long its pattern is: Lark prefers longer ones."""


@dataclass(frozen=True)
class Rules:
    """Productions and terminals, and how tokens are cut."""

    productions: Sequence[Production]
    terminals: Mapping[str, Terminal]
    ignored: frozenset[str]
    start: str
    lexing: Lexing | None = None
    names: Mapping[str, str] | None = None
    given: Mapping[str, str] | None = None
    """The minimal strings of terminals that the user gave."""

    @cached_property
    def by_origin(self) -> Mapping[str, Sequence[Production]]:
        """The productions of each nonterminal, in order."""
        found: dict[str, list[Production]] = {}
        for production in self.productions:
            found.setdefault(production.origin, []).append(production)
        return found

    def name(self, symbol: str) -> str:
        """A symbol as the user knows it; a repetition by the name of the rule that it is in."""
        known = (self.names or {}).get(symbol)
        made = None if known else _REPEATED.fullmatch(symbol)
        return known or (f"{self.name(made[1])}*" if made else symbol)


def compiled(converted: ConvertedGrammar) -> Rules:
    """The productions of a grammar that Lark can read."""
    try:
        lark = Lark(converted.lark, start=converted.start, parser=None, lexer="basic", maybe_placeholders=False)
    except LarkError as error:
        raise GrammarError(_clear(str(error))) from None
    except RecursionError:
        raise GrammarError("the grammar's rules are nested too deeply for Lark") from None
    terminals = {terminal.name: terminal for terminal in map(_terminal, lark.terminals)}
    rules = Rules(
        tuple(_productions(lark.rules)), terminals, frozenset(lark.ignore_tokens), converted.start, converted.lexing,
        converted.names, converted.minimal,
    )  # fmt: skip
    if rules.start not in rules.by_origin:
        raise GrammarError(f"no rule is called {rules.name(rules.start)}")
    return rules


def _clear(message: str) -> str:
    """The first lines of what Lark complains about, as one."""
    return " ".join(line.strip() for line in message.strip().splitlines()[:3])


def _productions(rules: Sequence[Rule]) -> Iterator[Production]:
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for rule in rules:
        key = str(rule.origin.name), tuple(str(symbol.name) for symbol in rule.expansion)
        if key not in seen:
            yield Production(len(seen), *key, rule.options.priority or 0)
            seen.add(key)


_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")
_AWAY = 0x100000


def plain(regex: str) -> str:
    r"""The one text that an expression stands for, if it is written plainly; else nothing.

    >>> plain("while"), plain(r"\+="), plain("[a-z]"), plain(r"\d")
    ('while', '+=', '', '')
    """
    text = re.sub(r"\\([^\w\s])", lambda match: chr(ord(match[1]) + _AWAY), regex)
    if _SPECIAL.search(text) or max(map(ord, regex), default=0) >= _AWAY:
        return ""
    return "".join(chr(ord(char) - _AWAY) if ord(char) >= _AWAY else char for char in text)


def _terminal(found: TerminalDef) -> Terminal:
    pattern = found.pattern
    regex = pattern.to_regexp()
    literal = None if pattern.flags else pattern.value if isinstance(pattern, PatternStr) else plain(regex) or None
    try:
        re.compile(regex)
    except re.error as error:
        raise GrammarError(f"{found.name}: no regular expression: {error}") from None
    return Terminal(found.name, regex, literal, found.priority, pattern.max_width, len(pattern.value))
