"""Limits of a test: time, memory, output; and whether the kernel killed it for lack of memory."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from wynot.core.text import counted
from wynot.errors import PlaceError

MIB = 1 << 20
PATIENCE = 10
"""A test may take so many times as long as the baseline, unless told otherwise..."""
FILES = 24
"""Files that wynot may have open at once..."""
FILES_PER_JOB = 4
"""...and so many more for each test that runs: its input, output, errors and end."""
LEAST_SECONDS = 5.0
"""...but never less than this: shared machines hiccup."""
GROWTH = 5
"""Where the failure was seen to take long to show, so many times as long is allowed..."""
MOST_SECONDS = 300.0
"""...up to this: what takes longer has to be asked for."""
FIRST_SECONDS = 300.0
"""A first look at the input may take so long, as long as nothing else is known."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a test may use; beyond that it is killed and UNRESOLVED."""

    seconds: float | None = None
    """None: not decided yet; the baseline decides."""
    memory: int | None = None
    """Bytes of address space a process (RLIMIT_AS); None: as the system allows."""
    output: int = 16 * MIB
    """Bytes printed to standard output and standard error together."""
    first: float = FIRST_SECONDS
    """Seconds for a look at the input itself, where `seconds` is not decided yet."""
    adaptive: bool = False
    """Whether `seconds` follows from what was observed, and may grow."""

    def looking(self) -> Limits:
        """For the first looks at the input."""
        return self if self.seconds is not None else replace(self, seconds=self.first)

    def settled(self, baseline: float, crowd: float) -> Limits:
        """With the time limit that follows from the baseline's time, more of it where tests share processors."""
        if self.seconds is not None:
            return self
        return replace(self, seconds=max(LEAST_SECONDS, PATIENCE * baseline * max(1.0, crowd)), adaptive=True)

    def grown(self, slowest: float) -> Limits:
        """With the time limit that follows from the slowest test that showed the failure.

        It grows to the double at least: each time that it does, tests that were cut short are run again.
        """
        now = self.seconds
        if not self.adaptive or now is None or now >= MOST_SECONDS or GROWTH * slowest <= now:
            return self
        return replace(self, seconds=min(MOST_SECONDS, max(GROWTH * slowest, 2 * now)))


def enough_files(jobs: int) -> None:
    """See that as many files may be open as this takes, before anything is begun that could not be ended properly."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    most, need = resource.getrlimit(resource.RLIMIT_NOFILE)[0], FILES + FILES_PER_JOB * jobs
    if resource.RLIM_INFINITY != most < need:
        fewer = " or use fewer jobs: -j 1" if jobs > 1 else ""
        raise PlaceError(
            f"only {most} files may be open at once, and {counted(jobs, 'job')} may need {need}",
            f"allow more: ulimit -n 1024;{fewer}".rstrip(";"),
        )


def limited(argv: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """The command, with its memory limited before its first instruction.

    By a shell that is replaced by the program: Python could set the limit in the child only by a slow fork, or from
    outside, too late.
    """
    if limits.memory is None:
        return argv
    return ("/bin/sh", "-c", 'ulimit -v "$0" && exec "$@"', str(max(1, limits.memory // 1024)), *argv)


# Whether the kernel killed processes for lack of memory: a test script may hide that its compiler was killed.


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
