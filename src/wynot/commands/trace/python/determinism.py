"""The world of a run, made repeatable: the clock begins at the recorded time and ticks by calls, chance has a seed."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any

TICK = 1000
"""Nanoseconds that pass from one look at the clock to the next."""


class Clock:
    """A clock that says the same in every run. `time.monotonic` stays as it is: whoever waits has to see time pass."""

    def __init__(self, start: int) -> None:
        self.start, self.passed = start, 0

    def now(self, start: int) -> int:
        """Nanoseconds."""
        self.passed += TICK
        return start + self.passed

    def install(self) -> None:
        """Put it in the place of the real one."""
        really = time.sleep

        def sleep(seconds: float) -> None:
            really(seconds)
            self.passed += int(seconds * 1e9)

        for which, start in (("time", self.start), ("perf_counter", 10**12)):
            setattr(time, which, self._seconds(start))
            setattr(time, which + "_ns", self._nanoseconds(start))
        time.sleep = sleep  # type: ignore[assignment]
        self._calendar("localtime")
        self._calendar("gmtime")

    def _seconds(self, start: int) -> Callable[[], float]:
        return lambda: self.now(start) / 1e9

    def _nanoseconds(self, start: int) -> Callable[[], int]:
        return lambda: self.now(start)

    def _calendar(self, which: str) -> None:
        really = getattr(time, which)

        def calendar(seconds: float | None = None) -> Any:
            return really(time.time() if seconds is None else seconds)

        setattr(time, which, calendar)


def _dates() -> None:
    """`datetime.now()` and its kin ask the clock. The type itself is mended: it stays the one that all others know."""
    import ctypes
    import datetime
    import gc

    def now(cls: Any, tz: Any = None) -> Any:
        return cls.fromtimestamp(time.time(), tz)

    def utcnow(cls: Any) -> Any:
        return cls.fromtimestamp(time.time(), datetime.UTC).replace(tzinfo=None)

    def today(cls: Any) -> Any:
        return cls.fromtimestamp(time.time())

    for kind, names in ((datetime.datetime, (now, utcnow, today)), (datetime.date, (today,))):
        inner = gc.get_referents(kind.__dict__)[0]
        for function in names:
            inner[function.__name__] = classmethod(function)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _chance(seed: int, shadowed: bool) -> None:
    numbers = count()

    def urandom(size: int) -> bytes:
        out = b""
        while len(out) < size:
            out += hashlib.blake2b(f"{seed}.{next(numbers)}".encode()).digest()
        return out[:size]

    os.urandom = urandom
    if not shadowed:
        import random

        random.seed(seed)
        if hasattr(random, "_urandom"):
            setattr(random, "_urandom", urandom)  # noqa: B010 - what SystemRandom asks


def settle(seed: int, start: int, folder: str) -> None:
    """Make the world repeatable."""
    shadowed = any(os.path.exists(os.path.join(folder, f"{m}.py")) for m in ("random", "datetime"))
    _chance(seed, shadowed)
    Clock(start).install()
    if not shadowed and sys.implementation.name == "cpython":
        try:
            _dates()
        except Exception:  # noqa: BLE001, S110 - a program with dates is then as repeatable as its dates are
            pass
