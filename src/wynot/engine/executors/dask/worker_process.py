"""The program beside each worker that runs the tests: it has an executor of its own, as a search on one machine has.

A process of its own, so that a test runs there as here: one thread, its own children only, its own work folders, time
measured by nobody who has something else to do. It ends with the worker, whose end of the pipe it holds; and should it
be killed, the executor's guardian cleans up.
"""

from __future__ import annotations

import os
import select
import signal
from collections import deque

from wynot.core.artifact import Content
from wynot.core.outcome import UNRESOLVED
from wynot.engine.executors.dask.messages import (
    ContentShelf,
    KillTest,
    MessageReader,
    MissingContents,
    StartTest,
    TestAnswer,
    TestMessage,
    TestOrder,
    write,
)
from wynot.engine.executors.executor import TestSettings
from wynot.engine.executors.local import LocalExecutor, LocalSettings
from wynot.errors import WynotError
from wynot.oracles.protocol import Report

IDLE = 60.0
"""Seconds without work after which it ends: whoever sent the last test may have been killed."""


class WorkerProcess:
    """Runs what it is told, up to so many tests at once."""

    def __init__(self, jobs: int, listen: int, speak: int) -> None:
        self._jobs, self._listen, self._speak = jobs, listen, speak
        self._frames = MessageReader(listen)
        self._shelf = ContentShelf()
        self._waiting: deque[tuple[str, TestOrder, Content]] = deque()
        self._running: set[str] = set()
        self._bench: LocalExecutor | None = None
        self._age = 0
        self._told = 0

    def serve(self) -> None:
        """Until there is nobody to serve."""
        try:
            while not self._frames.ended:
                busy = self._bench is not None and (self._running or self._waiting)
                ready, _, _ = select.select([self._listen], [], [], 0.0 if busy else IDLE)
                if ready:
                    for message in self._frames.read():
                        self._take(message)
                elif not busy:
                    return
                self._work()
        except BrokenPipeError:
            return
        finally:
            if self._bench is not None:
                self._bench.close()

    def _take(self, message: StartTest | KillTest) -> None:
        if isinstance(message, StartTest):
            unpacked = self._shelf.unpack(message.parcel)
            if unpacked is None:
                write(self._speak, TestMessage(message.key, MissingContents()))
            else:
                self._waiting.append((message.key, *unpacked))
        elif message.key in self._running:
            self._running.discard(message.key)
            if self._bench is not None:
                self._bench.kill(message.key.encode())
        else:
            self._waiting = deque(each for each in self._waiting if each[0] != message.key)

    def _work(self) -> None:
        """Begin what can be begun; wait for an end, or for the next message."""
        try:
            while self._waiting and (self._bench is None or self._bench.free):
                self._begin(*self._waiting.popleft())
            for key, report in self._bench.wait() if self._bench is not None else ():
                self._say(key.decode(), report)
        except WynotError as error:  # no such program, a full disk: nobody's test can be run
            for name in (*self._running, *(each[0] for each in self._waiting)):
                self._say(name, Report(UNRESOLVED, error=error))
            self._waiting.clear()
            self._renew()

    def _begin(self, key: str, order: TestOrder, content: Content) -> None:
        self._running.add(key)
        executor = self._bench
        if executor is None:
            executor = LocalExecutor(
                order.examiner, order.name, self._jobs, order.limits,  # type: ignore[arg-type]
                LocalSettings(alone=True, size=order.size, lasting=order.lasting),
            )  # fmt: skip
            executor.listen(self._listen)
            self._bench, self._told = executor, 0
        if order.age != self._age:
            self._age = order.age
            executor.afresh()
        executor.submit(key.encode(), content, TestSettings(order.examiner, order.limits))

    def _say(self, key: str, report: Report) -> None:
        self._running.discard(key)
        runs = self._bench.runs if self._bench is not None else 0
        write(self._speak, TestMessage(key, TestAnswer(report, runs - self._told)))
        self._told = runs

    def _renew(self) -> None:
        """Nobody knows in what state an error has left an executor."""
        executor, self._bench = self._bench, None
        if executor is not None:
            executor.close()


def main(jobs: int) -> None:
    """Serve standard input; whatever a program prints by mistake goes to standard error."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # what ends it is the end of its input; ignored, tests would inherit it
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # the workers of `local:N` are deaf, tests are not
    speak = os.dup(1)
    os.set_inheritable(speak, False)
    os.dup2(2, 1)
    WorkerProcess(jobs, 0, speak).serve()
