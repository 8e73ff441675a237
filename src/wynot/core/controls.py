"""What the user asks of a run while it is under way. Whoever runs tests asks for it; whoever has the keys answers.

He is also told what is under way right now. That is no event: it is another story for each number of jobs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Request(Enum):
    """What is asked for."""

    GO_ON = "go on"
    PAUSE = "pause"
    """No test begins until something else is asked for; those that run come to their end."""
    SKIP = "skip"
    """Leave this pass as it is, and go on with the next one, from the best so far."""
    STOP = "stop"
    """End here, with the best so far."""


@dataclass(frozen=True, slots=True)
class Working:
    """What is under way."""

    running: int
    """Tests that are under way."""
    jobs: int
    """Tests that may be."""
    tests: int
    """Tests of the search that have come to their end."""
    predicted: int
    """Candidates that needed none, as they could not be valid."""


class Controls(Protocol):
    """Whoever can be asked."""

    @property
    def patience(self) -> float | None:
        """Seconds that may pass between two questions; None: nobody waits for them."""
        ...

    def busy(self, working: Working) -> None:
        """A test has begun or ended."""
        ...

    def wish(self, wait: float = 0.0) -> Request:
        """What is asked for now; where there is nothing new, after so many seconds. SKIP and STOP are said once."""
        ...


class Unattended:
    """Nobody asks for anything."""

    patience: float | None = None

    def busy(self, working: Working) -> None:
        """Nobody looks."""

    def wish(self, wait: float = 0.0) -> Request:  # noqa: ARG002 - nothing is waited for
        """Go on."""
        return Request.GO_ON


UNATTENDED = Unattended()
