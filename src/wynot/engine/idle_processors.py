"""Whether processors have nothing to do: then what may be needed next can be worked out, though it may be in vain.

Tests that sleep, or wait for others, leave time for it; those that keep every processor busy would have to wait. So
would we, for whatever else is at work on the machine.
"""

from __future__ import annotations

import os
import time

WINDOW = 0.1
"""Seconds between two looks."""
RESERVE = 0.75
"""So many processors have to be left by us and our tests..."""
IDLE = 0.5
"""...and so many by everybody, where that can be seen."""


class IdleProcessors:
    """Looks, now and then, how much processor time this process and its tests take."""

    def __init__(self, processors: int | None = None) -> None:
        self._enough = (processors or _processors()) - RESERVE
        self._at, self._used, self._idle = _now(), _used(), _idle()
        self.left = False
        """Whether there was processor time left when it was looked at last."""

    def look(self) -> None:
        """A test has ended: look again, unless that was done a moment ago."""
        now = _now()
        if now - self._at >= WINDOW:
            used, idle, passed = _used(), _idle(), now - self._at
            nobody = idle is None or self._idle is None or idle - self._idle >= IDLE * passed
            self.left = used - self._used <= self._enough * passed and nobody
            self._at, self._used, self._idle = now, used, idle


def _now() -> float:
    return time.perf_counter()


def _used() -> float:
    """Seconds of processor time: our own, and that of tests that have ended."""
    return sum(os.times()[:4])


def _idle() -> float | None:
    """Seconds in which processors of this machine had nothing to do (proc_stat(5)); None where that is not told."""
    try:
        with open("/proc/stat", "rb") as file:  # noqa: PTH123 - often
            words = file.readline().split()
        return int(words[4]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def _processors() -> int:
    """Those that we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
