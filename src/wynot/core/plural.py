"""Numbers of things, in words."""

from __future__ import annotations

import re

_SEVERAL = re.compile(r"(?<=\w[^\Ws])s\b")


def counted(number: int, thing: str) -> str:
    """So many of a thing.

    >>> counted(0, "test"), counted(1, "test"), counted(1234, "test"), counted(2, "pass")
    ('0 tests', '1 test', '1234 tests', '2 passes')
    """
    if number == 1:
        return f"1 {thing}"
    return f"{number} {thing}{'es' if thing.endswith(('s', 'ch')) else 's'}"


def so_many(number: int, things: str) -> str:
    """A number before the name of several things.

    >>> so_many(1, "changes, one by one"), so_many(2, "changes"), so_many(1, "css")
    ('1 change, one by one', '2 changes', '1 css')
    """
    if number != 1:
        return f"{number} {things}"
    return f"1 {_SEVERAL.sub('', things, count=1)}"
