"""Read the keys that are pressed during a run one by one; the terminal is always restored.

Tests never see the terminal (they run in sessions of their own), so nothing is taken from them.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

try:
    import termios
except ImportError:  # no such terminals here: no keys
    termios = None  # type: ignore[assignment]

STOPPING = getattr(signal, "SIGTSTP", None)


class KeyInput:
    """The keyboard, from `open` to `close`."""

    def __init__(self, suspended: Callable[[], None]) -> None:
        self._suspended = suspended
        """Called before the shell takes over, from within a signal handler."""
        self._fd = -1
        self._before: list[Any] | None = None
        """How the terminal was."""
        self._handler: Any = None

    @property
    def here(self) -> bool:
        """Whether there are keys at all."""
        return self._fd >= 0

    def open(self) -> None:
        """Begin to listen, if standard input is a terminal."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            if termios is None or not sys.stdin.isatty():
                return
            self._fd = sys.stdin.fileno()
            atexit.register(self._restore)
            if STOPPING is not None and signal.getsignal(STOPPING) is signal.SIG_DFL:
                self._handler = signal.signal(STOPPING, self._suspend)

    def close(self) -> None:
        """Give the terminal back."""
        self._restore()
        if self._handler is not None and STOPPING is not None:
            signal.signal(STOPPING, self._handler)
        atexit.unregister(self._restore)
        self._fd, self._handler = -1, None

    def read(self, wait: float = 0.0) -> str:
        """The keys that were pressed; where there are none, after so many seconds.

        What comes in the background belongs to somebody else: nothing is read then.
        """
        if not self.here or not foreground(self._fd) or not self._ready():
            time.sleep(wait)
            return ""
        try:
            if not select.select([self._fd], [], [], wait)[0]:
                return ""
            return os.read(self._fd, 1024).decode("ascii", "replace")
        except OSError:
            return ""

    def _ready(self) -> bool:
        """Single keys, not echoed; Ctrl-C and Ctrl-Z are what they were. A shell may have set it otherwise."""
        try:
            now = termios.tcgetattr(self._fd)
            wanted = now[3] & ~(termios.ICANON | termios.ECHO)
            if now[3] != wanted:
                if self._before is None:
                    self._before = [*now]
                termios.tcsetattr(self._fd, termios.TCSANOW, [*now[:3], wanted, *now[4:]])
                termios.tcflush(self._fd, termios.TCIFLUSH)  # what was typed before was not meant for us
        except (OSError, termios.error):
            self._fd = -1
        return self.here

    def _restore(self) -> None:
        if self._before is not None and foreground(self._fd):
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(self._fd, termios.TCSANOW, self._before)
        self._before = None

    def _suspend(self, _number: int, _frame: object) -> None:
        """Ctrl-Z: the shell gets its terminal as it was; whoever reads keys next takes it again."""
        self._restore()
        self._suspended()
        assert STOPPING is not None  # noqa: S101 - for the type checker
        signal.signal(STOPPING, signal.SIG_DFL)
        os.kill(os.getpid(), STOPPING)
        signal.signal(STOPPING, self._suspend)


def foreground(fd: int) -> bool:
    """Whether what is typed in this terminal is for us."""
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:
        return False
