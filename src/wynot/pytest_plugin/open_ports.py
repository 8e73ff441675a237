"""Where the suite's own process, or one that it has started, still listens when the suite has ended.

A fresh process cannot listen there, so a test fails in it alone that would pass if it were run first.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

_LISTENS = "0A"
"""The state of a TCP socket that listens, in /proc/net/tcp."""


def listening() -> frozenset[str]:
    """The TCP ports and the named UNIX sockets; nothing where there is no /proc."""
    sockets = {inode for process in _family() for inode in _sockets(process)}
    return frozenset(name for inode, name in _named() if inode in sockets)


def _family() -> list[int]:
    """This process, and all below it."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            parents[int(path.parent.name)] = int(path.read_text(errors="replace").rpartition(")")[2].split()[1])
    found = [os.getpid()]
    for each in found:
        found += [process for process, parent in parents.items() if parent == each]
    return found


def _sockets(process: int) -> Iterator[str]:
    """The inodes of the sockets that a process has open."""
    with contextlib.suppress(OSError):
        for path in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(OSError):
                found = re.fullmatch(r"socket:\[(\d+)\]", str(path.readlink()))
                if found:
                    yield found[1]


def _named() -> Iterator[tuple[str, str]]:
    """The inodes of sockets that listen, and where."""
    for table in ("tcp", "tcp6"):
        for row in _rows(table):
            if len(row) > 9 and row[3] == _LISTENS:
                yield row[9], f"port {int(row[1].rpartition(':')[2], 16)}"
    for row in _rows("unix"):
        if len(row) > 7 and int(row[3], 16) & 0x10000:
            yield row[6], row[7]


def _rows(table: str) -> list[list[str]]:
    with contextlib.suppress(OSError):
        return [line.split() for line in Path(f"/proc/net/{table}").read_text(errors="replace").splitlines()[1:]]
    return []
