"""Trials, questions, verdicts, strategies: the protocol between the mind and the hands.

A strategy is a pure generator. It yields a question and is sent the answer: **the first trial, in order, whose
outcome is wanted, or None.** Order decides, not speed, so the answer is the same whoever runs the tests and on how
many processors. A strategy that can predict an outcome does not ask.

A question may say how to begin `again` from it: a new strategy that asks the same question first. Pure strategies
can, at no cost, and it lets a driver look ahead: it begins again, guesses the answer, and sees what would be asked
next. Where `again` is missing the driver replays the answers given since the last question that had it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field

from wynot.core.config import Config
from wynot.core.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Trial:
    """A configuration, and the outcomes that would settle the question."""

    config: Config
    wanted: frozenset[Outcome]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The trial that settled a question, and its outcome."""

    trial: Trial
    outcome: Outcome
    evidence: str = ""
    """What an unresolved test printed, where drivers keep it: some strategies learn from it."""

    @property
    def config(self) -> Config:
        """The configuration of the trial."""
        return self.trial.config


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found: the failing configuration, and the passing one below it.

    `failing` is what matters for simplification; for isolation it is `difference`. `minimal` says that the search
    ran to its end, with the guarantee of its algorithm (1-minimality for ddmin and dd).
    """

    failing: Config
    passing: Config = field(default_factory=Config)
    minimal: bool = True

    @property
    def difference(self) -> Config:
        """What is in the failing configuration and not in the passing one."""
        return self.failing - self.passing


Question = Iterable[Trial]
Strategy = Generator[Question, Verdict | None, Found]


@dataclass(frozen=True, slots=True)
class RestartableQuestion:
    """A question that can be asked again: the usual way for a strategy to write one."""

    trials: Callable[[], Iterator[Trial]]
    again: Callable[[], Strategy] | None = None

    def __iter__(self) -> Iterator[Trial]:
        return self.trials()
