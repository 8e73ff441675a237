"""Which cluster, and how to talk to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from wynot.core.shell_quote import pasted
from wynot.errors import UsageError

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
                f"--cluster: {self.address!r} is no address of a cluster",
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
            raise UsageError("a certificate and its key go together", "give both --cluster-tls-cert and -key")

    @property
    def local(self) -> int | None:
        """How many tests at once, where the workers are on this machine."""
        match = _LOCAL.fullmatch(self.address)
        return int(match[1]) if match else None

    @property
    def secure(self) -> bool:
        """Whether certificates were named."""
        return bool(self.ca or self.cert or self.key)
