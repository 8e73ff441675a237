"""What a suite started with: environment, umask, import path, signals, limits. Fresh processes start with the same.

A suite may have changed them; fresh processes are to start with what the suite started with.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wynot.core.call import Variable

_LIMITS = tuple(getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_"))


@dataclass(frozen=True, slots=True)
class InheritedState:
    """As it was at one moment."""

    handlers: dict[int, Any]
    """Of each signal; a program that is started has only those that are ignored."""
    blocked: frozenset[int]
    limits: dict[int, tuple[int, int]]

    @classmethod
    def now(cls) -> InheritedState:
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
        now = InheritedState.now()
        _change(now, self)
        try:
            yield
        finally:
            _change(self, now)


def _change(now: InheritedState, to: InheritedState) -> None:
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


@dataclass(frozen=True, slots=True)
class SuiteProcess:
    """What a process inherits."""

    environment: Mapping[str, str]
    umask: int
    imports: tuple[str, ...]
    """The import path."""

    @classmethod
    def now(cls) -> SuiteProcess:
        """As this process is."""
        umask = os.umask(0o77)
        os.umask(umask)
        return cls(dict(os.environ), umask, tuple(sys.path))

    def changes(self) -> tuple[Variable, ...]:
        """The variables that differ by now, with the values they had."""
        names = sorted({*self.environment, *os.environ})
        pairs = ((name, self.environment.get(name)) for name in names)
        return tuple(Variable(name, was) for name, was in pairs if os.environ.get(name) != was)


STARTED = SuiteProcess.now()
"""When the plugin was loaded: before any conftest.py and any test."""
