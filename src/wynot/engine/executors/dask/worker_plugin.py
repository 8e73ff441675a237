"""What lives in each worker of the cluster for the time of a run: it passes tests on to its hand (`hand`).

Installed as a plugin, so that workers that join later have it, too. It hears when a test is no longer wanted, because
the search has gone another way or because the client is gone, and has it killed.
"""

from __future__ import annotations

import os
import queue
import socket
import subprocess
import sys
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from distributed import LocalCluster, Scheduler, Worker, get_worker
from distributed.diagnostics.plugin import WorkerPlugin
from distributed.scheduler import KilledWorker

from wynot import version
from wynot.engine.executors.dask.dask_client import PATIENCE, silence
from wynot.engine.executors.dask.messages import KillTest, MessageReader, MissingContents, StartTest, TestAnswer, write
from wynot.errors import WynotError
from wynot.oracles.protocol import Report

_PROGRAM = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from wynot.engine.executors.dask.worker_process import main; main(int(sys.argv[2]))"
)
_PATIENCE = 10.0
_WANTED = frozenset({"waiting", "ready", "constrained", "executing", "long-running", "memory", "error"})


class WorkerProcessLost(Exception):  # noqa: N818 - a fact, not a fault
    """The hand has died while it ran this test, and others perhaps."""


class _Line:
    """A hand, and the threads that talk to it."""

    def __init__(self, jobs: int, env: dict[str, str] | None) -> None:
        root = str(Path(version.__file__).parents[1])
        self._process = subprocess.Popen(
            (sys.executable, "-c", _PROGRAM, root, str(jobs)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=env,
            start_new_session=True,
        )
        self.calls: dict[str, Future[TestAnswer | MissingContents | None]] = {}
        self.lost = False
        self._lock = threading.Lock()
        self._outbox: queue.SimpleQueue[StartTest | KillTest | None] = queue.SimpleQueue()
        for work in (self._send, self._hear):
            threading.Thread(target=work, daemon=True, name="wynot-hand").start()

    def call(self, message: StartTest) -> Future[TestAnswer | MissingContents | None]:
        """Have a test run."""
        future: Future[TestAnswer | MissingContents | None] = Future()
        with self._lock:
            if self.lost:
                raise WorkerProcessLost
            self.calls[message.key] = future
        self._outbox.put(message)
        return future

    def kill(self, key: str) -> None:
        """Have a test killed; who waits for it need not wait any longer."""
        future = self.calls.pop(key, None)
        if future is not None:
            self._outbox.put(KillTest(key))
            future.set_result(None)

    def _send(self) -> None:
        pipe = self._process.stdin
        if pipe is None:
            return
        try:
            while (message := self._outbox.get()) is not None:
                write(pipe.fileno(), message)
        except OSError:
            pass
        finally:
            pipe.close()

    def _hear(self) -> None:
        pipe = self._process.stdout
        if pipe is None:
            return
        frames = MessageReader(pipe.fileno())
        while not frames.ended:
            for said in frames.read():
                future = self.calls.pop(said.key, None)
                if future is not None:
                    future.set_result(said.answer)
        with self._lock:
            self.lost = True
        self._outbox.put(None)
        pipe.close()
        self._process.wait()
        for key in list(self.calls):
            future = self.calls.pop(key, None)
            if future is not None:
                future.set_exception(WorkerProcessLost())

    def close(self) -> None:
        """Let it end, with all its tests."""
        self._outbox.put(None)
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class TestStation(WorkerPlugin):
    """The run's place in a worker."""

    idempotent = True

    def __init__(self, name: str, env: dict[str, str] | None) -> None:
        self.name = name
        self._env = env
        """The environment of the tests; None: the worker's."""

    def setup(self, worker: Worker) -> None:
        """Be there; the hand is started when there is work."""
        if self._env is not None:  # a worker of our own: what it says of itself is not for the user
            silence()
        self._jobs = worker.state.nthreads
        self._line: _Line | None = None
        self._lock = threading.Lock()

    def examine(self, key: str, parcel: bytes) -> TestAnswer | MissingContents | None:
        """Run a test to its end, in a thread of the worker."""
        with self._lock:
            if self._line is None or self._line.lost:
                self._line = _Line(self._jobs, self._env)
            call = self._line.call(StartTest(key, parcel))
        answer = call.result()
        if isinstance(answer, TestAnswer) and isinstance(answer.report.error, WynotError):
            return _placed(answer)
        return answer

    def transition(self, key: Any, start: str, finish: str, **_more: Any) -> None:  # noqa: ARG002 - the plugin's form
        """Hear of a test that is no longer wanted."""
        line = getattr(self, "_line", None)
        if finish not in _WANTED and line is not None and key in line.calls:
            line.kill(key)

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002 - the plugin's form
        """Leave nothing behind."""
        line = getattr(self, "_line", None)
        if line is not None:
            line.close()


def _placed(answer: TestAnswer) -> TestAnswer:
    """An error, with where it has happened."""
    error = answer.report.error
    hint = error.hint if isinstance(error, WynotError) else ""
    placed = type(error)(f"{error} (on {socket.gethostname()})", hint)  # type: ignore[misc]
    return TestAnswer(Report(answer.report.outcome, error=placed), answer.runs)


def examine(name: str, key: str, parcel: bytes) -> TestAnswer | MissingContents | None:
    """The task that the cluster runs: pass a test on to this worker's station."""
    station = get_worker().plugins[name]
    if not isinstance(station, TestStation):
        raise TypeError(f"{name} is not ours")
    return station.examine(key, parcel)


def greet() -> tuple[str, int]:
    """Which wynot a worker has, and how many processors."""
    return version.__version__, os.cpu_count() or 1


# What the cluster says became of tests.


DaskFuture = Any
"""One of Dask's."""


def answers(client: Any, futures: list[DaskFuture]) -> list[object]:
    """What came of tests that have ended: an Answer, Missing, None where nobody waited any more, or an error."""
    ends = [future.status == "finished" for future in futures]
    finished = [future for future, end in zip(futures, ends, strict=True) if end]
    try:
        found = iter(client.gather(finished) if finished else ())
    except Exception:  # noqa: BLE001 - a worker died with its answers: one after the other, then
        return [_single(future) for future in futures]
    return [next(found) if end else _single(future) for future, end in zip(futures, ends, strict=True)]


def _single(future: DaskFuture) -> object:
    try:
        answer: object = future.result(PATIENCE)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
        return error
    return answer


def losses(answer: object) -> int:
    """How often a worker (Dask has tried several), or the hand beside it, has died with a test."""
    return 2 if isinstance(answer, KilledWorker) else int(isinstance(answer, WorkerProcessLost))


def gone(client: Any, future: DaskFuture) -> bool:
    """Whether the cluster itself is not there any more."""
    return future.status in {"cancelled", "lost"} or client.status not in {"running", "connecting"}


# A cluster on this machine: its scheduler and its workers listen for TLS only, the HTTP servers are left out.


class _WithoutHttp:
    """Part of a scheduler or a worker. Dask starts an HTTP server in each, without TLS, and offers no way not to."""

    def start_http_server(self, *_given: Any, **_more: Any) -> None:
        """Start none."""


class LocalScheduler(_WithoutHttp, Scheduler):
    """A scheduler with one port."""


class LocalWorker(_WithoutHttp, Worker):
    """A worker with one port."""


class Local(LocalCluster):
    """A cluster of these."""

    async def _start(self) -> None:
        self.scheduler_spec = {**self.scheduler_spec, "cls": LocalScheduler}
        await super()._start()  # type: ignore[no-untyped-call]
