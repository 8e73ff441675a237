"""Connect to a Dask cluster, or start one on this machine, and collect outcomes."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from wynot.core.text import pasted
from wynot.errors import UsageError
from wynot.version import __version__

# A Dask cluster on this machine. Its scheduler and its workers listen for TLS only: the HTTP servers are left out.


# Which cluster, and how to talk to it.


_LOCAL = re.compile(r"local:([1-9]\d{0,3})")
_REMOTE = re.compile(r"(tcp|tls|ucx|ws|wss)://\S+:\d+")
INSTALL = "pip install 'wynot[cluster]'"


@dataclass(frozen=True, slots=True)
class Cluster:
    """The address of a Dask scheduler, or `local:N`: so many tests at once by workers on this machine.

    >>> Cluster("local:4").local, Cluster("tcp://10.0.0.7:8786").local
    (4, None)
    """

    address: str
    ca: str | None = None
    """The certificate that has signed the others', where the connection is encrypted (TLS)..."""
    cert: str | None = None
    """...our own..."""
    key: str | None = None
    """...and the key to it."""

    def __post_init__(self) -> None:
        if self.local is None and not _REMOTE.fullmatch(self.address):
            raise UsageError(
                f"--cluster: {self.address!r} is not a cluster address",
                "write --cluster tcp://HOST:8786, as `dask scheduler` says it, or --cluster local:4",
            )
        for name in filter(None, (self.ca, self.cert, self.key)):
            if not Path(name).is_file():
                raise UsageError(f"--cluster-tls-...: {name}: no such file", f"check the path: ls -l {pasted(name)}")
        if self.secure and self.local is not None:
            raise UsageError("local:N makes its own certificates", "leave out --cluster-tls-...")
        if self.secure and self.address.startswith("tcp:"):
            secure = self.address.replace("tcp:", "tls:", 1)
            raise UsageError("tcp:// is not encrypted", f"write --cluster {secure}, and let the scheduler listen there")
        if (self.cert is None) != (self.key is None):
            raise UsageError(
                "a certificate needs its key, and a key its certificate", "give both --cluster-tls-cert and -key"
            )

    @property
    def local(self) -> int | None:
        """How many tests at once, where the workers are on this machine."""
        match = _LOCAL.fullmatch(self.address)
        return int(match[1]) if match else None

    @property
    def secure(self) -> bool:
        """Whether certificates were named."""
        return bool(self.ca or self.cert or self.key)


PATIENCE = 10.0
"""Seconds for what should be done at once."""
_QUIET = {
    "distributed.admin.large-graph-warning-threshold": "1TiB",  # large inputs are what we are here for
    "distributed.comm.retry.count": 2,
    "distributed.nanny.pre-spawn-environ": {},
}


@dataclass(slots=True)
class Connection:
    """A client; with the cluster that was made for it, if there is one."""

    client: Any
    own: Any
    """None where it was there before, and stays."""

    def dismiss(self, plugin: str) -> None:
        """Let nothing be left of a run in the workers."""
        with contextlib.suppress(Exception):  # whoever is not there any more need not be told
            self.client.sync(self.client.scheduler.unregister_worker_plugin, name=plugin, callback_timeout=PATIENCE)

    def close(self) -> None:
        """Say good-bye; what was made for this run ends with it."""
        with contextlib.suppress(Exception):
            self.client.close(timeout=PATIENCE)
        if self.own is not None:
            with contextlib.suppress(Exception):
                self.own.close(timeout=PATIENCE)


def connect(cluster: Cluster) -> Connection:
    """Connect, or say in one line why not."""
    distributed: Any
    try:
        import dask  # noqa: PLC0415 - an extra, and slow to load
        import distributed  # noqa: PLC0415
    except ImportError:
        raise UsageError("--cluster needs dask.distributed, which is not installed", INSTALL) from None
    dask.config.set(_QUIET)
    silence()
    if cluster.local is not None:
        return _local(distributed, cluster.local)
    try:
        return Connection(
            distributed.Client(cluster.address, security=_security(distributed, cluster), timeout=PATIENCE), None
        )
    except (OSError, TimeoutError, ValueError, RuntimeError, TypeError) as error:
        raise UsageError(
            f"no cluster answers at {cluster.address}: {_line(error)}",
            "check that it runs, or start one: dask scheduler; and on each machine: dask worker ADDRESS",
        ) from error


def silence() -> None:
    """Let Dask say nothing in this process: what matters is said by us."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in {"asyncio", "distributed", "tornado"}:
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _line(error: BaseException) -> str:
    """What was wrong in the first place, in one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    return (str(error) or type(error).__name__).splitlines()[0]


def _security(distributed: Any, cluster: Cluster) -> object:
    """The certificates that were named; None: what Dask's own configuration says."""
    if not cluster.secure:
        return None
    return distributed.Security(
        tls_ca_file=cluster.ca, tls_client_cert=cluster.cert, tls_client_key=cluster.key, require_encryption=True
    )


def _local(distributed: Any, slots: int) -> Connection:
    """Workers on this machine, one for each processor; nobody else can connect to them, for that takes our key."""
    from wynot.engine.executors.dask.worker_plugin import Local, LocalWorker  # noqa: PLC0415 - it loads Dask

    workers = min(slots, max(2, os.cpu_count() or 1))
    try:
        own: Any = Local(  # type: ignore[no-untyped-call]
            n_workers=0, protocol="tls://", security=True, dashboard_address=None, memory_limit=0,
            silence_logs=logging.CRITICAL, worker_class=distributed.Nanny,
        )  # fmt: skip
    except ImportError:
        raise UsageError("--cluster local:N needs the package cryptography", INSTALL) from None
    connection = Connection(distributed.Client(own, timeout=PATIENCE), own)
    try:
        own.sync(_deaf)
        for number in range(workers):
            threads = slots // workers + (number < slots % workers)
            options = {**own.new_spec["options"], "nthreads": threads, "worker_class": LocalWorker}
            own.worker_spec[number] = {**own.new_spec, "options": options}
        own.sync(own._correct_state)  # noqa: SLF001 - `scale` would give all of them as many threads
    except BaseException:
        connection.close()
        raise
    return connection


async def _deaf() -> None:
    """Let the workers not hear Ctrl-C, which a terminal sends to all its processes: they end when we say so.

    Dask's loop starts them, and what is blocked there is blocked in them; our own main thread hears it as ever.
    """
    resource_tracker.ensure_running()  # with its first worker it would be started here, and let us hear again
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def check_workers(client: Any, address: str) -> float:
    """See that the workers can run our tests; gives how many threads share a processor, at the most."""
    from wynot.engine.executors.dask.worker_plugin import greet  # noqa: PLC0415

    install = f"install it there: pip install 'wynot[cluster]=={__version__}'"
    try:
        found = client.run(greet)
    except ImportError as error:
        raise UsageError(f"the cluster at {address} cannot load wynot: {_line(error)}", install) from error
    for worker, (version, _) in found.items():
        if version != __version__:
            raise UsageError(f"the worker {worker} has wynot {version}, this is {__version__}", install)
    threads = client.nthreads()
    return max((threads.get(worker, 1) / processors for worker, (_, processors) in found.items()), default=1.0)
