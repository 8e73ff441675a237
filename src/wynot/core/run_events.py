"""What happens during a run, for whoever listens: frozen facts, the same for any number of jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wynot.core.artifact import Content
from wynot.core.config import Config
from wynot.core.outcome import Outcome


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
