"""What the user asks of a run while it is under way. Whoever runs tests asks for it; whoever has the keys answers."""

from __future__ import annotations

from enum import Enum
from typing import Protocol


class Wish(Enum):
    """What is asked for."""

    GO_ON = "go on"
    PAUSE = "pause"
    """No test begins until something else is asked for; those that run come to their end."""
    SKIP = "skip"
    """Leave this pass as it is, and go on with the next one, from the best so far."""
    STOP = "stop"
    """End here, with the best so far."""


class Controls(Protocol):
    """Whoever can be asked."""

    @property
    def patience(self) -> float | None:
        """Seconds that may pass between two questions; None: nobody waits for them."""
        ...

    def wish(self, wait: float = 0.0) -> Wish:
        """What is asked for now; where there is nothing new, after so many seconds. SKIP and STOP are said once."""
        ...


class Unattended:
    """Nobody asks for anything."""

    patience: float | None = None

    def wish(self, wait: float = 0.0) -> Wish:  # noqa: ARG002 - nothing is waited for
        """Go on."""
        return Wish.GO_ON


UNATTENDED = Unattended()
