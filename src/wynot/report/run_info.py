"""What is known of a run before it begins: for those who show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wynot.core.run_events import Visible


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What is done to what, and what is known of the end."""

    title: str = "wynot"
    unit: str = "bytes"
    """What is counted: this is to become less."""
    name: str = ""
    """The file's, which says how the best so far is coloured..."""
    language: str | None = None
    """...unless its language is given."""
    budget_tests: int | None = None
    budget_time: float | None = None
    best: Callable[[], Visible] | None = None
    """What there is to see in the beginning: the original."""
    halving: bool = False
    """Each test halves what is left."""
