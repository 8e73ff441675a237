"""Modules that are loaded while tests run."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)


def load(name: str) -> None:
    """Load a module. Signals that end a run wait until it is there.

    What their handlers raise while a class is being made, Python 3.11 would turn into an error of its own.
    """
    if name in sys.modules:
        return
    if threading.current_thread() is not threading.main_thread():  # only there they are heard
        import_module(name)
        return
    with _undisturbed():
        import_module(name)


@contextmanager
def _undisturbed() -> Iterator[None]:
    handlers = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    heard: list[tuple[int, FrameType | None]] = []
    for number in handlers:
        signal.signal(number, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for told, frame in heard:
        handlers[signal.Signals(told)](told, frame)
