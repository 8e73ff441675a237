"""What happens during a run, for whoever listens: frozen facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wynot.core.config import Config
from wynot.core.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Stage:
    """The search goes on with another kind of delta."""

    name: str
    deltas: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A configuration the search asked about has its outcome."""

    outcome: Outcome
    size: int
    cached: bool
    config: Config | None = None
    """The configuration among the deltas of the stage, where it is one."""


@dataclass(frozen=True, slots=True)
class Improved:
    """A simpler failing artifact."""

    size: int


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the user should know; the run goes on."""

    message: str


@dataclass(frozen=True, slots=True)
class Said:
    """Something worth telling the user."""

    message: str


@dataclass(frozen=True, slots=True)
class Settled:
    """What was found so far stands; what is asked from now on is another question."""


Event = Stage | Answered | Improved | Warned | Said | Settled
Listener = Callable[[Event], None]


def silent(_event: Event) -> None:
    """Listen to nothing."""
