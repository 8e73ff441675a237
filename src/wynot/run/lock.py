"""The lock of a run: only one process at a time is at work on it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from wynot.errors import BusyError


def locked(path: Path) -> IO[str]:
    """Hold a lock that ends with this process, however it ends."""
    path.touch(mode=0o600)  # as the journal beside it
    file = path.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip() or "unknown"
        file.close()
        raise BusyError(
            f"this very run is under way in another process (number {holder})",
            f"wait for it, or stop it: kill {holder} (what it has found out is kept)",
        ) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def held(lock: Path) -> bool:
    """Whether a process is at work on a run."""
    try:
        with lock.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
