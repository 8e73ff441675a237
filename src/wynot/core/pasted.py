"""Names in lines that users paste into a shell."""

from __future__ import annotations

from shlex import quote


def pasted(name: object) -> str:
    """A name as a shell takes it: quoted where it has to be, and never an option.

    >>> pasted("bug.c"), pasted("my bug.c"), pasted("-rf")
    ('bug.c', "'my bug.c'", './-rf')
    """
    text = str(name)
    return quote(f"./{text}" if text.startswith("-") else text)
