"""Oracles around another oracle, and oracles whose signature is fixed from the start."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from wynot.core.artifact import Artifact
from wynot.oracles.protocol import Examination, Invocation, Oracle, ProcessExit, Report

if TYPE_CHECKING:
    from wynot.oracles.command import Command

Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """All that an oracle says which only passes another one's words on."""

    inner: Oracle

    def agreed(self, others: list[Self]) -> Self:
        """As the inner oracles agree."""
        return replace(self, inner=self.inner.agreed([other.inner for other in others]))

    def shows(self, observed: Self) -> bool:
        """As the inner oracle says."""
        return self.inner.shows(observed.inner)

    def files(self) -> tuple[str, ...]:
        """The inner oracle's."""
        return self.inner.files()

    def with_commands(self, change: Callable[[Command], Command]) -> Self:
        """With the inner oracle's commands changed so."""
        return replace(self, inner=with_commands(self.inner, change))

    def memory(self) -> dict[str, Any]:
        """What the inner oracle remembers."""
        return self.inner.memory()

    def recall(self, memory: dict[str, Any]) -> Self:
        """As it was."""
        return replace(self, inner=self.inner.recall(memory))


def with_commands(oracle: Oracle, change: Callable[[Command], Command]) -> Oracle:
    """The same oracle with each command that it runs changed so; one that runs none stays as it is."""
    changed: Callable[[Callable[[Command], Command]], Oracle] | None = getattr(oracle, "with_commands", None)
    return oracle if changed is None else changed(change)


def words_of_commands(oracle: Oracle) -> list[str]:
    """The words of the commands that it runs."""
    words: list[str] = []

    def seen(command: Command) -> Command:
        words.extend(command.argv)
        return command

    with_commands(oracle, seen)
    return words


def altered(
    examination: Generator[Invocation, ProcessExit, Given], alter: Callable[[Invocation], Invocation]
) -> Generator[Invocation, ProcessExit, Given]:
    """The same examination, with all that it runs run in another way."""
    try:
        invocation = next(examination)
        while True:
            invocation = examination.send((yield alter(invocation)))
    except StopIteration as done:
        given: Given = done.value
        return given


class FixedSignature(ABC):
    """All that such an oracle says of what it has learnt."""

    __slots__ = ()

    @abstractmethod
    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Say what to run, one after the other, and judge."""

    def observe(self, artifact: Artifact, folder: str) -> Generator[Invocation, ProcessExit, tuple[Self, Report]]:
        """There is nothing to learn."""
        return self, (yield from self.examine(artifact, folder))

    def agreed(self, _others: list[Self]) -> Self:
        """All are one and the same."""
        return self

    def shows(self, _observed: Self) -> bool:
        """It knows one failure only."""
        return True

    def memory(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def recall(self, _memory: dict[str, Any]) -> Self:
        """As it is."""
        return self
