"""Who is there to run tests, and which tests are on their way to whom."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from wynot.core.artifact import Content
from wynot.core.run_events import Caution, Listener
from wynot.engine.executors.in_process import Key

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
