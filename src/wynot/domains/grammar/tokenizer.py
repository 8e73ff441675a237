"""Split a text into the tokens of a grammar, and record the parser's states."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, Protocol

from wynot.domains.grammar.glr import END, Front, ParseNode, Parser, tables
from wynot.domains.grammar.grammar_model import Lexing, Match, patterns_as_written
from wynot.domains.grammar.productions import Rules, Terminal, plain

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


# How a text is cut into tokens: as Lark's contextual lexer does it, or as Lex and ANTLR do.


Modes = tuple[str, ...]
"""The lexer's modes, the present one last; those of Lark have none."""


class NextToken(NamedTuple):
    """The next token: its kind, where it ends, whether it is skipped, and the modes after it."""

    terminal: str
    end: int
    skip: bool
    modes: Modes


class Tokenizer(Protocol):
    """Cuts the next token off a text."""

    modes: Modes
    """To begin with."""

    def __call__(self, text: str, at: int, modes: Modes, accepts: frozenset[str] | None) -> NextToken | None:
        """The token at a place; `accepts` says which may come (None: any). None where there is none."""
        ...


def cutter(rules: Rules) -> Tokenizer:
    """The one that a grammar asks for."""
    return LongestMatchTokenizer(rules.lexing) if rules.lexing is not None else ContextualTokenizer(rules)


class ContextualTokenizer:
    """As Lark's: only what may come next is looked for, by priority; words that are key words are those."""

    modes: Modes = ()

    def __init__(self, rules: Rules) -> None:
        self._terminals, self._ignored = rules.terminals, rules.ignored
        self._scanner: Callable[[frozenset[str] | None], _Scanner] = cache(self._scanning)

    def __call__(self, text: str, at: int, modes: Modes, accepts: frozenset[str] | None) -> NextToken | None:
        """The token at a place."""
        found = self._scanner(accepts)(text, at)
        if found is None:
            return None
        name, end = found
        return NextToken(name, end, name in self._ignored, modes)

    def _scanning(self, accepts: frozenset[str] | None) -> _Scanner:
        names = self._terminals if accepts is None else accepts | self._ignored
        return _Scanner([self._terminals[name] for name in sorted(names) if name in self._terminals])


class _Scanner:
    """Tries several terminals at once."""

    def __init__(self, terminals: Iterable[Terminal]) -> None:
        ordered = sorted(terminals, key=lambda t: (-t.priority, -t.width, -t.length, t.name))
        words = [terminal for terminal in ordered if terminal.literal is not None]
        self._words: dict[str, dict[str, str]] = {}
        inner: set[str] = set()
        for terminal in ordered:
            if terminal.literal is None:
                same = [w for w in words if w.priority == terminal.priority and _whole(terminal.regex, w.literal or "")]
                self._words[terminal.name] = {word.literal or "": word.name for word in same}
                inner |= {word.name for word in same}
        outer = [terminal for terminal in ordered if terminal.name not in inner]
        with patterns_as_written():
            self._match = re.compile("|".join(f"(?P<{t.name}>{t.regex})" for t in outer) or "(?!)").match

    def __call__(self, text: str, at: int) -> tuple[str, int] | None:
        match = self._match(text, at)
        if match is None or match.end() == at or match.lastgroup is None:
            return None
        words = self._words.get(match.lastgroup)
        name = words.get(match[0], match.lastgroup) if words else match.lastgroup
        return name, match.end()


def _whole(regex: str, text: str) -> bool:
    """Whether an expression takes just this text where it can take what it likes."""
    match = re.match(regex, text)
    return match is not None and match[0] == text


class LongestMatchTokenizer:
    """As Lex's and ANTLR's: the longest match wins, then the rule that comes first; with modes."""

    def __init__(self, lexing: Lexing) -> None:
        self.modes: Modes = (lexing.start,)
        self._modes = {name: _Mode(matches) for name, matches in lexing.modes.items()}

    def __call__(self, text: str, at: int, modes: Modes, accepts: frozenset[str] | None) -> NextToken | None:  # noqa: ARG002
        """The token at a place, whatever may come."""
        end = at
        while True:
            found = self._modes[modes[-1]](text, end)
            if found is None:
                return None
            match, end = found
            modes = _moved(modes, match.moves)
            if not match.more:
                return NextToken(match.terminal, end, match.skip, modes)


class _Mode:
    """The rules of one mode; those that are plain words are looked up by how they begin."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self._regexes: list[tuple[int, Match, re.Pattern[str]]] = []
        self._words: dict[str, list[tuple[int, Match, str]]] = {}
        for number, match in enumerate(matches):
            word = plain(match.pattern)
            if word:
                self._words.setdefault(word[0], []).append((number, match, word))
            else:
                with patterns_as_written():
                    self._regexes.append((number, match, re.compile(match.pattern)))

    def __call__(self, text: str, at: int) -> tuple[Match, int] | None:
        best: tuple[int, int, Match] | None = None
        for number, rule, pattern in self._regexes:
            match = pattern.match(text, at)
            if match is not None and match.end() > at and (best is None or (-match.end(), number) < best[:2]):
                best = -match.end(), number, rule
        for number, rule, word in self._words.get(text[at : at + 1], ()):
            if text.startswith(word, at) and (best is None or (-at - len(word), number) < best[:2]):
                best = -at - len(word), number, rule
        return None if best is None else (best[2], -best[0])


def _moved(modes: Modes, moves: Iterable[tuple[str, str]]) -> Modes:
    for move, mode in moves:
        if move == "push":
            modes = (*modes, mode)
        elif move == "pop":
            modes = modes[:-1] if len(modes) > 1 else modes
        else:
            modes = (*modes[:-1], mode)
    return modes
