"""What a token looks like, part by part: what it may begin with, how long it gets, which ways there are to match it.

Python's alternation takes the first alternative that fits, Lex and ANTLR take the longest match. So alternatives that
may begin with the same character become patterns of their own, as far as there are few.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import inf, prod

from wynot.domains.grammar.rule_parts import (
    LAST,
    Chars,
    Choice,
    Name,
    Others,
    Part,
    PartSequence,
    Ranges,
    Repeat,
    Text,
    alternatives,
    both_cases,
    choice,
    others,
    overlap,
    ranges,
    row,
)

MANY = 24
"""So many patterns at most are made of one rule."""
NESTED = 3
"""How deep a token that holds itself (nested comments) is followed."""
EVERY: Ranges = ((0, LAST),)


def expanded(part: Part, look: Callable[[str, int], Part], inside: tuple[str, ...] = ()) -> Part | None:  # noqa: PLR0911 - one for each kind
    """Gives the part with all names replaced by what they stand for; None where that would never end."""
    match part:
        case Name(name=name, line=line):
            if inside.count(name) >= NESTED:
                return None
            return expanded(look(name, line), look, (*inside, name))
        case PartSequence(items):
            found = [expanded(item, look, inside) for item in items]
            return None if None in found else row(one for one in found if one is not None)
        case Choice(items):
            some = [one for one in (expanded(item, look, inside) for item in items) if one is not None]
            return choice(some) if some else None
        case Repeat(item=item, least=least):
            one = expanded(item, look, inside)
            if one is None:
                return None if least else PartSequence()
            return replace(part, item=one)
        case Others(item=item, any_case=any_case):
            return _others(expanded(item, look, inside), any_case=any_case)
    return part


def _others(part: Part | None, *, any_case: bool) -> Part:
    some = one_class(alternatives(part)) if part is not None else None
    if some is None:
        raise NoCharactersError
    return Chars(others(both_cases(some) if any_case else some))


class NoCharactersError(ValueError):
    """Something else than characters stands where only they can."""


def begins(part: Part) -> tuple[Ranges, bool]:  # noqa: PLR0911 - one for each kind
    """The characters that it may begin with, and whether it may be empty."""
    match part:
        case Text(text=""):
            return (), True
        case Text(text=text, any_case=any_case):
            first = {text[0], text[0].lower(), text[0].upper()} if any_case else {text[0]}
            return ranges((ord(one), ord(one)) for one in first if len(one) == 1), False
        case Chars(ranges=some):
            return some, False
        case Choice(items):
            found = [begins(item) for item in items]
            return ranges(pair for some, _empty in found for pair in some), any(empty for _some, empty in found)
        case Repeat(item=item, least=least):
            some, empty = begins(item)
            return some, empty or not least
        case PartSequence(items):
            pairs: list[tuple[int, int]] = []
            for item in items:
                some, empty = begins(item)
                pairs += some
                if not empty:
                    return ranges(pairs), False
            return ranges(pairs), True
    return EVERY, True


def never_empty(part: Part) -> Part | None:
    """The part without the empty text; None where nothing else is left."""
    if not begins(part)[1]:
        return part
    match part:
        case Repeat(item=item, least=0):
            one = never_empty(item)
            return None if one is None else replace(part, item=one, least=1)
        case Choice(items):
            some = [one for one in map(never_empty, items) if one is not None]
            return choice(some) if some else None
        case PartSequence(items):
            rows = [(never_empty(item), items[at + 1 :]) for at, item in enumerate(items)]
            found = [row((first, *rest)) for first, rest in rows if first is not None]
            return choice(found) if found else None
        case Text(text=""):
            return None
    return part


def widest(part: Part) -> float:
    """The length of the longest text that it matches."""
    match part:
        case Text(text=text):
            return len(text)
        case Chars():
            return 1
        case PartSequence(items):
            return sum(map(widest, items))
        case Choice(items):
            return max(map(widest, items))
        case Repeat(item=item, most=most):
            wide = widest(item)
            return wide * (inf if most is None else most) if wide else 0
    return inf


def apart(items: tuple[Part, ...]) -> bool:
    """Whether the first character decides among them."""
    seen: Ranges = ()
    for item in items:
        some, empty = begins(item)
        if empty or overlap(seen, some):
            return False
        seen = ranges((*seen, *some))
    return True


def ways(part: Part) -> list[Part]:
    """Gives the alternatives to try for the longest match; each is matched well by the first that fits."""
    if isinstance(part, Choice) and not apart(part.items):
        found = [one for item in part.items for one in ways(item)]
        return found if len(found) <= MANY else [part]
    if isinstance(part, PartSequence):
        several = [ways(item) for item in part.items]
        if prod(map(len, several)) <= MANY:
            return [row(one) for one in product(*several)]
    return [part]


def one_class(items: tuple[Part, ...]) -> Ranges | None:
    """The characters to choose from, where each of the alternatives is but one character; else None."""
    found: list[tuple[int, int]] = []
    for item in items:
        match item:
            case Chars(ranges=some):
                found += some
            case Text(text=text, any_case=any_case) if len(text) == 1:
                one = ((ord(text), ord(text)),)
                found += both_cases(one) if any_case else one
            case Choice(inner):
                deeper = one_class(inner)
                if deeper is None:
                    return None
                found += deeper
            case _:
                return None
    return ranges(found)
