"""What was in vain before is not tried again: it will most likely be in vain once more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from wynot.core.config import Config
from wynot.core.trial import Asked, Found, Question, Strategy, Trial

Vain = Callable[[Config, Config], bool]
"""Says whether the step from one configuration to another was in vain before; always the same for the same ones."""


def recalling(strategy: Strategy, base: Config, vain: Vain) -> Strategy:
    """Run a strategy that goes on from `base`; steps that were in vain before are not asked about."""
    try:
        question = next(strategy)
        while True:
            again: Callable[[], Strategy] | None = getattr(question, "again", None)
            begin = None if again is None else partial(_again, again, base, vain)
            verdict = yield Asked(partial(_unknown, question, base, vain), begin)
            if verdict is not None:
                base = verdict.config
            question = strategy.send(verdict)
    except StopIteration as done:
        found: Found = done.value
        return found


def _again(again: Callable[[], Strategy], base: Config, vain: Vain) -> Strategy:
    return recalling(again(), base, vain)


def _unknown(question: Question, base: Config, vain: Vain) -> Iterator[Trial]:
    return (trial for trial in question if not vain(base, trial.config))
