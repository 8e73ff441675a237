"""What the readers of grammars give: the grammar as Lark reads it, how its tokens are cut, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wynot.domains.grammar.parts import Ranges


class GrammarError(ValueError):
    """A grammar cannot be read or converted; the message names file, line and rule, and what the matter is."""


@dataclass(frozen=True, slots=True)
class Match:
    """One way to cut a token off the text: the longest match wins, then the first."""

    terminal: str
    """Lark's name of the token."""
    pattern: str
    """As Python's `re` reads it."""
    skip: bool = False
    """White space, comments: no token for the parser."""
    more: bool = False
    """What is matched begins the next token."""
    moves: tuple[tuple[str, str], ...] = ()
    """What happens to the stack of modes, in turn: ("push", mode), ("pop", ""), ("mode", mode)."""
    begins: Ranges = ()
    """The characters that it may begin with; none: any."""


@dataclass(frozen=True, slots=True)
class Lexing:
    """How ANTLR's and Lex's lexers cut tokens: the longest match, then the first; with modes."""

    modes: Mapping[str, tuple[Match, ...]]
    start: str = ""


@dataclass(frozen=True, slots=True)
class Converted:
    """A grammar as Lark reads it, and what was known beside it."""

    lark: str
    """The grammar as Lark's text: rules in lower case, terminals in upper case, %ignore for skipped tokens."""
    start: str
    """The rule to begin with, by Lark's name."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Lark's name -> the name in the user's file."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """Lark's name -> the line in the user's file."""
    minimal: Mapping[str, str] = field(default_factory=dict)
    """Terminal -> the minimal string that the user gave (the thesis' lexical section, a tokens file)."""
    warnings: tuple[str, ...] = ()
    """What was ignored (actions, predicates, ...), with rule and line."""
    undefined: tuple[str, ...] = ()
    """Terminals that nothing defines; in `lark` they have a pattern that matches nothing."""
    lexing: Lexing | None = None
    """How tokens are cut; None where Lark's own lexers are to do it (.lark)."""
