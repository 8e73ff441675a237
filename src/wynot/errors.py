"""Everything wynot raises on purpose.

WynotError                   one clear line, and what to type next
 ├── UsageError              bad input, bad option, a file that cannot be read (exit 2)
 │    ├── BusyError          the same run is in progress in another process (exit 2)
 │    └── PlaceError         no room to work: full disk, unwritable folder (exit 2)
 ├── NoFailureError          the failure does not show: nothing to do (exit 1)
 └── Ended                   the search ended early; carries the best so far
      ├── BudgetEnded        a budget of tests or time ran out (exit 3)
      ├── Stopped            the user has seen enough (exit 3)
      ├── TestChanged        the test or its program was edited meanwhile (exit 2)
      └── Interrupted        Ctrl-C, SIGTERM or SIGHUP (exit 130)
"""

from __future__ import annotations

from typing import Literal

__all__ = [
    "BudgetEnded",
    "BusyError",
    "Ended",
    "Interrupted",
    "NoFailureError",
    "PlaceError",
    "Stopped",
    "TestChanged",
    "UsageError",
    "WynotError",
]


class WynotError(Exception):
    """The root: `str(error)` is one clear line, `hint` is what to type next (or empty)."""

    exit_code = 2
    since: float | None = None
    """From this moment (time.monotonic) on, outcomes may come from after what this reports; None: from now on."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(WynotError):
    """What was asked for cannot be done as asked."""


class BusyError(UsageError):
    """Another process is at work on the very same run."""


class PlaceError(UsageError):
    """There is no place to work or to write: a full disk, a folder without permission."""


Reason = Literal["not shown", "swapped", "old fails", "not used", "other"]
"""Why there is no failure to explain, for code; messages are for people. `not shown`: the failing end passes, and a
run by hand may tell why; `swapped`: the end that should pass fails, and the other one does not; `old fails`: the end
that should pass does not; `not used`: the command does not use the files of the tree."""


class NoFailureError(WynotError):
    """The failure to explain does not show."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "", evidence: tuple[str, ...] = (), reason: Reason = "other") -> None:
        super().__init__(message, hint)
        self.evidence = evidence
        """Lines of what was printed, where that tells why."""
        self.reason = reason


class Ended(WynotError):  # noqa: N818 - it is an end, not an error
    """The search ended before it was done; what it had found by then is not lost.

    `best` is set by whoever knows it, on the way up: library calls put their result there. `status` is what that
    result says of its end.
    """

    status = "budget"

    def __init__(self, message: str, hint: str = "", best: object = None) -> None:
        super().__init__(message, hint)
        self.best = best


class BudgetEnded(Ended):
    """The budget (tests or time) is used up."""

    exit_code = 3


class Stopped(Ended):
    """The user asked for the best so far, by a key of the live view."""

    exit_code = 3
    status = "stopped"


class TestChanged(Ended):
    """The test script, the program, or a file that belongs to them is another one than at the start."""

    __test__ = False
    status = "changed"


class Interrupted(Ended):
    """The user, or the system, asked to stop."""

    status = "interrupted"
    exit_code = 130


TOO_EARLY = "interrupted before there was anything to keep", "begin again: the same command"
"""What is said, and what to type, when Ctrl-C comes while a command is loaded or looks at what it was given."""
