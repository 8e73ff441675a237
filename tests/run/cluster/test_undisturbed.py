"""Ctrl-C once more, while a cluster is being left: nothing stays half closed."""

from __future__ import annotations

import signal
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from wynot.errors import Interrupted
from wynot.run.cluster import undisturbed
from wynot.run.cluster.bench import ClusterBench
from wynot.run.cluster.connect import Connection


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


def bench_of(client: Part, own: Part) -> ClusterBench:
    """A bench with nothing under way."""
    bench = ClusterBench.__new__(ClusterBench)
    bench._connection, bench._flying, bench._session = Connection(client, own), {}, "session"
    return bench


def test_the_second_interruption_waits_until_all_is_closed() -> None:
    client, own = Part(impatient=True), Part()
    with pytest.raises(Interrupted), closing(bench_of(client, own)):
        raise Interrupted("interrupted")
    assert client.closed
    assert own.closed


def test_the_first_interruption_is_heard_after_it() -> None:
    """A bench is also closed in the middle of a run, for a new one."""
    client, own = Part(impatient=True), Part()
    bench = bench_of(client, own)
    with pytest.raises(KeyboardInterrupt):
        bench.close()
    assert own.closed


def test_what_takes_long_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undisturbed, "LONGEST", -1.0)
    client, own, before = Part(impatient=True), Part(), signal.getsignal(signal.SIGINT)
    bench = bench_of(client, own)
    with pytest.raises(KeyboardInterrupt):
        bench.close()
    assert not own.closed
    assert signal.getsignal(signal.SIGINT) is before
