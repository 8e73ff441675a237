"""A text, read by a grammar: its tokens, what was skipped, and where the parser stood before each token."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from wynot.domains.grammar.parsing.glr import Front, ParseNode, Parser
from wynot.domains.grammar.parsing.parse_tables import END, tables
from wynot.domains.grammar.parsing.tokenizer import Modes, NextToken, cutter
from wynot.domains.grammar.productions import Rules

BOM = "\ufeff"
MAX_STEPS = 5_000_000
"""How many steps the parser may take for one text where a grammar leaves choices: some seconds of work. Their number
grows with the fourth power of the length for `s: s s | "a"`."""
MAX_STEPS_PER_CHARACTER = 200
"""...and for each character of a long text."""


class SkippedComment(NamedTuple):
    """A comment: its kind, where it is, and before which token."""

    terminal: str
    start: int
    end: int
    before: int


class ParseStop(NamedTuple):
    """Where a text can be read no further, and which terminals might have come."""

    at: int
    expected: tuple[str, ...]


@dataclass(slots=True)
class ParsedTokens:
    """What has been read of a text; places are those of characters."""

    text: str
    terminals: list[str] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    skipped: list[SkippedComment] = field(default_factory=list)
    fronts: list[Front] = field(default_factory=list)
    """The parser's stacks before each token, and after the last."""
    modes: list[Modes] = field(default_factory=list)
    """The lexer's modes after each token."""
    root: ParseNode | None = None
    stop: ParseStop | None = None
    exhausted: bool = False
    """Whether it stopped there as the grammar is too ambiguous for the text."""

    def __len__(self) -> int:
        return len(self.terminals)


class TokenReader:
    """Reads texts by one grammar."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.tables = rules, tables(rules)
        self.parser, self.cut = Parser(rules, self.tables), cutter(rules)
        self._accepts: Callable[[tuple[int, ...]], frozenset[str]] = cache(self._accepting)

    def read(self, text: str) -> ParsedTokens:
        """Read a text to its end, or as far as it goes."""
        reading = ParsedTokens(text)
        front, modes, at = self.parser.begin(), self.cut.modes, len(BOM) if text.startswith(BOM) else 0
        reading.fronts.append(front)
        limit = self.parser.steps + MAX_STEPS + MAX_STEPS_PER_CHARACTER * len(text)
        while at < len(text):
            if self.parser.steps > limit:
                reading.stop, reading.exhausted = ParseStop(at, ()), True
                return reading
            cut = self.cut(text, at, modes, self.accepts(front))
            if cut is None:
                reading.stop = ParseStop(at, self.expected(front))
                return reading
            if cut.skip:
                if not text[at : cut.end].isspace():
                    reading.skipped.append(SkippedComment(cut.terminal, at, cut.end, len(reading)))
            else:
                front = self._taken(reading, front, cut, at)
                if not front:
                    return reading
            modes, at = cut.modes, cut.end
        reading.root = self.parser.end(front, len(reading))
        if reading.root is None:
            reading.stop = ParseStop(at, self.expected(front))
        return reading

    def _taken(self, reading: ParsedTokens, front: Front, cut: NextToken, at: int) -> Front:
        after = self.parser.read(front, cut.terminal, len(reading))
        if not after:
            reading.stop = ParseStop(at, self.expected(front))
            return after
        reading.terminals.append(cut.terminal)
        reading.starts.append(at)
        reading.ends.append(cut.end)
        reading.fronts.append(after)
        reading.modes.append(cut.modes)
        return after

    def accepts(self, front: Front) -> frozenset[str]:
        """The terminals that may come next."""
        return self._accepts(tuple(front))

    def _accepting(self, states: tuple[int, ...]) -> frozenset[str]:
        return frozenset(name for state in states for name in self.tables.actions[state])

    def expected(self, front: Front) -> tuple[str, ...]:
        """The terminals that would fit: each is tried, since tables say a few too many."""
        tried = (name for name in sorted(self.accepts(front)) if name != END and self.parser.read(front, name, 0))
        ends = (END,) if self.parser.end(front, 0) is not None else ()
        return (*tried, *ends)
