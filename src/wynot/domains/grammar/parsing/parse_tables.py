"""What a parser does next: Lark's LALR(1) analysis, with every choice kept where the grammar leaves one.

A grammar in which one token does not tell what to do next is no less a grammar: the parser (see glr.py) follows all
choices at once. Only the one that every grammar of expressions has is made here: after `E op E`, before another `op`,
both ways lead on, so the one that binds as ANTLR does is taken (earlier alternatives bind tighter, equals to the left).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from lark.common import ParserConf
from lark.exceptions import LarkError
from lark.grammar import NonTerminal, Rule, Symbol
from lark.grammar import Terminal as LarkTerminal
from lark.parsers.grammar_analysis import LR0ItemSet
from lark.parsers.lalr_analysis import LALR_Analyzer

from wynot.domains.grammar.grammar_model import GrammarError
from wynot.domains.grammar.productions import Production, Rules

END = "$END"
NO_STATE = -1
_DEEP = 20_000


class ParserAction(NamedTuple):
    """What may be done: go to a state with the token, or reduce by productions first."""

    shift: int = NO_STATE
    reductions: tuple[int, ...] = ()


class Conflict(NamedTuple):
    """A token after which the grammar leaves a choice."""

    terminal: str
    shift: bool
    reductions: tuple[int, ...]


class ParseTables(NamedTuple):
    """The states of a parser."""

    actions: Sequence[Mapping[str, ParserAction]]
    gotos: Sequence[Mapping[str, int]]
    start: int
    accepting: int
    conflicts: tuple[Conflict, ...]
    settled: int
    """How many choices there were between operators."""


def tables(rules: Rules) -> ParseTables:
    """The parser's states for a grammar."""
    symbols: dict[str, Symbol] = {name: NonTerminal(name) for name in rules.by_origin}
    symbols |= {
        name: LarkTerminal(name) for production in rules.productions for name in production.symbols
        if name not in rules.by_origin
    }  # fmt: skip
    made = [_rule(production, symbols) for production in rules.productions]
    numbers = {rule: number for number, rule in enumerate(made)}
    try:
        with _deep():
            analyzer = LALR_Analyzer(ParserConf(made, {}, [rules.start]))
            analyzer.compute_lr0_states()
            analyzer.compute_reads_relations()  # type: ignore[no-untyped-call]
            analyzer.compute_includes_lookback()  # type: ignore[no-untyped-call]
            analyzer.compute_lookaheads()  # type: ignore[no-untyped-call]
    except LarkError as error:
        raise GrammarError(str(error).splitlines()[0]) from None
    return _Tabling(rules, analyzer, numbers).tables()


def _rule(production: Production, symbols: Mapping[str, Symbol]) -> Rule:
    return Rule(NonTerminal(production.origin), [symbols[name] for name in production.symbols], production.number)


@contextmanager
def _deep() -> Iterator[None]:
    """Lark's analysis is recursive, as deep as rules lead to rules."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Tabling:
    """Numbers Lark's states, in a steady order, and settles what can be settled."""

    def __init__(self, rules: Rules, analyzer: LALR_Analyzer, numbers: Mapping[Rule, int]) -> None:
        self._rules, self._numbers = rules, numbers
        start = analyzer.lr0_start_states[rules.start]
        self._order = [start]
        self._states = {id(start): 0}
        for itemset in self._order:
            for symbol in sorted(itemset.transitions, key=lambda symbol: str(symbol.name)):
                after = itemset.transitions[symbol]
                if id(after) not in self._states:
                    self._states[id(after)] = len(self._order)
                    self._order.append(after)
        self._conflicts: set[Conflict] = set()
        self._settled = 0

    def tables(self) -> ParseTables:
        actions = [self._actions(itemset) for itemset in self._order]
        gotos = [
            {str(symbol.name): self._states[id(after)] for symbol, after in itemset.transitions.items()
             if not symbol.is_term}
            for itemset in self._order
        ]  # fmt: skip
        return ParseTables(
            actions, gotos, 0, gotos[0][self._rules.start], tuple(sorted(self._conflicts)), self._settled
        )

    def _actions(self, itemset: LR0ItemSet) -> Mapping[str, ParserAction]:
        found = {
            str(symbol.name): ParserAction(self._states[id(after)])
            for symbol, after in itemset.transitions.items()
            if symbol.is_term
        }
        for symbol, by in itemset.lookaheads.items():
            name = str(symbol.name)
            reductions = tuple(sorted(self._numbers[rule] for rule in by))
            action = found.get(name, ParserAction())._replace(reductions=reductions)
            if action.shift != NO_STATE and len(reductions) == 1:
                action = self._bound(itemset, name, action)
            if len(reductions) > 1 or (action.shift != NO_STATE and action.reductions):
                self._conflicts.add(Conflict(name, action.shift != NO_STATE, reductions))
            found[name] = action
        return found

    def _bound(self, itemset: LR0ItemSet, terminal: str, action: ParserAction) -> ParserAction:
        """After `A -> x A`, before what goes on with `A -> A terminal ...`: either way leads on, so take one."""
        complete = self._rules.productions[action.reductions[0]]
        if not complete.symbols or complete.symbols[-1] != complete.origin:
            return action
        going = [
            self._numbers[item.rule]
            for item in itemset.closure
            if not item.is_satisfied and str(item.next.name) == terminal
        ]
        infix = (
            (production := self._rules.productions[number]).origin == complete.origin
            and production.symbols[:2] == (complete.origin, terminal)
            for number in going
        )
        if not all(infix):
            return action
        self._settled += 1
        if complete.number <= min(going):
            return ParserAction(NO_STATE, action.reductions)
        return ParserAction(action.shift)
