"""What a process hands on to those that it starts: ignored and blocked signals, and limits.

A suite may have changed them; fresh processes are to start with what the suite started with.
"""

from __future__ import annotations

import contextlib
import resource
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_LIMITS = tuple(getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_"))


@dataclass(frozen=True, slots=True)
class Inherited:
    """As it was at one moment."""

    handlers: dict[int, Any]
    """Of each signal; a program that is started has only those that are ignored."""
    blocked: frozenset[int]
    limits: dict[int, tuple[int, int]]

    @classmethod
    def now(cls) -> Inherited:
        """As it is in this thread."""
        handlers = {int(number): signal.getsignal(number) for number in signal.valid_signals()}
        blocked = frozenset(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ())))
        limits = {}
        for kind in _LIMITS:
            with contextlib.suppress(ValueError, OSError):
                limits[kind] = resource.getrlimit(kind)
        return cls(handlers, blocked, limits)

    @contextlib.contextmanager
    def restored(self) -> Iterator[None]:
        """Put back what it was, as far as that is allowed, and in the end what it is now."""
        now = Inherited.now()
        _change(now, self)
        try:
            yield
        finally:
            _change(self, now)


def _change(now: Inherited, to: Inherited) -> None:
    """From what it is to what it is to be."""
    for number, handler in to.handlers.items():
        old = now.handlers.get(number)
        if None not in {old, handler} and (old is signal.SIG_IGN) != (handler is signal.SIG_IGN):
            with contextlib.suppress(ValueError, OSError):  # another thread, or a signal that cannot be caught
                signal.signal(number, handler)
    if to.blocked != now.blocked:
        signal.pthread_sigmask(signal.SIG_SETMASK, to.blocked)
    for kind, (soft, hard) in to.limits.items():
        if now.limits.get(kind, (soft, hard)) != (soft, hard):
            with contextlib.suppress(ValueError, OSError):  # only the soft limit can be raised again
                resource.setrlimit(kind, (_least(soft, now.limits[kind][1]), now.limits[kind][1]))


def _least(soft: int, hard: int) -> int:
    """A soft limit that a hard one allows."""
    if hard == resource.RLIM_INFINITY:
        return soft
    return hard if soft == resource.RLIM_INFINITY else min(soft, hard)
