"""Numbers of things, in words."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """A number with the plural form that fits it.

    >>> counted(0, "test"), counted(1, "test"), counted(1234, "test"), counted(2, "pass")
    ('0 tests', '1 test', '1234 tests', '2 passes')
    """
    if number == 1:
        return f"1 {thing}"
    return f"{number} {thing}{'es' if thing.endswith(('s', 'ch')) else 's'}"
