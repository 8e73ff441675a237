"""Tokens that go together: pairs of brackets, and a few tokens in a row."""

from __future__ import annotations

from collections.abc import Iterator

from wynot.core.config import Config
from wynot.domains.flat import Flat

WIDEST = 4
"""Tokens in a row that are taken away as one, at most."""
FEW_TOKENS = 16
"""Of more tokens no rows are tried: hardly one in a hundred tests finds anything there."""
_PAIRS = {b"(": b")", b"[": b"]", b"{": b"}", b"<": b">"}


def windows(domain: Flat, widest: int = WIDEST) -> list[Config]:
    """What to take away of a row of tokens: pairs of brackets, and of a few tokens two to `widest` in a row.

    Pairs come last, the widest first.
    """
    count = len(domain)
    widths = range(2, widest + 1) if count <= FEW_TOKENS else ()
    rows = [Config((at, at + width)) for width in widths for at in range(count - width + 1)]
    found = sorted(pairs(domain), key=lambda pair: pair[1] - pair[0])
    return [*rows, *map(Config.of, found)]


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
