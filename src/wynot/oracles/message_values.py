"""Values in messages: whether they are compared, and which of them come from the input."""

from __future__ import annotations

import re
from dataclasses import replace

from wynot.oracles.command import Command
from wynot.oracles.differs_from import DiffersFrom
from wynot.oracles.normalise import quoted
from wynot.oracles.protocol import Oracle, Wrapper
from wynot.oracles.signature import LONGEST


def command_in(oracle: object) -> Command | None:
    """The command whose own failure is looked for; None where something else decides."""
    while isinstance(oracle, Wrapper):
        oracle = oracle.inner
    return oracle if isinstance(oracle, Command) and not oracle.conditions else None


def failure_of(oracle: object) -> str:
    """What the failure to look for shows: what a program says of it, or how two programs disagree."""
    while isinstance(oracle, Wrapper):
        oracle = oracle.inner
    if isinstance(oracle, DiffersFrom):
        return oracle.failure
    command = command_in(oracle)
    return command.failure if command is not None else ""


def compares_values(oracle: object) -> bool:
    """Whether the whole message is compared."""
    command = command_in(oracle)
    return command is not None and command.precision.values


def with_values(oracle: Oracle) -> Oracle:
    """The same oracle, to which another value in a message is another failure; for runs of one and the same input."""
    if isinstance(oracle, Wrapper):
        return replace(oracle, inner=with_values(oracle.inner))
    if isinstance(oracle, Command) and oracle.original is not None:
        return replace(oracle, precision=replace(oracle.precision, values=True))
    return oracle


def without_values(oracle: Oracle) -> Oracle:
    """The same oracle, to which another value in a message is the same failure."""
    if isinstance(oracle, Wrapper):
        return replace(oracle, inner=without_values(oracle.inner))
    if isinstance(oracle, Command):
        return replace(oracle, precision=replace(oracle.precision, values=False))
    return oracle


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
