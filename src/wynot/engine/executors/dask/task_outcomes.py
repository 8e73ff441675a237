"""What the cluster says became of tests. Dask's own types stay in here."""

from __future__ import annotations

from typing import Any

from distributed.scheduler import KilledWorker

from wynot.engine.executors.dask.dask_client import PATIENCE
from wynot.engine.executors.dask.worker_plugin import WorkerProcessLost

Future = Any
"""One of Dask's."""


def answers(client: Any, futures: list[Future]) -> list[object]:
    """What came of tests that have ended: an Answer, Missing, None where nobody waited any more, or an error."""
    ends = [future.status == "finished" for future in futures]
    finished = [future for future, end in zip(futures, ends, strict=True) if end]
    try:
        found = iter(client.gather(finished) if finished else ())
    except Exception:  # noqa: BLE001 - a worker died with its answers: one after the other, then
        return [_single(future) for future in futures]
    return [next(found) if end else _single(future) for future, end in zip(futures, ends, strict=True)]


def _single(future: Future) -> object:
    try:
        answer: object = future.result(PATIENCE)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
        return error
    return answer


def losses(answer: object) -> int:
    """How often a worker (Dask has tried several), or the hand beside it, has died with a test."""
    return 2 if isinstance(answer, KilledWorker) else int(isinstance(answer, WorkerProcessLost))


def gone(client: Any, future: Future) -> bool:
    """Whether the cluster itself is not there any more."""
    return future.status in {"cancelled", "lost"} or client.status not in {"running", "connecting"}
