"""What happens during a run, for whoever listens: frozen facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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


Event = Stage | Answered | Improved | Warned | Said
Listener = Callable[[Event], None]


def silent(_event: Event) -> None:
    """Listen to nothing."""
