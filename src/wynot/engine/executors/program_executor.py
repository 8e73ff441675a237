"""Executors that run programs for an oracle, on this machine or on a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Self

from wynot.core.artifact import Content
from wynot.engine.executors.in_process import Key
from wynot.engine.executors.limits import Limits
from wynot.oracles.protocol import Examiner, Oracle, Report


class ProgramExecutor(ABC):
    """An executor whose tests are examinations by an oracle."""

    def __init__(self, oracle: Oracle, limits: Limits) -> None:
        self.oracle, self.limits = oracle, limits
        self.examiner: Examiner | None = None
        """Stands in for the oracle for a while."""
        self.runs = 0
        """Programs run, of which a test may need several."""
        self.away = 0.0
        self.server = False
        """Whether the program is to be kept ready (engine.executors.fork_server), if that can be."""
        self.preparing: Callable[[], None] | None = None
        """To be done before the next test, once: where all is known there is none."""

    @property
    @abstractmethod
    def jobs(self) -> int:
        """How many tests may run at once."""

    @property
    @abstractmethod
    def free(self) -> int:
        """How many more may be submitted now."""

    @property
    @abstractmethod
    def crowd(self) -> float:
        """How many tests share a processor."""

    def prepare(self) -> None:
        """Do what is to be done before a test; whoever examines has to begin after that."""
        preparing, self.preparing = self.preparing, None
        if preparing is not None:
            examiner = self.examiner
            preparing()
            self.examiner = examiner

    @abstractmethod
    def submit(self, key: Key, candidate: Content) -> None:
        """Begin a test."""

    @abstractmethod
    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:
        """Wait until a test is done, or for so many seconds; give back those that are."""

    @abstractmethod
    def kill(self, key: Key) -> None:
        """Stop a test whose outcome nobody wants any more; it is never reported."""

    @abstractmethod
    def afresh(self) -> None:
        """Each worker's next test finds nothing that earlier ones have built."""

    @abstractmethod
    def renewed(self) -> Self:
        """An executor like this one, which is closed; the count goes on."""

    @abstractmethod
    def close(self) -> None:
        """Stop all tests and leave nothing behind."""
