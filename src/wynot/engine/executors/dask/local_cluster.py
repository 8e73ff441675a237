"""A Dask cluster on this machine. Its scheduler and its workers listen for TLS only: the HTTP servers are left out."""

from __future__ import annotations

from typing import Any

from distributed import LocalCluster, Scheduler, Worker


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
