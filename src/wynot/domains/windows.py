"""Tokens that go together: pairs of brackets, and a few tokens in a row."""

from __future__ import annotations

from collections.abc import Iterator

from wynot.core.config import Config
from wynot.domains.flat import Flat

WIDEST = 4
"""Tokens in a row that are taken away as one, at most."""
FEW = 16
"""Of so few tokens, all rows are tried."""
_PAIRS = {b"(": b")", b"[": b"]", b"{": b"}", b"<": b">"}


def windows(domain: Flat, widest: int = WIDEST) -> list[Config]:
    """What to take away of a row of tokens: two to `widest` in a row, and pairs of brackets.

    Pairs come last, the widest first. Unless there are only a few tokens, no row breaks a pair: whether a bracket can
    do without its partner is seen when it is taken away alone.
    """
    count, found = len(domain), list(pairs(domain))
    partners = {one: other for pair in found for one, other in (pair, pair[::-1])} if count > FEW else {}
    rows = [
        Config((at, at + width))
        for width in range(2, widest + 1)
        for at in range(count - width + 1)
        if all(at <= partners.get(rank, rank) < at + width for rank in range(at, at + width))
    ]
    return [*rows, *(Config.of(pair) for pair in sorted(found, key=lambda pair: pair[1] - pair[0]))]


def pairs(domain: Flat) -> Iterator[tuple[int, int]]:
    """Brackets that belong together, by their ranks; a bracket without a counterpart belongs to none."""
    opened: list[tuple[bytes, int]] = []
    for rank in range(len(domain)):
        token = domain.data[domain.starts[rank] : domain.ends[rank]].strip()
        if token in _PAIRS:
            opened.append((_PAIRS[token], rank))
        elif token in _PAIRS.values():
            while opened and opened[-1][0] == b">" != token:
                opened.pop()  # it was a comparison
            if opened and opened[-1][0] == token:
                yield opened.pop()[1], rank
