"""Context-free grammars: their rules and what rules are made of."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

# What rules and tokens are made of, whichever notation they were written in.


LAST = 0x10FFFF
"""The last of all characters."""
Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Characters, from and to, in order and apart."""


@dataclass(frozen=True, slots=True)
class Name:
    """A rule or a token, by the name it has in the user's file."""

    name: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    """These very characters."""

    text: str
    any_case: bool = False
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Chars:
    """One of these characters."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Raw:
    """A regular expression of Python's, as it is."""

    pattern: str


@dataclass(frozen=True, slots=True)
class PartSequence:
    """One after the other."""

    items: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these."""

    items: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Again and again: at least so often, at most so often (None: without end); as few as will do where it is lazy."""

    item: Part
    least: int
    most: int | None
    lazy: bool = False


@dataclass(frozen=True, slots=True)
class Others:
    """Any character but these; what they are may be known later only."""

    item: Part
    any_case: bool = False


Part: TypeAlias = Name | Text | Chars | Raw | PartSequence | Choice | Repeat | Others


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the parser."""

    name: str
    line: int
    body: Part


@dataclass(frozen=True, slots=True)
class LexerRule:
    """One rule of the lexer: what it matches, the token it gives, and what it does to the modes."""

    name: str
    line: int
    body: Part
    skip: bool = False
    more: bool = False
    moves: tuple[tuple[str, str], ...] = ()
    file: str = ""


def row(items: Iterable[Part]) -> Part:
    """One after the other, without a row around a single one."""
    found = tuple(items)
    return found[0] if len(found) == 1 else PartSequence(found)


def choice(items: Iterable[Part]) -> Part:
    """One of these, each once; without a choice around a single one."""
    found = tuple(dict.fromkeys(items))
    return found[0] if len(found) == 1 else Choice(found)


def alternatives(part: Part) -> tuple[Part, ...]:
    """What a rule may be."""
    return part.items if isinstance(part, Choice) else (part,)


def walk(part: Part) -> Iterator[Part]:
    """The part and all its parts."""
    todo = [part]
    while todo:
        one = todo.pop()
        yield one
        if isinstance(one, PartSequence | Choice):
            todo += reversed(one.items)
        elif isinstance(one, Repeat | Others):
            todo.append(one.item)


def mapped(part: Part, put: Callable[[Part], Part]) -> Part:
    """The part with something else for its smallest parts."""
    match part:
        case PartSequence(items):
            return PartSequence(tuple(mapped(item, put) for item in items))
        case Choice(items):
            return choice(mapped(item, put) for item in items)
        case Repeat(item=item):
            return replace(part, item=mapped(item, put))
    return put(part)


def ranges(pairs: Iterable[tuple[int, int]]) -> Ranges:
    """Puts characters in order and together.

    >>> ranges([(5, 9), (1, 3), (4, 4), (20, 20)])
    ((1, 9), (20, 20))
    """
    found: list[tuple[int, int]] = []
    for low, high in sorted(pairs):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return tuple(found)


def others(some: Ranges) -> Ranges:
    """All other characters.

    >>> others(((0, 3), (5, 5))) == ((4, 4), (6, LAST))
    True
    """
    found, next_one = [], 0
    for low, high in some:
        if next_one < low:
            found.append((next_one, low - 1))
        next_one = high + 1
    if next_one <= LAST:
        found.append((next_one, LAST))
    return tuple(found)


def overlap(one: Ranges, other: Ranges) -> bool:
    """Whether two sets have a character in common."""
    return any(low <= up and down <= high for low, high in one for down, up in other)


def without(some: Ranges, others_: Ranges) -> Ranges:
    """The characters of the first that are not in the second."""
    return others(ranges((*others(some), *others_)))


def both_cases(some: Ranges) -> Ranges:
    """The characters, small and capital; of the letters that ASCII has, and of short ranges beyond."""
    found = list(some)
    for low, high in some:
        if high - low > 1000:
            low, high = max(low, 65), min(high, 122)  # noqa: PLW2901 - only ASCII's letters then
        for code in range(low, high + 1):
            found += [(ord(one), ord(one)) for one in (chr(code).lower(), chr(code).upper()) if len(one) == 1]
    return ranges(found)


ANY = Chars(((0, LAST),))
EMPTY = PartSequence()


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
