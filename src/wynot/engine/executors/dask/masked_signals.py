"""What should not be left half done, although someone is impatient."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from wynot.engine.warmup import ENDING

LONGEST = 3.0
"""Seconds for which nobody is listened to."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait until this is done, a few seconds at most; where all is ending anyway, it need not come again.

    Dask that was left half closed goes on with it when Python ends: too late, and for ten seconds.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    begun, held = time.monotonic(), set[int]()
    wished = {number: signal.getsignal(number) for number in ENDING}
    handlers = {number: handler for number, handler in wished.items() if callable(handler)}

    def hold(number: int, frame: FrameType | None) -> None:
        if time.monotonic() - begun > LONGEST:
            handlers[signal.Signals(number)](number, frame)
        else:
            held.add(number)

    for wish in handlers:
        signal.signal(wish, hold)
    try:
        yield
    finally:
        for wish, handler in handlers.items():
            signal.signal(wish, handler)
    if sys.exception() is None:
        for number in held:
            signal.raise_signal(number)
