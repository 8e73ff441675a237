"""Run tests on a Dask cluster; signals wait while its client is at work."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NamedTuple

from wynot.core.artifact import Content
from wynot.core.outcome import UNRESOLVED
from wynot.core.run_events import Caution, Listener, Note
from wynot.core.text import counted
from wynot.engine.executors.dask.dask_client import Cluster, Connection, check_workers, connect
from wynot.engine.executors.dask.messages import ParcelMaker, TestAnswer, TestOrder
from wynot.engine.executors.executor import USUAL, Key, ProgramExecutor, TestSettings
from wynot.engine.executors.sandbox import Limits
from wynot.engine.files.file_guard import FileGuard
from wynot.engine.warmup import ENDING
from wynot.errors import Interrupted, UsageError
from wynot.oracles.protocol import Oracle, Report

# What should not be left half done, although someone is impatient.


LONGEST = 3.0
"""Seconds for which nobody is listened to."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait until this is done, a few seconds at most; where all is ending anyway, it need not come again.

    Dask that was left half closed goes on with it when Python ends: too late, and for ten seconds.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    begun, held = time.monotonic(), set[int]()
    wished = {number: signal.getsignal(number) for number in ENDING}
    handlers = {number: handler for number, handler in wished.items() if callable(handler)}

    def hold(number: int, frame: FrameType | None) -> None:
        if time.monotonic() - begun > LONGEST:
            handlers[signal.Signals(number)](number, frame)
        else:
            held.add(number)

    for wish in handlers:
        signal.signal(wish, hold)
    try:
        yield
    finally:
        for wish, handler in handlers.items():
            signal.signal(wish, handler)
    if sys.exception() is None:
        for number in held:
            signal.raise_signal(number)


# What the cluster says became of tests. Dask's own types stay in here.


# Who is there to run tests, and which tests are on their way to whom.


LOOK = 1.0
"""Seconds between two looks at who is there."""


@dataclass(slots=True, eq=False)
class WorkerState:
    """A worker of the cluster."""

    address: str
    slots: int
    busy: int = 0
    known: set[bytes] = field(default_factory=set)
    """What it was sent before, by digests."""


@dataclass(slots=True, eq=False)
class RunningTest:
    """A test on its way."""

    key: Key
    candidate: Content
    settings: TestSettings
    lost: int = 0
    """How often what ran it has died."""
    future: Any = None
    host: WorkerState | None = None

    def board(self, host: WorkerState | None, future: Any) -> None:
        """Take a place."""
        self.host, self.future = host, future
        if host is not None:
            host.busy += 1

    def leave(self) -> None:
        """Let its place go to others."""
        if self.host is not None:
            self.host.busy -= 1
        self.host = self.future = None


class WorkerTable:
    """The workers that there are, looked at now and then."""

    def __init__(self, client: Any, listener: Listener) -> None:
        self._client, self._listener = client, listener
        self._hosts: dict[str, WorkerState] = {}
        self._looked = 0.0

    def __len__(self) -> int:
        return len(self._hosts)

    @property
    def slots(self) -> int:
        """Threads of all of them."""
        return sum(host.slots for host in self._hosts.values())

    def look(self) -> None:
        """See who has joined or left, if that was not done a moment ago."""
        if time.perf_counter() - self._looked < LOOK:
            return
        threads: dict[str, int] = self._client.nthreads()
        self._looked = time.perf_counter()
        if not threads and self._hosts:
            self._listener(Caution("no worker is left: waiting for one to join"))
        self._hosts = {
            each: self._hosts.get(each) or WorkerState(each, slots) for each, slots in sorted(threads.items())
        }

    def idlest(self) -> WorkerState | None:
        """The one with the most threads to spare; None where nobody is there."""
        return max(self._hosts.values(), key=lambda host: host.slots - host.busy, default=None)


# The executor whose tests run on a cluster.
#
# Tests are placed by this side: each worker gets as many as it has threads, and it is known what it was sent before.
# What happens to a test after that is the cluster's matter: if its worker dies it is run again by another one.


LIVES = 3
"""So often a test may be lost with what ran it; the last time nothing else runs beside it."""

QUEUED = 8
"""For so many threads one more test is on its way."""


class RunContext(NamedTuple):
    """What tests of a run have in common."""

    name: str
    """The artifact's."""
    size: int = 0
    """Bytes of the largest one."""
    lasting: bool = False
    """Whether folders stay between tests (engine.executors.work_tree)."""


class WaitForWorkers(NamedTuple):
    """Who is there while nothing can be tested yet."""

    listener: Listener
    linger: Callable[[float], None]
    """Lets so many seconds pass; ends the run where a budget or the user wishes so."""


class DaskExecutor(ProgramExecutor):
    """Runs as many examinations at once as the cluster has threads, now."""

    def __init__(
        self, oracle: Oracle, work: RunContext, limits: Limits, cluster: Cluster, waiting: WaitForWorkers,
        guard: FileGuard | None = None, *, server: bool = False, age: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(oracle, limits, guard, server=server)
        self._work, self._cluster, self._waiting = work, cluster, waiting
        self._listener = listener = waiting.listener
        self._session = f"wynot-{uuid.uuid4().hex[:12]}"
        self._count, self._age = 0, age
        self._packer = ParcelMaker()
        self._last: TestOrder | None = None
        self._flying: dict[Key, RunningTest] = {}
        self._suspects: deque[RunningTest] = deque()
        """Tests on their way that went down with what ran them: the first of them runs alone, then the next."""
        self._done: queue.SimpleQueue[tuple[RunningTest, Any]] = queue.SimpleQueue()
        doing = "starting workers for" if cluster.local is not None else "connecting to"
        listener(Note(f"{doing} the cluster at {cluster.address} ..."))
        self._connection: Connection | None = connect(cluster)
        self._hosts = WorkerTable(self._connection.client, listener)
        try:
            self._crowd = self._begun(self._connection)
        except BaseException:
            self.close()
            raise

    def _begun(self, connection: Connection) -> float:
        """Wait for a worker, and be at home there; gives how many tests share a processor."""
        from wynot.engine.executors.dask.worker_plugin import TestStation  # noqa: PLC0415 - loads Dask, an extra

        client, address = connection.client, self._cluster.address
        if not client.nthreads():
            self._listener(Note(f"waiting for a worker to join {address} (for example: dask worker {address})"))
        while not client.nthreads():
            self._waiting.linger(LOOK / 4)
        crowd = check_workers(client, address)
        client.register_plugin(TestStation(self._session, dict(os.environ) if connection.own is not None else None))
        self._hosts.look()
        slots, workers = self._hosts.slots, len(self._hosts)
        self._listener(
            Note(f"on the cluster at {address}: {counted(slots, 'test')} at once by {counted(workers, 'worker')}")
        )
        return crowd

    @property
    def jobs(self) -> int:
        """Threads, and some tests that wait there for the next free one: to send them takes time.

        Never less than two, so that the search is ready for more workers to come.
        """
        slots = self._hosts.slots
        return max(2, slots + slots // QUEUED)

    @property
    def free(self) -> int:
        """Tests that can be sent; none while a test is looked at that took workers down."""
        return 0 if self._suspects else self.jobs - len(self._flying)

    @property
    def crowd(self) -> float:
        """How many tests share a processor, where it is worst."""
        return self._crowd

    @property
    def _client(self) -> Any:
        if self._connection is None:
            raise self._gone()
        return self._connection.client

    def submit(self, key: Key, candidate: Content, settings: TestSettings = USUAL) -> None:
        """Send a test to the worker with the most threads to spare."""
        self._prepare(settings)
        flight = self._flying[key] = RunningTest(key, candidate, settings)
        self._send(flight)

    def _send(self, flight: RunningTest) -> None:
        from wynot.engine.executors.dask.worker_plugin import examine  # noqa: PLC0415 - loads Dask, an extra

        host = self._hosts.idlest()
        known = host.known if host is not None else set()
        parcel = self._packer.pack(self._order(flight.settings), flight.candidate, known)
        self._count += 1
        name = f"{self._session}-{self._count}"
        future = self._client.submit(
            examine, self._session, name, parcel, key=name, pure=False,
            workers=None if host is None else [host.address], allow_other_workers=host is not None,
        )  # fmt: skip
        flight.board(host, future)
        future.add_done_callback(lambda ended: self._done.put((flight, ended)))

    def _order(self, settings: TestSettings) -> TestOrder:
        """How a test is run; the same value as long as nothing changes."""
        examiner, limits, last = settings.examiner or self.oracle, settings.limits or self.limits, self._last
        if last is None or last.examiner is not examiner or (last.limits, last.age) != (limits, self._age):
            last = self._last = TestOrder(examiner, *self._work, limits, self._age)
        return last

    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:
        """Wait for the next end of an examination."""
        until = None if timeout is None else time.perf_counter() + timeout
        reports: list[tuple[Key, Report]] = []
        while not reports and self._flying:
            self._look()
            if self._suspects and len(self._suspects) == len(self._flying) and self._suspects[0].future is None:
                self._send(self._suspects[0])
            begun = time.perf_counter()
            ended = self._ended(LOOK if until is None else min(LOOK, until - begun))
            self.away += time.perf_counter() - begun
            reports = list(self._taken(ended))
            if until is not None and time.perf_counter() >= until:
                break
        if reports and self.guard is not None:
            self.guard.check()
        return reports

    def _look(self) -> None:
        try:
            self._hosts.look()
        except (OSError, TimeoutError, RuntimeError):
            raise self._gone() from None

    def _ended(self, timeout: float) -> list[tuple[RunningTest, Any]]:
        """Tests that have ended; what was killed in the meantime is nobody's business any more."""
        try:
            ended = [self._done.get(timeout=max(0.0, timeout))]
        except queue.Empty:
            return []
        while not self._done.empty():
            ended.append(self._done.get())
        return [(flight, future) for flight, future in ended if flight.future is future]

    def _taken(self, ended: list[tuple[RunningTest, Any]]) -> Iterator[tuple[Key, Report]]:
        """Take the ends in."""
        if not ended:
            return
        begun = time.perf_counter()
        from wynot.engine.executors.dask.worker_plugin import answers, gone  # noqa: PLC0415 - loads Dask, an extra

        found = answers(self._client, [future for _, future in ended])
        self.away += time.perf_counter() - begun
        for (flight, future), answer in zip(ended, found, strict=True):
            if not isinstance(answer, TestAnswer):
                if gone(self._client, future):
                    raise self._gone()
                if flight.host is not None:
                    flight.host.known.clear()
            flight.leave()
            report = self._judged(flight, answer)
            if report is not None:
                self._forget(flight)
                yield flight.key, report

    def _judged(self, flight: RunningTest, answer: object) -> Report | None:
        """The report; None where the test goes on its way once more."""
        if isinstance(answer, TestAnswer):
            self.runs += answer.runs
            return answer.report
        from wynot.engine.executors.dask.worker_plugin import losses  # noqa: PLC0415 - loads Dask, an extra

        lost = losses(answer)
        if isinstance(answer, BaseException) and not lost:
            what = f"the cluster cannot run a test: {type(answer).__name__}: {answer}"
            return Report(UNRESOLVED, error=UsageError(what, "check the log of its workers"))
        flight.lost += lost
        if flight.lost >= LIVES:
            self._listener(Caution("a test kills every worker that runs it; it counts as unresolved"))
            return Report(UNRESOLVED, "takes its worker down")
        if flight.lost < LIVES - 1:
            self._send(flight)
        elif flight not in self._suspects:
            self._suspects.append(flight)
        return None

    def _forget(self, flight: RunningTest) -> None:
        del self._flying[flight.key]
        if flight in self._suspects:
            self._suspects.remove(flight)

    def kill(self, key: Key) -> None:
        """Nobody wants a test any more: its worker hears so from the cluster, and kills it."""
        flight = self._flying.get(key)
        if flight is None:
            return
        future = flight.future
        self._forget(flight)
        flight.leave()
        if future is not None:
            future.release()

    def afresh(self) -> None:
        """Each worker's next test finds nothing that earlier ones have built."""
        self._age += 1

    def renewed(self) -> DaskExecutor:
        """An executor like this one, which is closed; the count goes on."""
        executor = DaskExecutor(
            self.oracle, self._work, self.limits, self._cluster, self._waiting, self.guard, age=self._age
        )
        executor.charge(self.runs, self.away)
        return executor

    def _gone(self) -> Interrupted:
        return Interrupted(f"the cluster at {self._cluster.address} is gone")

    def close(self) -> None:
        """Have all tests killed and all that was made for them removed; leave the cluster."""
        with undisturbed():
            connection, self._connection = self._connection, None
            if connection is None:
                return
            for key in list(self._flying):
                self.kill(key)
            connection.dismiss(self._session)
            connection.close()
            if self.guard is not None and (said := self.guard.restored()):
                self._listener(Caution(said))
