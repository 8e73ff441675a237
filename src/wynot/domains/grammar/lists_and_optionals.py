"""What may be left out of what, as a grammar says: lists by recursion, parts that an alternative does without.

A list is a nonterminal that goes on with itself, `A -> A tail` or `A -> tail A`, and in no other way. Each tail may go.
The other end, `A -> base`, may go where what stays of a tail without its separator is a base, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from wynot.domains.grammar.minimal_strings import MinimalStrings
from wynot.domains.grammar.productions import HELPER, Production, Rules

Span = tuple[int, int]
"""Symbols of a production, from the first on, up to but without the second."""


class Recursion(NamedTuple):
    """How a list goes on: to the right of itself (`A -> A tail`), or to the left; what separates its elements."""

    left: bool
    separators: dict[int, int | None]
    """For each production that goes on, how many symbols of its tail are a separator; None: it is no element alone."""

    def tail(self, production: Production) -> Span:
        """The symbols of a tail."""
        return (1, len(production.symbols)) if self.left else (0, len(production.symbols) - 1)

    def element(self, production: Production, separator: int) -> Span:
        """The symbols of a tail without its separator."""
        first, last = self.tail(production)
        return (first + separator, last) if self.left else (first, last - separator)

    def inner(self) -> int:
        """Which child is the rest of the list."""
        return 0 if self.left else -1


class ListMerge(NamedTuple):
    """An element that stands before or after a list of further ones: `x ("," x)*`."""

    span: Span
    list_at: int
    separator: int
    """How many symbols of each of the list's tails are a separator."""

    @property
    def alone(self) -> Span:
        """The element that stands alone."""
        first, last = self.span
        return (first, self.list_at) if self.list_at > first else (first + 1, last)


class ListsAndOptionals:
    """What may be left out, for each production of a grammar."""

    def __init__(self, rules: Rules, minimal: MinimalStrings) -> None:
        self.rules, self.minimal = rules, minimal
        self.lists = {origin: found for origin in rules.by_origin if (found := self._recursion(origin)) is not None}
        self.units: Callable[[str], frozenset[str]] = cache(self._units)
        self.merges: Callable[[int], tuple[ListMerge, ...]] = cache(lambda n: tuple(self._merges(rules.productions[n])))
        self.parts: Callable[[int], tuple[Span, ...]] = cache(lambda n: tuple(self._parts(rules.productions[n])))
        self.nested: Callable[[str], bool] = cache(self._nested)

    def _recursion(self, origin: str) -> Recursion | None:
        """How a nonterminal is a list, if it is one."""
        going = [p for p in self.rules.by_origin[origin] if origin in p.symbols]
        bases = [p.symbols for p in self.rules.by_origin[origin] if origin not in p.symbols]
        if not going or not bases or any(p.symbols.count(origin) > 1 or len(p.symbols) < 2 for p in going):
            return None
        left = all(p.symbols[0] == origin for p in going)
        if not left and not all(p.symbols[-1] == origin for p in going):
            return None
        found = Recursion(left, {})
        for production in going:
            first, last = found.tail(production)
            fitting = (n for n in range(last - first) if self._is_base(production, found.element(production, n), bases))
            found.separators[production.number] = next(fitting, None)
        return found

    def _is_base(self, production: Production, span: Span, bases: Sequence[tuple[str, ...]]) -> bool:
        symbols = production.symbols[span[0] : span[1]]
        return symbols in bases or (
            len(symbols) == 1 and any(len(base) == 1 and symbols[0] in self._units(base[0]) for base in bases)
        )

    def _units(self, symbol: str) -> frozenset[str]:
        """The symbols that may stand for a symbol by themselves; it is one of them."""
        seen, waiting = {symbol}, [symbol]
        while waiting:
            for production in self.rules.by_origin.get(waiting.pop(), ()):
                needed = [s for s in production.symbols if self.minimal.tokens(s) != ()]
                alone = needed if len(needed) == 1 else production.symbols if not needed else ()
                waiting += [s for s in alone if s not in seen]
                seen.update(alone)
        return frozenset(seen)

    def _merges(self, production: Production) -> Iterator[ListMerge]:
        """Where an element and a list of further ones are one list."""
        end = 0
        for at, symbol in enumerate(production.symbols):
            tails = self._tails(symbol)
            for merge in (*self._before(production, at, tails), *self._after(production, at, tails)):
                if merge.span[0] >= end:
                    yield merge
                    end = merge.span[1]
                    break

    def _tails(self, symbol: str) -> list[tuple[str, ...]]:
        """The tails of a list that consists of nothing else."""
        recursion = self.lists.get(symbol)
        if recursion is None:
            return []
        own = self.rules.by_origin[symbol]
        tails = [p.symbols[slice(*recursion.tail(p))] for p in own if p.number in recursion.separators]
        bases = [p.symbols for p in own if p.number not in recursion.separators]
        return tails if all(base in tails or not base for base in bases) else []

    def _before(self, production: Production, at: int, tails: Sequence[tuple[str, ...]]) -> Iterator[ListMerge]:
        """`x ("," x)*`."""
        for size in range(min(map(len, tails), default=1) - 1, 0, -1):
            alone = production.symbols[max(at - size, 0) : at]
            if len(alone) == size and all(len(t) == len(tails[0]) and t[-size:] == alone for t in tails):
                yield ListMerge((at - size, at + 1), at, len(tails[0]) - size)

    def _after(self, production: Production, at: int, tails: Sequence[tuple[str, ...]]) -> Iterator[ListMerge]:
        """`(x ",")* x`."""
        for size in range(min(map(len, tails), default=1) - 1, 0, -1):
            alone = production.symbols[at + 1 : at + 1 + size]
            if len(alone) == size and all(len(t) == len(tails[0]) and t[:size] == alone for t in tails):
                yield ListMerge((at, at + 1 + size), at, size - len(tails[0]))

    def _parts(self, production: Production) -> Iterator[Span]:
        """Stretches that another alternative of the same rule does without; they hold each other or lie apart."""
        symbols, size = production.symbols, len(production.symbols)
        others = {other.symbols for other in self.rules.by_origin[production.origin]}
        merged = [merge.span for merge in self.merges(production.number)]
        taken: list[Span] = []
        for length in range(1, size):
            for start in sorted(range(size - length + 1), key=lambda at: (symbols[at] in self.rules.by_origin, at)):
                span = start, start + length
                if symbols[:start] + symbols[span[1] :] not in others or any(_cross(span, other) for other in taken):
                    continue
                if any(_cross(span, other) or _inside(span, other) for other in merged):
                    continue
                if sum(b - a for a, b in taken if _inside((a, b), span)) < length:
                    taken.append(span)
                    yield span

    def _nested(self, symbol: str) -> bool:
        """Whether a nonterminal of the user's may hold itself, other than as a list does."""
        if symbol.startswith(HELPER):
            return False
        recursion = self.lists.get(symbol)
        seen: set[str] = set()
        waiting = [
            below
            for production in self.rules.by_origin.get(symbol, ())
            for below in (
                production.symbols[slice(*recursion.tail(production))]
                if recursion is not None and production.number in recursion.separators
                else production.symbols
            )
        ]
        while waiting:
            below = waiting.pop()
            if below not in seen:
                seen.add(below)
                waiting += [s for p in self.rules.by_origin.get(below, ()) for s in p.symbols]
        return symbol in seen


def _cross(one: Span, other: Span) -> bool:
    """Whether two stretches overlap, and neither holds the other."""
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


def _inside(one: Span, other: Span) -> bool:
    """Whether a stretch is a proper part of another."""
    return other[0] <= one[0] and one[1] <= other[1] and one != other
