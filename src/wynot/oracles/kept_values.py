"""Values in a message that come from the input, and that a simplified input can keep.

A search that changes the input does not compare values, as most of them have to change. So it may end at a failure like
`could not convert ''` where the original could not convert 'n/a'. What the input holds literally need not be lost.
"""

from __future__ import annotations

import re

from wynot.oracles.command import Command
from wynot.oracles.normal import quoted
from wynot.oracles.signature import LONGEST

MAX_LENGTH = 20
"""Longer values are pieces of the input rather than values: keeping them would keep the input."""
DATA = frozenset({None, "none", "outline", "json", "xml", "html", "yaml", "toml", "markdown"})
"""Languages of data: in all others, a word in quotes is most often a name that the input gives to something."""
_NAME = re.compile(r"\w+")


def kept_values(command: Command, data: bytes, *, program: bool) -> tuple[str, ...]:
    """The quoted values of the failure's message that stand in the input.

    Where that is a program, names are not among them: a search gives others, or other things, their place.
    """
    said = command.expected.diagnosis if command.expected is not None else None
    if said is None or command.precision.level == "exit" or command.precision.values:
        return ()
    found = values_in(said.kind, said.message[:LONGEST], data.decode("utf-8", "replace"))
    return tuple(value for value in found if not (program and _NAME.fullmatch(value)))


def values_in(kind: str, message: str, text: str) -> tuple[str, ...]:
    """The quoted values of a message that stand in a text. An assertion shows whatever it is given: it has none.

    >>> values_in("ValueError", "could not convert 'n/a' or 'x'", "a,n/a")
    ('n/a',)
    """
    if "assert" in kind.lower():
        return ()
    found = (value for value in quoted(message) if 0 < len(value) <= MAX_LENGTH)
    return tuple(dict.fromkeys(value for value in found if value in text))


def keeps(failure: str, values: tuple[str, ...]) -> bool:
    """Whether a failure speaks of all these values."""
    said = set(quoted(failure))
    return said.issuperset(values)
