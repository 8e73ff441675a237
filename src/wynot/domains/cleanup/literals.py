"""Simplify literals: shorter strings and smaller numbers."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.core.config import Config
from wynot.domains.cleanup.rewrite_domain import Rewrite, simpler, within
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.domains.text.atom_domain import Region

# Smaller numbers for a number, in the notation of most languages.


_DECIMAL = re.compile(rb"([-+]?)(\d[\d_']*)?+(\.\d*)?+([eE][-+]?\d+)?+([A-Za-z_%]\w*)?+")
_BASED = re.compile(rb"([-+]?)(0[xXbBoO])([0-9a-fA-F][0-9a-fA-F_']*)([g-zG-Z]\w*)?")
_BASES = {b"x": (16, "x"), b"o": (8, "o"), b"b": (2, "b")}
_BITS = 64
"""Numbers that need more bits lose digits; others are counted down."""
_SHIFTS = (1, 2, 4, 8, 16, 32)


def smaller(text: bytes) -> Iterator[bytes]:
    """Numbers to try in the place of one; none where it is no number. Not all of them are smaller.

    >>> sorted(set(smaller(b"100")), key=int)
    [b'0', b'1', b'6', b'25', b'50', b'75', b'94', b'99', b'100']
    >>> b"0xfUL" in smaller(b"0x1fUL"), b"31" in smaller(b"0x1fUL"), b"1.5" in smaller(b"-1.5e3f")
    (True, True, False)
    >>> list(smaller(b"word"))
    []
    """
    based = _BASED.fullmatch(text)
    if based is not None:
        return _based(*based.groups(b""))
    decimal = _DECIMAL.fullmatch(text)
    if decimal is not None and (decimal[2] or len(decimal[3] or b"") > 1):
        return _decimal(*decimal.groups(b""))
    return iter(())


def _based(sign: bytes, prefix: bytes, digits: bytes, suffix: bytes) -> Iterator[bytes]:
    base, code = _BASES[prefix[1:].lower()]
    plain = digits.replace(b"_", b"").replace(b"'", b"")
    try:
        value = int(plain, base)
    except ValueError:  # 0b9
        return
    yield from (b"0", b"1", b"%d" % value, prefix + digits + suffix, sign + prefix + digits)
    for less in _down(value) if value.bit_length() <= _BITS else ():
        yield sign + prefix + format(less, code).encode() + suffix
    for kept in _shorter(plain):
        yield sign + prefix + kept + suffix


def _decimal(sign: bytes, whole: bytes, fraction: bytes, power: bytes, suffix: bytes) -> Iterator[bytes]:
    yield from (b"0", b"1", whole + fraction + power + suffix)
    if fraction or power:
        yield from (b"0.0", b"1.0")
    yield from (sign + whole + fraction + power, sign + whole + fraction, sign + whole + fraction + suffix)
    yield from (sign + whole, sign + whole + suffix)
    for kept in _shorter(fraction[1:]):
        yield sign + whole + b"." + kept + power + suffix
    plain = whole.replace(b"_", b"").replace(b"'", b"") or b"0"
    value = int(plain)
    for less in map(b"%d".__mod__, _down(value)) if value.bit_length() <= _BITS else _shorter(plain):
        yield sign + less + fraction + power + suffix


def _down(value: int) -> Iterator[int]:
    """The number itself, numbers far below it, and nearer and nearer ones."""
    yield value
    for part in (value >> shift for shift in _SHIFTS):
        yield from (part, value - part)
    yield max(value - 1, 0)


def _shorter(digits: bytes) -> Iterator[bytes]:
    """Half of some digits, and all but one of them."""
    yield from (digits[:kept] for kept in (len(digits) // 2, len(digits) - 1) if kept > 0)


_QUOTED = re.compile(
    rb"""
    (?P<prefix>[A-Za-z][A-Za-z0-9]{0,2})?
    (?P<quote>\"{3}|'{3}|["'`])
    (?P<inside>(?:(?!(?P=quote))[^\\]|\\.)*+)
    (?P=quote)
    """,
    re.VERBOSE | re.DOTALL,
)
_PIECE = re.compile(
    rb"""
    \\(?:x[0-9a-fA-F]{1,2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|.)
  | [\xc2-\xf4][\x80-\xbf]{1,3}
  | .
    """,
    re.VERBOSE | re.DOTALL,
)
_LONGEST = 400
"""What is longer is no number."""


class QuotedLiteral(NamedTuple):
    """A string or a character."""

    node: int
    prefix: bytes
    quote: bytes
    inside: Region


def literals(tree: SyntaxTree, free: Config) -> list[Rewrite]:
    """The literals of a file with smaller ones for them: empty strings, the character 0, small numbers."""
    found = (((tree.starts[node], tree.ends[node]), texts) for node, texts in _literals(tree))
    return [Rewrite((place,), texts) for place, texts in found if texts and within(place, free)]


def contents(tree: SyntaxTree, free: Config) -> list[Region]:
    """What stands in the quotes of a file."""
    return [each.inside for each in _walked(tree) if isinstance(each, QuotedLiteral) and within(each.inside, free)]


def piece_ends(data: bytes, start: int, stop: int) -> Sequence[int]:
    r"""Each character of a string is an atom; what is written with a backslash is one.

    >>> list(piece_ends(rb"a\n\x41b", 0, 8))
    [1, 3, 7, 8]
    """
    return array("Q", (match.end() for match in _PIECE.finditer(data, start, stop)))


def _literals(tree: SyntaxTree) -> Iterator[tuple[int, tuple[bytes, ...]]]:
    for each in _walked(tree):
        if isinstance(each, QuotedLiteral):
            yield each.node, simpler(tree.text(each.node), _emptied(tree, each))
        else:
            yield each, simpler(tree.text(each), smaller(tree.text(each)))


def _walked(tree: SyntaxTree) -> Iterator[QuotedLiteral | int]:
    """The strings and numbers of a file, outermost ones only."""
    node = 0
    while node < len(tree):
        quoted = _quoted(tree, node)
        if quoted is not None:
            yield quoted
        elif tree.ends[node] - tree.starts[node] <= _LONGEST and any(smaller(tree.text(node))):
            yield node
        else:
            node += 1
            continue
        node = tree.shape.lasts[node]


def _quoted(tree: SyntaxTree, node: int) -> QuotedLiteral | None:
    start, end = tree.starts[node], tree.ends[node]
    if tree.data[end - 1 : end] not in {b'"', b"'", b"`"}:
        return None
    match = _QUOTED.fullmatch(tree.data, start, end)
    return match and QuotedLiteral(node, match["prefix"] or b"", match["quote"][:1], match.span("inside"))


def _emptied(tree: SyntaxTree, each: QuotedLiteral) -> Iterator[bytes]:
    start, end = each.inside
    kind = tree.kinds[each.node]
    if start == end:
        return
    if ("char" in kind or "rune" in kind) and len(piece_ends(tree.data, start, end)) == 1:
        yield b"0"
        inside = b"0"
    else:
        inside = b""
    yield each.quote + inside + each.quote
    yield each.prefix + each.quote + inside + each.quote
