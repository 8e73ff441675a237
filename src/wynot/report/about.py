"""What is known of a run before it begins: for those who show it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class About:
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
    halving: bool = False
    """Each test halves what is left."""
