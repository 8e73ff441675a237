"""Edits of neighbouring tokens: windows, and operators with their operands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from wynot.core.config import Config
from wynot.domains.syntax.adapters.brackets import BRACKETS, faults
from wynot.domains.text.atom_domain import AtomDomain

# Operators with what they stand before or after, where no grammar says what belongs together.


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


WIDEST = 4
"""Tokens in a row that are taken away as one, at most."""
FEW_TOKENS = 16
"""Of more tokens no rows are tried: hardly one in a hundred tests finds anything there."""
_ENDS = b";,()[]{}<>"
"""Signs that a parser may do without."""
_PAIRS = {b"(": b")", b"[": b"]", b"{": b"}", b"<": b">"}
_CLOSING = frozenset(_PAIRS.values())
_BEGINNINGS, _END = (b"begin", b"do"), b"end"


def windows(domain: AtomDomain) -> list[Config]:
    """What to take away of a row of tokens, whatever it means: what a search from the end on meets first comes last.

    Single signs that end or separate something, and what looks like a bracket without a counterpart: many a parser goes
    on without them.
    Single words beside others; one between signs is all there is at its place. Pairs of brackets. Of a few tokens two
    to four in a row with one bracket of a pair: where none or both are in it, trees have most such rows.
    """
    found = paired(domain)
    count = len(domain)
    widths = range(2, WIDEST + 1) if count <= FEW_TOKENS else ()
    rows = [Config((at, at + width)) for width in widths for at in range(count - width + 1)]
    torn = [row for row in rows if any((pair.bounds[0] in row) != (pair.bounds[-1] - 1 in row) for pair in found)]
    opening = {pair.bounds[0] for pair in found}
    signs = [domain.data[start:end].strip()[:1] for start, end in zip(domain.starts, domain.ends, strict=True)]
    words = [False, *map(is_word, signs), False]
    beside = {at for at in range(count) if words[at + 1] and (words[at] or words[at + 2])}
    ends = {at for at in range(count) if signs[at] in _ENDS} - opening
    return [*torn, *found, *(Config.of([at]) for at in sorted(beside | ends))]


def wrappings(domain: AtomDomain) -> list[Config]:
    """Pairs of brackets, the widest last; of a few tokens each also with up to three tokens just before or after it.

    What asks for a list becomes what asks for one thing, and the like: either step alone may mean nothing.
    """
    found = paired(domain)
    if len(domain) > FEW_TOKENS:
        return found
    brackets = Config.union(found)
    beside = []
    for width, pair in product(range(1, WIDEST), found):
        places = (pair.bounds[-1], pair.bounds[0] - width)
        rows = [Config((at, at + width)) for at in places if 0 <= at <= len(domain) - width]
        beside += [row | pair for row in rows if not row & brackets]
    return [*beside, *found]


def tearing(domain: AtomDomain) -> Callable[[Config, Config], bool]:
    """Says of a step whether a pair or a row goes and no fewer brackets are without a partner then.

    Parsers do without a bracket at times, hardly without a pair; and what stands beside one bracket of a pair goes
    with it where that mends what is torn.
    """
    couples, found = set(paired(domain)), windows(domain)
    several = {window for window in found if len(window) > 1}
    singles = Config.union(window for window in found if len(window) == 1)
    tokens = (domain.data[start:end].strip() for start, end in zip(domain.starts, domain.ends, strict=True))
    brackets = {at: token for at, token in enumerate(tokens) if len(token) == 1 and token in BRACKETS}

    def lonely(config: Config) -> int:
        return faults(b"".join(token for at, token in brackets.items() if at in config))

    def tears(before: Config, after: Config) -> bool:
        gone = before - after
        if gone <= singles and gone not in several:
            return False
        return gone in couples or lonely(after) >= lonely(before)

    return tears


def is_word(sign: bytes) -> bool:
    """Whether a token that begins so is a word, a number or a string."""
    return sign.isalnum() or sign in b"_$\"'" or sign >= b"\x80"


def paired(domain: AtomDomain) -> list[Config]:
    """Pairs of brackets, the widest last."""
    return [Config.of(pair) for pair in sorted(pairs(domain), key=lambda pair: pair[1] - pair[0])]


def pairs(domain: AtomDomain) -> Iterator[tuple[int, int]]:
    """Brackets that belong together, by their ranks; a bracket without a counterpart belongs to none.

    `begin` and `end` are brackets, too, `BEGIN` and `END` as well, but only among themselves: signs pair as if there
    were no words, and a word without its end goes with the bracket around it.
    """
    signs: list[tuple[bytes, int]] = []
    words: list[tuple[int, int]] = []
    depth = 0  # of brackets that are surely some
    for rank in range(len(domain)):
        token = domain.data[domain.starts[rank] : domain.ends[rank]].strip()
        if token in _PAIRS:
            signs.append((_PAIRS[token], rank))
            depth += token != b"<"
        elif token in _CLOSING:
            while signs and signs[-1][0] == b">" != token:
                signs.pop()  # it was a comparison
            if signs and signs[-1][0] == token:
                yield signs.pop()[1], rank
                depth -= token != b">"
                while words and words[-1][0] > depth:
                    words.pop()
        elif token.lower() in _BEGINNINGS:
            words.append((depth, rank))
        elif words and words[-1][0] == depth and token.lower() == _END:
            yield words.pop()[1], rank
