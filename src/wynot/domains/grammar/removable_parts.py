"""The pieces of what was read: which of them may go, and what stands in the place of those that may not.

A piece is what the grammar lets go, or lets be replaced, at one blow: a nonterminal, a token, an element of a list,
a part that another alternative does without. White space and comments are nobody's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wynot.domains.grammar.glr import Child, ParseNode
from wynot.domains.grammar.lists_and_optionals import ListMerge, ListsAndOptionals, Recursion, Span
from wynot.domains.grammar.productions import Production

CUT = ""


@dataclass(frozen=True, slots=True)
class TokenRun:
    """Some tokens in a row."""

    kind: str
    start: int
    end: int
    content: Child | tuple[TokenRun, ...]
    text: str | None
    """What stands for it when it is gone; None: it has to stay."""
    symbol: str = ""
    """What the grammar wants in this place; empty where it wants several things in a row."""
    joined: bool = False
    """An element of a list with separators: one of these goes with it."""
    listed: bool = False
    """An element of a list."""
    hollow: str | None = None
    """Of a list: what stands for all its elements."""


Below = tuple[Sequence[TokenRun], str | None]
"""Pieces, and for a list what stands for all of them."""


class RemovableParts:
    """Takes nodes apart."""

    def __init__(self, structure: ListsAndOptionals, terminals: Sequence[str]) -> None:
        """`terminals`: of the tokens that were read."""
        self._structure, self._terminals = structure, terminals
        self._rules, self._text = structure.rules, structure.minimal.text

    def whole(self, node: ParseNode) -> TokenRun:
        """All of the text."""
        symbol = node.production.origin
        return TokenRun(self._rules.name(symbol), node.start, node.end, node, self._text(symbol), symbol)

    def below(self, node: ParseNode) -> Below:
        """The pieces of a node."""
        recursion = self._structure.lists.get(node.production.origin)
        if recursion is not None:
            return self._list(node, recursion)
        return list(self._row(node.production, node.children, (0, len(node.children)))), None

    def _list(self, node: ParseNode, recursion: Recursion) -> Below:
        levels, base = _unrolled(node, recursion)
        separators = {recursion.separators[level.production.number] for level in levels}
        bare = base.start == base.end
        if (
            bare
            or None in separators
            or min((s or 0 for s in separators), default=0) == 0 < max((s or 0 for s in separators), default=0)
        ):
            first: list[TokenRun] = list(self._row(base.production, base.children, (0, len(base.children))))
            tails = [self._element(level, recursion.tail(level.production), joined=False) for level in levels]
            hollow = CUT if bare else None
        else:
            joined = max((s or 0 for s in separators), default=0) > 0
            first = [self._element(base, (0, len(base.children)), joined=joined)]
            tails = [
                self._element(
                    level, recursion.element(level.production, recursion.separators[level.production.number] or 0),
                    joined=joined,
                )
                for level in levels
            ]  # fmt: skip
            hollow = self._text(node.production.origin)
        tails = [tail for tail in tails if tail.start < tail.end]
        return (first + tails[::-1] if recursion.left else tails + first), hollow

    def _element(self, node: ParseNode, span: Span, *, joined: bool) -> TokenRun:
        return self._group(node.production, node.children, span, CUT, joined=joined, listed=True)

    def _group(
        self, production: Production, children: Sequence[Child], span: Span, text: str | None, *,
        joined: bool = False, listed: bool = False,
    ) -> TokenRun:  # fmt: skip
        """A stretch of a production as one piece."""
        held = [at for at in range(*span) if not _empty(children[at])]
        if len(held) == 1:
            return self._one(production, children, held[0], text, joined=joined, listed=listed)
        inner = tuple(self._row(production, children, span))
        start, end = (_start(children[held[0]]), _end(children[held[-1]])) if held else (0, 0)
        kind = self._rules.name(production.origin)
        return TokenRun(kind, start, end, inner, text, joined=joined, listed=listed)

    def _one(
        self, production: Production, children: Sequence[Child], at: int, text: str | None, *,
        joined: bool = False, listed: bool = False,
    ) -> TokenRun:  # fmt: skip
        child, symbol = children[at], production.symbols[at]
        kind = self._rules.name(symbol)
        return TokenRun(kind, _start(child), _end(child), child, text, symbol, joined, listed)

    def _row(self, production: Production, children: Sequence[Child], span: Span) -> Iterator[TokenRun]:
        """The pieces of a stretch of a production."""
        merges = {merge.span[0]: merge for merge in self._structure.merges(production.number)}
        parts = [
            p for p in self._structure.parts(production.number) if span[0] <= p[0] and p[1] <= span[1] and p != span
        ]
        at = span[0]
        while at < span[1]:
            part = max((p for p in parts if p[0] == at), key=lambda p: p[1], default=None)
            merge = merges.get(at)
            if part is not None:
                yield from self._part(production, children, part, merge)
                at = part[1]
            elif merge is not None and merge.span[1] <= span[1]:
                yield from self._merged(production, children, merge, None)
                at = merge.span[1]
            else:
                yield from self._plain(production, children, at)
                at += 1

    def _part(
        self, production: Production, children: Sequence[Child], part: Span, merge: ListMerge | None
    ) -> Iterator[TokenRun]:
        """What an alternative does without."""
        if merge is not None and merge.span == part:
            yield from self._merged(production, children, merge, CUT)
        elif not all(_empty(child) for child in children[part[0] : part[1]]):
            yield self._group(production, children, part, CUT)

    def _plain(self, production: Production, children: Sequence[Child], at: int) -> Iterator[TokenRun]:
        symbol = production.symbols[at]
        terminal = self._rules.terminals.get(symbol)
        if not _empty(children[at]) and (terminal is None or terminal.literal is None):
            yield self._one(production, children, at, self._text(symbol))

    def _merged(
        self, production: Production, children: Sequence[Child], merge: ListMerge, text: str | None
    ) -> Iterator[TokenRun]:
        """An element and a list of further ones."""
        more = children[merge.list_at]
        alone = merge.alone
        if text is None:
            minima = [self._structure.minimal.tokens(symbol) for symbol in production.symbols[slice(*alone)]]
            text = self._structure.minimal.joined([token for tokens in minima for token in tokens or ()])
        if not isinstance(more, ParseNode) or _empty(more):
            yield self._group(production, children, alone, text)
            return
        recursion = self._structure.lists[production.symbols[merge.list_at]]
        levels, base = _unrolled(more, recursion)
        further = [self._further(level, recursion.tail(level.production), merge) for level in levels]
        if base.children:
            further.append(self._further(base, (0, len(base.children)), merge))
        if recursion.left:
            further.reverse()
        one = self._group(production, children, alone, CUT, joined=True, listed=True)
        elements = (one, *further) if alone[0] < merge.list_at else (*further, one)
        kind = f"{self._rules.name(production.origin)}*"
        yield TokenRun(kind, elements[0].start, elements[-1].end, elements, text, hollow=text)

    def _further(self, node: ParseNode, tail: Span, merge: ListMerge) -> TokenRun:
        skipped = merge.separator
        span = (tail[0] + skipped, tail[1]) if skipped > 0 else (tail[0], tail[1] + skipped)
        return self._element(node, span, joined=True)


def _unrolled(node: ParseNode, recursion: Recursion) -> tuple[list[ParseNode], ParseNode]:
    """The levels of a list that go on, from the outside in, and the one that does not."""
    levels: list[ParseNode] = []
    while node.production.number in recursion.separators:
        levels.append(node)
        inner = node.children[recursion.inner()]
        if not isinstance(inner, ParseNode):
            break
        node = inner
    return levels, node


def _empty(child: Child) -> bool:
    return isinstance(child, ParseNode) and child.start == child.end


def _start(child: Child) -> int:
    return child.start if isinstance(child, ParseNode) else child


def _end(child: Child) -> int:
    return child.end if isinstance(child, ParseNode) else child + 1
