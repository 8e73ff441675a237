"""What a suite started with: environment, umask, import path. Fresh processes start with the same.

When a suite ends, its process has another environment than when it started. A fresh process that inherited it would
fail alone where the test passes alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from wynot.core.setting import Variable


@dataclass(frozen=True, slots=True)
class Process:
    """What a process inherits."""

    environment: Mapping[str, str]
    umask: int
    imports: tuple[str, ...]
    """The import path."""

    @classmethod
    def now(cls) -> Process:
        """As this process is."""
        umask = os.umask(0o77)
        os.umask(umask)
        return cls(dict(os.environ), umask, tuple(sys.path))

    def changes(self) -> tuple[Variable, ...]:
        """The variables that differ by now, with the values they had."""
        names = sorted({*self.environment, *os.environ})
        pairs = ((name, self.environment.get(name)) for name in names)
        return tuple(Variable(name, was) for name, was in pairs if os.environ.get(name) != was)


STARTED = Process.now()
"""When the plugin was loaded: before any conftest.py and any test."""
