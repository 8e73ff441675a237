"""A text that differs from one that was read in a few places: only there is it read again.

Reading begins a token or two before a change. Once it has passed the change, and the parser's stacks are as they were
at the same place of the known text, all that follows is as valid as it was.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from wynot.domains.grammar.parsing.glr import Front, ParseStack
from wynot.domains.grammar.parsing.parsed_tokens import BOM, ParsedTokens, TokenReader
from wynot.domains.syntax.incremental_validity import differing
from wynot.domains.syntax.text_edits import EditedRange

BEFORE = 2
"""Tokens before a change that are read again: what they are may depend on what follows."""
DEEP = 64
"""How far down two stacks are compared."""


class Reparser:
    """Says which texts can be read, beside one that was."""

    def __init__(self, reader: TokenReader, known: ParsedTokens) -> None:
        self._reader, self._known = reader, known

    def __call__(self, text: str) -> bool:
        """Whether a text can be read to its end."""
        return self.at(text, [EditedRange(*differing(self._known.text, text))])

    def at(self, text: str, places: Sequence[EditedRange]) -> bool:
        """Whether it can, if it differs in these places alone, given in order."""
        if self._known.root is None:
            return self._reader.read(text).root is not None
        return all(self._passes(text, places))

    def _passes(self, text: str, places: Sequence[EditedRange]) -> list[bool]:
        done: list[bool] = []
        number = 0
        while number < len(places):
            passed = self._pass(text, places, number)
            done.append(passed > 0)
            if passed <= 0:
                return done
            number += passed
        return done

    def _pass(self, text: str, places: Sequence[EditedRange], number: int) -> int:
        """Read from before one place until all is as it was; gives how many places that were, 0 where it cannot be."""
        known, reader = self._known, self._reader
        moved = (places[number - 1].now - places[number - 1].end) if number else 0
        token = max(bisect_right(known.ends, places[number].start) - BEFORE, 0)
        front: Front = known.fronts[token]
        modes = known.modes[token - 1] if token else reader.cut.modes
        at = known.ends[token - 1] + moved if token else len(BOM) if text.startswith(BOM) else 0
        last = number
        while at < len(text):
            while last + 1 < len(places) and at >= self._begins(places, last + 1):
                last += 1
            if at >= places[last].now and self._as_it_was(front, modes, at - places[last].now + places[last].end):
                return last - number + 1
            cut = reader.cut(text, at, modes, reader.accepts(front))
            if cut is None:
                return 0
            if not cut.skip:
                front = reader.parser.read(front, cut.terminal, 0)
                if not front:
                    return 0
            modes, at = cut.modes, cut.end
        return len(places) - number if reader.parser.end(front, 0) is not None else 0

    def _begins(self, places: Sequence[EditedRange], number: int) -> int:
        """Where a place begins, less the tokens before it, in the new text."""
        token = max(bisect_right(self._known.ends, places[number].start) - BEFORE - 1, 0)
        before = places[number - 1]
        return self._known.ends[token] - before.end + before.now if len(self._known) else 0

    def _as_it_was(self, front: Front, modes: object, at: int) -> bool:
        """Whether the parser stands as it did at this place of the known text."""
        known = self._known
        token = bisect_left(known.ends, at)
        if token >= len(known) or known.ends[token] != at or known.modes[token] != modes:
            return False
        before = known.fronts[token + 1]
        if len(front) != 1 or len(before) != 1:
            return False
        (one,), (other,) = front.values(), before.values()
        return _same(one, other)


def _same(one: ParseStack, other: ParseStack) -> bool:
    for _ in range(DEEP):
        if one is other:
            return True
        if one.state != other.state or len(one.links) != 1 or len(other.links) != 1:
            return False
        one, other = one.links[0][0], other.links[0][0]
    return False
