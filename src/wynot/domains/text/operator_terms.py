"""Operators with what they stand before or after, where no grammar says what belongs together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wynot.core.config import Config
from wynot.domains.text.atom_domain import AtomDomain
from wynot.domains.text.token_windows import is_word, pairs, wrappings

_NO_OPERATORS = b"()[]{};,"


def terms(domain: AtomDomain) -> list[Config]:
    """`== 1` and `a ==` of `a == 1`, `: T` of `x : T`, `+ (b)` of `a + (b)`; last, all pairs of brackets."""
    tokens = [domain.data[start:end].lstrip() for start, end in zip(domain.starts, domain.ends, strict=True)]
    partners = dict(pairs(domain))
    openings = {last: first for first, last in partners.items()}
    found = []
    for first, last in _operators(tokens):
        if first and (is_word(tokens[first - 1][:1]) or first - 1 in openings):
            found.append(Config((openings.get(first - 1, first - 1), last)))
        if last < len(tokens) and (is_word(tokens[last][:1]) or last in partners):
            found.append(Config((first, partners.get(last, last) + 1)))
    return [*found, *wrappings(domain)]


def _operators(tokens: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Where operators begin and end: tokens of one sign each, with nothing in between."""
    first = None
    for at, token in enumerate(tokens):
        if not _is_operator(token):
            continue
        first = at if first is None else first
        if at + 1 == len(tokens) or token[-1:].isspace() or not _is_operator(tokens[at + 1]):
            yield first, at + 1
            first = None


def _is_operator(token: bytes) -> bool:
    sign = token[:1]
    return not is_word(sign) and sign not in _NO_OPERATORS
