"""The shortest strings of a grammar's symbols and of regular expressions (thesis, section 5.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from re import _constants as codes
from re import _parser as sre
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

from wynot.domains.grammar.productions import Production, Rules, Terminal
from wynot.domains.grammar.tokenizer import Tokenizer, cutter

# The shortest texts that a regular expression takes (thesis, section 5.3).
#
# Repetitions at their minimum, one character of a class, the shorter branch. Since what an expression takes may depend
# on what stands around it (look-arounds, references back), every text is tried; the next shortest ones are at hand.
#
# >>> shortest(r"[a-z]\w*"), shortest(r"\d+(\.\d+)?"), shortest(r'"(\\.|[^"\\])*"'), shortest("while|do") ('a', '1',
# '""', 'do')


MOST = 30
"""How many texts are looked at."""
LIKED = ascii_lowercase + "1234567890" + ascii_uppercase + " _-+*/.,:;!?=<>()[]{}\"'`#$%&@^|~\\\n\t\r"
"""Characters in order of preference: a letter, then a digit other than nought, as in the thesis."""
_ORDER = {char: place for place, char in enumerate(LIKED)}


def shortest(regex: str, fits: Callable[[str], bool] = bool) -> str | None:
    """The shortest text that an expression takes and that `fits`; ties broken steadily. None where none was found."""
    return next((text for text in taken(regex) if fits(text)), None)


def taken(regex: str) -> Iterator[str]:
    """Some of the texts that an expression takes, the shortest ones first."""
    pattern = re.compile(regex)
    found = _texts(sre.parse(regex, pattern.flags), _Way(pattern.flags, {}))
    return (text for text in found if pattern.fullmatch(text))


class _Way(NamedTuple):
    """What is in force: flags, and the texts of groups that were seen."""

    flags: int
    groups: dict[int, list[str]]


def _best(texts: Iterable[str]) -> list[str]:
    return sorted(set(texts), key=_key)[:MOST]


def _key(text: str) -> tuple[int, list[int]]:
    return len(text), [_ORDER.get(char, len(LIKED) + ord(char)) for char in text]


def _texts(parsed: Any, way: _Way) -> list[str]:
    """The shortest texts of a sequence."""
    found = [""]
    for code, argument in parsed:
        after = _of(code, argument, way)
        if not after:
            return []
        found = _best(one + other for one in found for other in after)
    return found


def _of(code: Any, argument: Any, way: _Way) -> list[str]:
    """The shortest texts of one node: one character, or..."""
    if code is codes.LITERAL:
        return [chr(argument)]
    if code is codes.NOT_LITERAL:
        return _class([(codes.NEGATE, None), (codes.LITERAL, argument)], way)
    if code is codes.ANY:
        return [char for char in LIKED if char != "\n" or way.flags & re.DOTALL][:MOST]
    if code is codes.IN:
        return _class(argument, way)
    return _compound(code, argument, way)


def _compound(code: Any, argument: Any, way: _Way) -> list[str]:  # noqa: PLR0911 - one for each kind of node
    """...what other nodes make of theirs."""
    if code is codes.BRANCH:
        return _best(text for branch in argument[1] for text in _texts(branch, way))
    if code is codes.SUBPATTERN:
        found = _texts(argument[3], way._replace(flags=(way.flags | argument[1]) & ~argument[2]))
        way.groups[argument[0] or 0] = found
        return found
    if code is codes.GROUPREF:
        return way.groups.get(argument, [""])
    if code is codes.ATOMIC_GROUP:
        return _texts(argument, way)
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
        least, most, item = argument
        return _repeated(least, most, item, way)
    if code is codes.GROUPREF_EXISTS:
        return _best((*_texts(argument[1], way), *(_texts(argument[2], way) if argument[2] else [""])))
    return [""]  # anchors and look-arounds: the text is tried as a whole


def _repeated(least: int, most: Any, item: Any, way: _Way) -> list[str]:
    once = _texts(item, way)
    found = [""]
    for _ in range(min(least, 200)):
        found = _best(one + other for one in found for other in once)
    more = found
    for _ in range(min(2, int(most) - least)):
        more = _best(one + other for one in more for other in once)
        found = _best((*found, *more))
    return found


def _class(items: Any, way: _Way) -> list[str]:
    """The characters of a class, the best first."""
    negated = bool(items) and items[0][0] is codes.NEGATE
    one = re.compile(_written(items), way.flags & (re.IGNORECASE | re.ASCII))
    liked = [char for char in LIKED if one.match(char)]
    if liked:
        return liked[:MOST]
    others = range(0x80, 0x3000) if negated else (code for item in items for code in _range(item))
    return list(islice((chr(code) for code in others if one.match(chr(code))), MOST))


def _range(item: Any) -> Iterable[int]:
    code, argument = item
    if code is codes.LITERAL:
        return (argument,)
    return range(argument[0], min(argument[1], argument[0] + MOST) + 1) if code is codes.RANGE else range(0x80, 0x3000)


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D", codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w", codes.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _written(items: Any) -> str:
    """A class as it is written."""
    pieces = []
    for code, argument in items:
        if code is codes.NEGATE:
            pieces.append("^")
        elif code is codes.LITERAL:
            pieces.append(f"\\U{argument:08x}")
        elif code is codes.RANGE:
            pieces.append(f"\\U{argument[0]:08x}-\\U{argument[1]:08x}")
        else:
            pieces.append(_CATEGORIES[argument])
    return f"[{''.join(pieces)}]"


# The minimal-length string of every nonterminal (thesis, section 5.1) and terminal (section 5.3).
#
# Phi_0 of a terminal is its own shortest text, of a nonterminal nothing at all (top). Phi_i of a nonterminal is the
# least of what its productions give with Phi_(i-1). A shortest string has a derivation no higher than there are
# nonterminals (theorem 5.1.1), so |V| rounds are enough; what has no string then derives none.


ROOMS = (" ", "\n", "\t")
"""What may keep two tokens apart, if the grammar skips it; else the shortest text that it skips."""


class MinimalString(NamedTuple):
    """A minimal string, token by token: the fewest characters, then tokens, then blank ones, then by the alphabet."""

    length: int
    number: int
    blanks: int
    tokens: tuple[str, ...]


def fixpoint(
    productions: Sequence[Production], terminals: Mapping[str, str]
) -> tuple[Mapping[str, MinimalString], int]:
    """Phi of every symbol that derives anything, and the rounds in which something became shorter."""
    phi = {name: MinimalString(len(text), 1, int(text.isspace()), (text,)) for name, text in terminals.items()}
    rounds = 0
    while True:
        better = dict(phi)
        for production in productions:
            if all(symbol in phi for symbol in production.symbols):
                found = _concatenated([phi[symbol] for symbol in production.symbols])
                if production.origin not in better or found < better[production.origin]:
                    better[production.origin] = found
        if better == phi:
            return phi, rounds
        phi, rounds = better, rounds + 1


def _concatenated(minima: Sequence[MinimalString]) -> MinimalString:
    return MinimalString(
        sum(minimum.length for minimum in minima),
        sum(minimum.number for minimum in minima),
        sum(minimum.blanks for minimum in minima),
        tuple(token for minimum in minima for token in minimum.tokens),
    )


class MinimalStrings:
    """The minimal strings of one grammar."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._cut: Tokenizer = cutter(rules)
        self._modes = [(mode,) for mode in rules.lexing.modes] if rules.lexing is not None else [self._cut.modes]
        self.terminals = {name: text for name, text in self._each(rules.terminals.values()) if text is not None}
        self._phi, self.rounds = fixpoint(rules.productions, self.terminals)
        self._room = self._rooms()
        self.text: Callable[[str], str | None] = cache(self._text)

    def _each(self, terminals: Iterable[Terminal]) -> Iterable[tuple[str, str | None]]:
        return ((terminal.name, self._of_terminal(terminal)) for terminal in terminals)

    @property
    def barren(self) -> list[str]:
        """The nonterminals that derive nothing."""
        return [name for name in self._rules.by_origin if name not in self._phi]

    def tokens(self, symbol: str) -> tuple[str, ...] | None:
        """The minimal string of a symbol, token by token; None where it derives nothing."""
        found = self._phi.get(symbol)
        return None if found is None else found.tokens

    def _text(self, symbol: str) -> str | None:
        """The minimal string of a symbol, with room where two tokens would be read as others."""
        found = self._phi.get(symbol)
        return None if found is None else self.joined(found.tokens)

    def joined(self, tokens: Sequence[str]) -> str:
        """Tokens as one text."""
        pieces = list(tokens[:1])
        for left, right in pairwise(tokens):
            pieces += (self._room, right) if self._runs_together(left, right) else (right,)
        return "".join(pieces)

    def _runs_together(self, left: str, right: str) -> bool:
        return self._end(left + right) != len(left) and self._end(left + self._room + right) == len(left)

    def _end(self, text: str) -> int:
        cut = self._cut(text, 0, self._cut.modes, None)
        return -1 if cut is None else cut.end

    def _of_terminal(self, terminal: Terminal) -> str | None:
        given = (self._rules.given or {}).get(terminal.name)
        if given is not None and re.fullmatch(terminal.regex, given):
            return given
        if terminal.literal is not None:
            return terminal.literal

        def is_one(text: str) -> bool:
            cuts = (self._cut(text, 0, modes, None) for modes in self._modes) if text else ()
            return any(cut is not None and (cut.terminal, cut.end) == (terminal.name, len(text)) for cut in cuts)

        return shortest(terminal.regex, is_one) or shortest(terminal.regex)

    def _rooms(self) -> str:
        """The shortest text that is skipped."""
        for text in (*ROOMS, *sorted(self.terminals[name] for name in self._rules.ignored & self.terminals.keys())):
            cut = self._cut(text, 0, self._cut.modes, None)
            if cut is not None and cut.skip and cut.end == len(text):
                return text
        return ""
