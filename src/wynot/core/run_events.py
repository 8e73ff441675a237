"""Events that a run reports, and the controls by which a user stops, skips or pauses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from wynot.core.artifact import Content
from wynot.core.config import Config
from wynot.core.outcome import Outcome

# What the user asks of a run while it is in progress. Whoever runs tests asks for it; whoever has the keys answers.
#
# He is also told what is in progress right now. That is no event: it is another story for each number of jobs.


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
    """What is in progress."""

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


@dataclass(frozen=True, slots=True)
class PassStarted:
    """The search goes on with another kind of delta."""

    name: str
    deltas: int
    skippable: bool = False
    """Whether there is something to go on with, should the user not wish to wait for it."""


@dataclass(frozen=True, slots=True)
class TrialAnswered:
    """A configuration the search asked about has its outcome."""

    outcome: Outcome
    size: int
    cached: bool
    config: Config | None = None
    """The configuration among the deltas of the stage, where it is one."""


@dataclass(frozen=True, slots=True)
class InputPair:
    """Two inputs with little between them."""

    passing: bytes
    failing: bytes


Visible = Content | InputPair | tuple[str, ...]
"""What there is to see of a result: a file, a folder, a pair, or the names of all that is left."""


@dataclass(frozen=True, slots=True)
class Improved:
    """A simpler failing artifact."""

    size: int
    best: Callable[[], Visible] | None = None
    """Gives it to whoever wants to see it; that may take some time."""


@dataclass(frozen=True, slots=True)
class Caution:
    """Something the user should know; the run goes on."""

    message: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth telling the user."""

    message: str


@dataclass(frozen=True, slots=True)
class ResultSettled:
    """What was found so far stands; what is asked from now on is another question."""


Event = PassStarted | TrialAnswered | Improved | Caution | Note | ResultSettled
Listener = Callable[[Event], None]


def silent(_event: Event) -> None:
    """Listen to nothing."""
