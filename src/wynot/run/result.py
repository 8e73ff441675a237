"""What a run has found, as a value that reports and callers read."""

from __future__ import annotations

from dataclasses import dataclass, field

from wynot.run.lab import Counts


@dataclass(frozen=True, slots=True)
class Cost:
    """What it took."""

    counts: Counts
    wall: float
    engine: float
    runs: int = 0
    """Programs run, of which a test may need several."""
    rate: float = 1.0
    """How often the original shows the failure."""
    """Seconds that were not spent on tests."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A simplified input: the found causes, the first one first."""

    original: bytes
    causes: tuple[bytes, ...]
    minimal: bool
    """No single atom of the finest level can be left out: proved by tests."""
    atoms: str
    cost: Cost
    looked_for: str
    run: str | None = None
    status: str = "done"
    more: bool | None = None
    """Whether the failure still shows when all found causes are taken away; None: not asked."""
    outputs: tuple[str, ...] = field(default=())

    @property
    def data(self) -> bytes:
        """The simplified input."""
        return self.causes[0]


@dataclass(frozen=True, slots=True)
class Isolated:
    """Two inputs, one passing and one failing, and little between them."""

    original: bytes
    passing: bytes
    failing: bytes
    deltas: int
    minimal: bool
    atoms: str
    cost: Cost
    looked_for: str
    run: str | None = None
    status: str = "done"
    outputs: tuple[str, ...] = field(default=())
