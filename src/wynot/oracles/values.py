"""Whether the values in a message are compared, asked of any oracle that runs a command, whatever is around it."""

from __future__ import annotations

from dataclasses import replace

from wynot.oracles.command import Command
from wynot.oracles.differs import Differs
from wynot.oracles.words import Oracle
from wynot.oracles.wrapping import Wrapping


def command_in(oracle: object) -> Command | None:
    """The command whose own failure is looked for; None where something else decides."""
    while isinstance(oracle, Wrapping):
        oracle = oracle.inner
    return oracle if isinstance(oracle, Command) and not oracle.conditions else None


def failure_of(oracle: object) -> str:
    """What the failure to look for shows: what a program says of it, or how two programs disagree."""
    while isinstance(oracle, Wrapping):
        oracle = oracle.inner
    if isinstance(oracle, Differs):
        return oracle.failure
    command = command_in(oracle)
    return command.failure if command is not None else ""


def compares_values(oracle: object) -> bool:
    """Whether the whole message is compared."""
    command = command_in(oracle)
    return command is not None and command.precision.values


def with_values(oracle: Oracle) -> Oracle:
    """The same oracle, to which another value in a message is another failure; for runs of one and the same input."""
    if isinstance(oracle, Wrapping):
        return replace(oracle, inner=with_values(oracle.inner))
    if isinstance(oracle, Command) and oracle.original is not None:
        return replace(oracle, precision=replace(oracle.precision, values=True))
    return oracle


def without_values(oracle: Oracle) -> Oracle:
    """The same oracle, to which another value in a message is the same failure."""
    if isinstance(oracle, Wrapping):
        return replace(oracle, inner=without_values(oracle.inner))
    if isinstance(oracle, Command):
        return replace(oracle, precision=replace(oracle.precision, values=False))
    return oracle
