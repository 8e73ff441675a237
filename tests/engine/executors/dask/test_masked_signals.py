"""Ctrl-C once more, while a cluster is being left: nothing stays half closed."""

from __future__ import annotations

import signal
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from wynot.engine.executors.dask import dask_executor
from wynot.engine.executors.dask.dask_client import Connection
from wynot.engine.executors.dask.dask_executor import DaskExecutor
from wynot.errors import Interrupted


@dataclass
class Part:
    """A client, or a cluster, during whose end someone is impatient."""

    impatient: bool = False
    closed: list[float] = field(default_factory=list)

    def close(self, timeout: float) -> None:
        """Say good-bye."""
        if self.impatient:
            signal.raise_signal(signal.SIGINT)
        self.closed.append(timeout)


def bench_of(client: Part, own: Part) -> DaskExecutor:
    """An executor with nothing under way."""
    executor = DaskExecutor.__new__(DaskExecutor)
    executor.guard = None
    executor._connection, executor._flying, executor._session = Connection(client, own), {}, "session"
    return executor


def test_the_second_interruption_waits_until_all_is_closed() -> None:
    client, own = Part(impatient=True), Part()
    with pytest.raises(Interrupted), closing(bench_of(client, own)):
        raise Interrupted("interrupted")
    assert client.closed
    assert own.closed


def test_the_first_interruption_is_heard_after_it() -> None:
    """An executor is also closed in the middle of a run, for a new one."""
    client, own = Part(impatient=True), Part()
    executor = bench_of(client, own)
    with pytest.raises(KeyboardInterrupt):
        executor.close()
    assert own.closed


def test_what_takes_long_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_executor, "LONGEST", -1.0)
    client, own, before = Part(impatient=True), Part(), signal.getsignal(signal.SIGINT)
    executor = bench_of(client, own)
    with pytest.raises(KeyboardInterrupt):
        executor.close()
    assert not own.closed
    assert signal.getsignal(signal.SIGINT) is before
