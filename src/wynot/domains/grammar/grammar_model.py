"""A grammar as a reader found it, and as it was converted for Lark."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from wynot.domains.grammar.rule_parts import LexerRule, Part, Ranges, Rule


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
class ConvertedGrammar:
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


@dataclass(slots=True)
class GrammarDraft:
    """What a reader has found so far; names are the user's."""

    file: str
    rules: dict[str, Rule] = field(default_factory=dict)
    ways: dict[str, list[LexerRule]] = field(default_factory=dict)
    """The rules of the lexer in their order, by mode; the mode to begin with is "". """
    bodies: dict[str, Part] = field(default_factory=dict)
    """What the names in the lexer's rules stand for: fragments and tokens."""
    tokens: dict[str, int] = field(default_factory=dict)
    """Tokens that are declared, with their lines; `ways` may define them."""
    prefix: str = ""
    """What stands before the names of tokens in code (Bison's api.token.prefix)."""
    minimal: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    start: str | None = None
    ordered: bool = False
    """Whether the earlier rule wins where two fit, as in YACC."""

    def warn(self, line: int, text: str, file: str = "") -> None:
        """Note what was ignored; in the file that is read now, or in another one."""
        self.warnings.append(f"{file or self.file}:{line}: {text}")

    def fault(self, line: int, text: str, file: str = "") -> GrammarError:
        """The error to raise."""
        return GrammarError(f"{file or self.file}:{line}: " + text.replace("\n", "\\n"))

    def way(self, way: LexerRule, mode: str = "") -> None:
        """Add a rule of the lexer."""
        self.ways.setdefault(mode, []).append(replace(way, file=self.file))


def quoted(text: str) -> str:
    """The name of a literal's token."""
    return f"'{text}'"


@contextmanager
def patterns_as_written() -> Iterator[None]:
    """Compile patterns of users without warnings: Python warns of `[[`, which other notations allow in a class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        yield
