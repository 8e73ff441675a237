"""A GLR parser on the LALR(1) tables that Lark computes; every conflict is kept."""

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

# What a parser does next: Lark's LALR(1) analysis, with every choice kept where the grammar leaves one.
#
# A grammar in which one token does not tell what to do next is no less a grammar: the parser (see glr.py) follows all
# choices at once. Only the one that every grammar of expressions has is made here: after `E op E`, before another `op`,
# both ways lead on, so the one that binds as ANTLR does is taken (earlier alternatives bind tighter, equals to the
# left).


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


# A parser for every context-free grammar: where a table leaves a choice, all are followed, and share what they can.
#
# Tomita's algorithm with Rekers' correction: stacks that have a state in common are one from there on. Where the
# grammar leaves no choice, it is a plain LR parser. Stacks are never changed once a token has been read on top of them,
# so a parser can go back to any token, and two texts can share what they have in common (see again.py).


class ParseNode:
    """A nonterminal in a text: the production it was read by, and which tokens it holds."""

    __slots__ = ("children", "end", "production", "start")

    def __init__(self, production: Production, children: tuple[ParseNode | int, ...], start: int, end: int) -> None:
        self.production, self.children, self.start, self.end = production, children, start, end


Child = ParseNode | int
"""A node, or the number of a token."""


class ParseStack:
    """The top of one or several stacks: a state, and what lies below it, with what was read in between."""

    __slots__ = ("links", "state")

    def __init__(self, state: int, links: list[tuple[ParseStack, Child]]) -> None:
        self.state, self.links = state, links


Front = Mapping[int, ParseStack]
"""The tops of all stacks, by state."""


class Parser:
    """Reads tokens, one after the other."""

    def __init__(self, rules: Rules, tables: ParseTables) -> None:
        self._productions, self._tables = rules.productions, tables
        self._actions, self._gotos = tables.actions, tables.gotos
        self.steps = 0
        """Steps along stacks so far, where the grammar leaves a choice: a measure of the work."""

    def begin(self) -> Front:
        """Nothing has been read."""
        return {self._tables.start: ParseStack(self._tables.start, [])}

    def read(self, front: Front, terminal: str, token: int) -> Front:
        """The stacks after one more token, which is the `token`th; none where it does not fit."""
        if len(front) == 1:
            (top,) = front.values()
            while True:
                action = self._actions[top.state].get(terminal)
                if action is None:
                    return {}
                if not action.reductions:
                    return {action.shift: ParseStack(action.shift, [(top, token)])}
                if action.shift != NO_STATE or len(action.reductions) > 1:
                    break
                reduced = self._reduced(top, self._productions[action.reductions[0]], token)
                if reduced is None:
                    break
                top = reduced
            front = {top.state: top}
        return self._shifted(self._closed(front, terminal, token), terminal, token)

    def end(self, front: Front, token: int) -> ParseNode | None:
        """The whole text, if it may end here."""
        top = self._closed(front, END, token).get(self._tables.accepting)
        if top is None:
            return None
        return next((child for below, child in top.links if not below.links and isinstance(child, ParseNode)), None)

    def expected(self, front: Front) -> list[str]:
        """The terminals that might come next."""
        return sorted({name for state in front for name in self._actions[state]})

    def accepts(self, state: int) -> Mapping[str, object]:
        """The terminals that might come next in one state, and perhaps some more."""
        return self._actions[state]

    def _reduced(self, top: ParseStack, production: Production, token: int) -> ParseStack | None:
        """The stack after the only thing that can be done; None where there are several below."""
        children: list[Child] = []
        below = top
        for _ in production.symbols:
            if len(below.links) != 1:
                return None
            below, child = below.links[0]
            children.append(child)
        children.reverse()
        node = _made(production, tuple(children), token)
        return ParseStack(self._gotos[below.state][production.origin], [(below, node)])

    def _shifted(self, front: Front, terminal: str, token: int) -> Front:
        after: dict[int, ParseStack] = {}
        for state in sorted(front):
            action = self._actions[state].get(terminal)
            if action is None or action.shift == NO_STATE:
                continue
            if action.shift in after:
                after[action.shift].links.append((front[state], token))
            else:
                after[action.shift] = ParseStack(action.shift, [(front[state], token)])
        return after

    def _closed(self, front: Front, terminal: str, token: int) -> dict[int, ParseStack]:
        """All stacks that reductions lead to before this token."""
        active = dict(front)
        waiting = [(active[state], number, None) for state in sorted(active) for number in self._due(state, terminal)]
        todo: list[tuple[ParseStack, int, tuple[ParseStack, Child] | None]] = list(waiting)
        for stack, number, through in todo:  # grows on the way
            production = self._productions[number]
            for below, children in list(self._paths(stack, len(production.symbols), through)):
                node = _made(production, children, token)
                state = self._gotos[below.state][production.origin]
                known = active.get(state)
                if known is None:
                    known = active[state] = ParseStack(state, [(below, node)])
                    todo += [(known, due, None) for due in self._due(state, terminal)]
                    continue
                same = next((child for under, child in known.links if under is below), None)
                if isinstance(same, ParseNode):
                    _choose(same, node)
                    continue
                link = below, node
                known.links.append(link)
                todo += [(active[s], due, link) for s in list(active) for due in self._due(s, terminal)]
        return active

    def _due(self, state: int, terminal: str) -> tuple[int, ...]:
        action = self._actions[state].get(terminal)
        return action.reductions if action is not None else ()

    def _paths(
        self, stack: ParseStack, length: int, through: tuple[ParseStack, Child] | None
    ) -> Iterator[tuple[ParseStack, tuple[Child, ...]]]:  # fmt: skip
        """The ways down a stack, with what was read; those that go through one link, if one is given."""
        waiting: list[tuple[ParseStack, tuple[Child, ...], bool]] = [(stack, (), through is None)]
        while waiting:
            top, children, passed = waiting.pop()
            self.steps += 1
            if len(children) == length:
                if passed:
                    yield top, children
                continue
            waiting.extend(
                (link[0], (link[1], *children), passed or link is through) for link in reversed(top.links)
            )  # fmt: skip


def _made(production: Production, children: tuple[Child, ...], token: int) -> ParseNode:
    """A node; one that holds no tokens stands before the next one."""
    if not children:
        return ParseNode(production, children, token, token)
    first, last = children[0], children[-1]
    start = first.start if isinstance(first, ParseNode) else first
    end = last.end if isinstance(last, ParseNode) else last + 1
    return ParseNode(production, children, start, end)


def _choose(known: ParseNode, other: ParseNode) -> None:
    """Two readings of one stretch: the steady choice stays. What holds itself is none."""
    if any(
        isinstance(child, ParseNode) and (child.start, child.end) == (known.start, known.end)
        for child in other.children
    ):
        return
    if _key(other) < _key(known):
        known.production, known.children = other.production, other.children


def _key(node: ParseNode) -> tuple[int, int, int]:
    """What is preferred: a priority, then the alternative that comes first, then what binds to the left."""
    production = node.production
    first = node.children[0] if node.children else 0
    held = first.end - first.start if isinstance(first, ParseNode) else 1
    infix = len(production.symbols) > 1 and production.symbols[0] == production.origin
    return -production.priority, -production.number if infix else production.number, -held
