"""A parser for every context-free grammar: where a table leaves a choice, all are followed, and share what they can.

Tomita's algorithm with Rekers' correction: stacks that have a state in common are one from there on. Where the grammar
leaves no choice, it is a plain LR parser. Stacks are never changed once a token has been read on top of them, so a
parser can go back to any token, and two texts can share what they have in common (see again.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wynot.domains.grammar.parsing.parse_tables import END, NO_STATE, ParseTables
from wynot.domains.grammar.productions import Production, Rules


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
