"""What is known to be senseless is not asked: a text that no longer parses, say, is predicted to be unresolved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import UNRESOLVED
from wynot.core.trial import Asked, Found, Question, Strategy, Trial

Sense = Callable[[Config], bool]
"""Says whether a configuration can be tested at all; always the same for the same one."""


def sensible(strategy: Strategy, sense: Sense) -> Strategy:
    """Run a strategy; trials without sense are unresolved without a test, so nobody has to see them."""
    try:
        question = next(strategy)
        while True:
            begin: Callable[[], Strategy] | None = getattr(question, "again", None)
            again = None if begin is None else partial(_again, begin, sense)
            question = strategy.send((yield Asked(partial(_sensible, question, sense), again)))
    except StopIteration as done:
        found: Found = done.value
        return found


def _again(begin: Callable[[], Strategy], sense: Sense) -> Strategy:
    return sensible(begin(), sense)


def _sensible(question: Question, sense: Sense) -> Iterator[Trial]:
    return (trial for trial in question if UNRESOLVED in trial.wanted or sense(trial.config))
