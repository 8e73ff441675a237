"""Benches that make trouble, within what the protocol allows."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Generic

from wynot.core.outcome import Outcome
from wynot.engine.executors.executor import USUAL, Candidate, Key, TestSettings
from wynot.engine.tester import LONG
from wynot.oracles.protocol import Report


class UnrulyBench(Generic[Candidate]):
    """Ends tests in any order, some at once and some late, sometimes none; a killed test may keep its place a while.

    It runs nothing at the same time: how the tests fall out is decided by the seed alone.
    """

    def __init__(self, test: Callable[[Candidate], Outcome], jobs: int, seed: int) -> None:
        self.jobs = jobs
        self.away = 0.0
        self.submitted: list[Key] = []
        self._test, self._chance = test, Random(seed)
        self._running: dict[Key, Candidate] = {}
        self._dying = 0

    @property
    def free(self) -> int:
        return self.jobs - len(self._running) - self._dying

    def submit(self, key: Key, candidate: Candidate, settings: TestSettings = USUAL) -> None:
        assert self.free > 0, "more tests at once than there are places"
        assert key not in self._running, "the same test twice at the same time"
        self._running[key] = candidate
        self.submitted.append(key)

    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:
        assert self._running or self._dying, "waits for nothing: it would wait for ever"
        if self._dying and self._chance.random() < 0.5:
            self._dying -= 1
            return []
        keys = list(self._running)
        self._chance.shuffle(keys)
        ended = keys[: self._chance.randint(min(1, len(keys)), max(1, len(keys) // 2))]
        if not ended:
            self._dying = 0
        return [(key, Report(self._test(self._running.pop(key)), "", self._seconds())) for key in ended]

    @property
    def spare(self) -> bool:
        """Mostly there is time to work out what may come, too."""
        return len(self.submitted) % 3 > 0

    def _seconds(self) -> float:
        """Every second test is said to have taken long: then drivers make the next ones ready early."""
        return LONG * (len(self.submitted) % 2)

    def kill(self, key: Key) -> None:
        del self._running[key]
        self._dying += self._chance.random() < 0.5

    def close(self) -> None:
        self._running.clear()


class NoBench(Generic[Candidate]):
    """Must not be asked: all outcomes are known."""

    def __init__(self, jobs: int) -> None:
        self.jobs = self.free = jobs
        self.away = 0.0

    def submit(self, key: Key, candidate: Candidate, settings: TestSettings = USUAL) -> None:
        raise AssertionError(f"a test is run although its outcome is known: {candidate}")

    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:
        raise AssertionError("nothing runs")

    def kill(self, key: Key) -> None:
        raise AssertionError("nothing runs")

    def close(self) -> None:
        """Nothing runs."""
