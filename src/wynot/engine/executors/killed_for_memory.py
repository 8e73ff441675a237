"""Whether the kernel killed processes for lack of memory: a test script may hide that its compiler was killed."""

from __future__ import annotations

import os

SECONDS_TO_FILL_MEMORY = 0.05
"""A run that is shorter is not asked about: to read the counter takes some 40 microseconds."""
_COUNTERS = "/proc/vmstat"
_NAME = b"oom_kill "


class OutOfMemory:
    """The kernel's own count of processes that it killed for lack of memory, on this machine and in all groups."""

    def __init__(self, counters: str = _COUNTERS) -> None:
        self._counters = counters
        self.kills = 0
        """As it was when it was last read."""
        self.look()

    def look(self) -> int:
        """Read it again; a system without such a counter has none."""
        try:
            fd = os.open(self._counters, os.O_RDONLY)
        except OSError:
            return self.kills
        try:
            text = b""
            while piece := os.read(fd, 1 << 16):
                text += piece
        finally:
            os.close(fd)
        _, found, rest = text.rpartition(_NAME)
        if found:
            self.kills = int(rest.split(None, 1)[0])
        return self.kills
