r"""The minimal-length string of every nonterminal (thesis, section 5.1) and terminal (section 5.3).

Phi_0 of a terminal is its own shortest text, of a nonterminal nothing at all (top). Phi_i of a nonterminal is the least
of what its productions give with Phi_(i-1). A shortest string has a derivation no higher than there are nonterminals
(theorem 5.1.1), so |V| rounds are enough; what has no string then derives none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from wynot.domains.grammar.derive.shortest_match import shortest
from wynot.domains.grammar.parsing.tokenizer import Tokenizer, cutter
from wynot.domains.grammar.productions import Production, Rules, Terminal

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
