"""Smaller numbers for a number, in the notation of most languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
