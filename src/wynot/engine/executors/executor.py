"""What an executor is, and the ones that run Python functions."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from wynot.core.outcome import Outcome
from wynot.oracles.protocol import Report

if TYPE_CHECKING:
    from concurrent.futures import Future  # loaded where there are threads only
from abc import ABC, abstractmethod
from typing import Self

from wynot.core.artifact import Content
from wynot.engine.executors.sandbox import Limits
from wynot.engine.files.file_guard import FileGuard
from wynot.oracles.protocol import Examiner, Oracle

Candidate = TypeVar("Candidate")
Taken_contra = TypeVar("Taken_contra", contravariant=True)
Key = bytes


@dataclass(frozen=True, slots=True)
class TestSettings:
    """How one test is run, where that differs from the others."""

    examiner: Examiner | None = None
    """Examines the candidate instead of the executor's oracle."""
    limits: Limits | None = None
    """Used instead of the executor's limits."""
    prepared: bool = True
    """Whether the executor may prepare itself before this test (`ProgramExecutor.prepare_with`)."""


USUAL = TestSettings()
"""A test that is run as the executor runs all others."""


class Executor(Protocol[Taken_contra]):
    """Runs up to `jobs` tests at once. Who submits keeps count with `free`."""

    @property
    def jobs(self) -> int:
        """How many tests may run at once."""
        ...

    @property
    def free(self) -> int:
        """How many more may be submitted now."""
        ...

    @property
    def away(self) -> float:
        """Seconds in which nothing could be done but wait for tests; all other time is the engine's."""
        ...

    def submit(self, key: Key, candidate: Taken_contra, settings: TestSettings = USUAL) -> None:
        """Begin a test."""
        ...

    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:
        """Wait until a test is done, or for so many seconds; give back those that are."""
        ...

    def kill(self, key: Key) -> None:
        """Stop a test whose outcome nobody wants any more; it is never reported."""
        ...

    def close(self) -> None:
        """Stop all tests and leave nothing behind."""
        ...


def timed(test: Callable[[Candidate], Outcome], candidate: Candidate) -> Report:
    """Run a callable and see how long it takes."""
    start = time.perf_counter()
    outcome = test(candidate)
    return Report(outcome, "", time.perf_counter() - start)


def _outcome_of(future: Future[Report]) -> Report:
    """What a test said; if it raised, that is for the one who needs it."""
    error = future.exception()
    return future.result() if error is None else Report(Outcome.UNRESOLVED, error=error)


class InlineExecutor(Generic[Candidate]):
    """Runs a Python callable in this thread, one test at a time."""

    jobs = 1

    def __init__(self, test: Callable[[Candidate], Outcome]) -> None:
        self._test = test
        self._done: deque[tuple[Key, Report]] = deque()
        self.away = 0.0

    @property
    def free(self) -> int:
        """One at a time."""
        return 1 - len(self._done)

    def submit(self, key: Key, candidate: Candidate, settings: TestSettings = USUAL) -> None:  # noqa: ARG002 - a function has none
        """Run the test at once."""
        report = timed(self._test, candidate)
        self.away += report.seconds
        self._done.append((key, report))

    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:  # noqa: ARG002 - it never has to
        """Give back the test that was run."""
        done = list(self._done)
        self._done.clear()
        return done

    def kill(self, key: Key) -> None:
        """Nothing runs; what was found out is not told."""
        self._done = deque(each for each in self._done if each[0] != key)

    def close(self) -> None:
        """Nothing runs."""


class ThreadExecutor(Generic[Candidate]):
    """Runs a Python callable in several threads: for tests that wait. A thread cannot be killed, only ignored."""

    def __init__(self, test: Callable[[Candidate], Outcome], jobs: int) -> None:
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - not for those who run programs

        self._test, self._jobs = test, jobs
        self._threads = ThreadPoolExecutor(jobs, "wynot-test")
        self._running: dict[Future[Report], Key] = {}
        self._done: queue.SimpleQueue[Future[Report]] = queue.SimpleQueue()
        self._busy = 0
        self.away = 0.0

    @property
    def jobs(self) -> int:
        """How many threads there are."""
        return self._jobs

    @property
    def free(self) -> int:
        """Threads without work; an ignored test still keeps its thread."""
        return self._jobs - self._busy

    def submit(self, key: Key, candidate: Candidate, settings: TestSettings = USUAL) -> None:  # noqa: ARG002 - as above
        """Give the test to a thread."""
        future = self._threads.submit(timed, self._test, candidate)
        self._running[future] = key
        self._busy += 1
        future.add_done_callback(self._done.put)

    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:
        """Wait for one and take all that are done."""
        reports: list[tuple[Key, Report]] = []
        begun = time.perf_counter()
        try:
            future = self._done.get(timeout=timeout)
            self.away += time.perf_counter() - begun
            while True:
                self._busy -= 1
                key = self._running.pop(future, None)
                if key is not None:
                    reports.append((key, _outcome_of(future)))
                future = self._done.get_nowait()
        except queue.Empty:
            return reports

    def kill(self, key: Key) -> None:
        """Forget the test; one that has not begun is cancelled."""
        for future in [f for f, k in self._running.items() if k == key]:
            del self._running[future]
            future.cancel()

    def close(self) -> None:
        """Forget all tests, do not wait for them."""
        self._running.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)


# Executors that run programs for an oracle, on this machine or on a cluster.


class ProgramExecutor(ABC):
    """An executor whose tests are examinations by an oracle.

    `guard`: sees that tests change no file of the user's.
    `server`: whether the program is to be kept ready (engine.executors.fork_server), if that can be.
    """

    def __init__(self, oracle: Oracle, limits: Limits, guard: FileGuard | None = None, *, server: bool = False) -> None:
        self.oracle, self.limits, self.guard, self.server = oracle, limits, guard, server
        self._preparing: Callable[[], None] | None = None
        self.runs = 0
        """Programs run, of which a test may need several."""
        self.away = 0.0

    def examine_with(self, oracle: Oracle) -> None:
        """Examine candidates with this oracle from now on: it looks for what the baseline has shown."""
        self.oracle = oracle

    def limit_to(self, limits: Limits) -> None:
        """Give tests these limits from now on."""
        self.limits = limits

    @contextmanager
    def unguarded(self) -> Iterator[None]:
        """Let tests change files of the user's meanwhile: whoever asks for that puts them back."""
        guard, self.guard = self.guard, None
        try:
            yield
        finally:
            self.guard = guard

    def charge(self, runs: int = 0, away: float = 0.0) -> None:
        """Add what another executor has run, or the time that was spent waiting for it."""
        self.runs += runs
        self.away += away

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

    def last_look(self) -> None:
        """See that no file of the user's has changed, before a result is reported."""
        if self.guard is not None:
            self.guard.check(last=True)

    def prepare_with(self, preparing: Callable[[], None]) -> None:
        """Do this before the next test, once: where all is known there is none."""
        self._preparing = preparing

    def _prepare(self, settings: TestSettings) -> None:
        if self._preparing is not None and settings.prepared:
            preparing, self._preparing = self._preparing, None
            preparing()

    @abstractmethod
    def submit(self, key: Key, candidate: Content, settings: TestSettings = USUAL) -> None:
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
