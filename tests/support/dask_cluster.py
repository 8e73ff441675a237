"""A real cluster: a scheduler and workers as processes, marked with a stage's tag."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.stage import PATIENT, Stage, eventually

LOCAL = "127.0.0.1"


class Dask:
    """A cluster on this machine. It is there until it is closed, whoever uses it."""

    def __init__(self, stage: Stage, protocol: str = "tcp", *words: str) -> None:
        with socket.socket() as free:
            free.bind((LOCAL, 0))
            self.address = f"{protocol}://{LOCAL}:{free.getsockname()[1]}"
        self._stage, self._words = stage, words
        self.workers: list[subprocess.Popen[bytes]] = []
        host = ("--host", self.address.rpartition(":")[0], "--port", self.address.rpartition(":")[2])
        self.scheduler = self._start("scheduler", *host, "--no-dashboard")

    def _start(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        env = {**self._stage.env, "PATH": "/usr/bin:/bin"}
        with (self._stage.folder / "dask.log").open("ab") as log:
            argv = (sys.executable, "-m", f"distributed.cli.dask_{what}", *words, *self._words)
            return self._stage.program(*argv, env=env, stdout=log, stderr=log, cwd=self._stage.folder)

    def add(self, threads: int = 2) -> subprocess.Popen[bytes]:
        """One more worker."""
        words = ("--nthreads", str(threads), "--no-nanny", "--no-dashboard", "--memory-limit", "0")
        folder = ("--local-directory", str(self._stage.folder / "dask"))
        self.workers.append(self._start("worker", self.address, *words, *folder))
        return self.workers[-1]

    def kill(self) -> None:
        """The oldest worker, without a warning."""
        worker = self.workers.pop(0)
        worker.kill()
        worker.wait()

    def tests(self) -> list[int]:
        """The processes of this stage that are not the cluster itself."""
        own = {self.scheduler.pid, *(worker.pid for worker in self.workers)}
        return [pid for pid in self._stage.living() if pid not in own]

    def close(self) -> None:
        """End it, as a user would: the workers first."""
        for processes in (self.workers, [self.scheduler]):
            for process in processes:
                process.send_signal(signal.SIGTERM)
            for process in processes:
                process.wait(PATIENT)


@contextlib.contextmanager
def cluster(stage: Stage, protocol: str = "tcp", *words: str, workers: int = 2) -> Iterator[Dask]:
    """A cluster; nothing of it, and nothing that it ran, is left in the end."""
    dask = Dask(stage, protocol, *words)
    try:
        for _ in range(workers):
            dask.add()
        yield dask
    finally:
        dask.close()
    eventually(lambda: not stage.living(), "all processes end")
    eventually(lambda: not os.listdir(stage.tmp), "all work folders are removed")  # noqa: PTH208 - a list of names


def certificates(folder: Path) -> dict[str, str]:
    """A certificate that signs itself, and the key to it, for all who take part."""
    from cryptography import x509  # noqa: PLC0415 - slow to load
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "wynot")])
    now = dt.datetime.now(dt.UTC)
    cert = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "cert.pem").write_bytes(cert.public_bytes(encoding))
    (folder / "key.pem").write_bytes(key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain))
    return {"ca": str(folder / "cert.pem"), "cert": str(folder / "cert.pem"), "key": str(folder / "key.pem")}
