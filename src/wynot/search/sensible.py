"""What is known to be senseless is not asked: a text that no longer parses, say, is predicted to be unresolved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import UNRESOLVED
from wynot.core.trial import Question, Strategy, Trial
from wynot.search.lift import within

Sense = Callable[[Config], bool]
"""Says whether a configuration can be tested at all; always the same for the same one."""


def sensible(strategy: Strategy, sense: Sense) -> Strategy:
    """Run a strategy; trials without sense are unresolved without a test, so nobody has to see them."""
    return within(strategy, partial(sensible, sense=sense), partial(_with_sense, sense))


def _with_sense(sense: Sense, question: Question) -> Iterator[Trial]:
    return (trial for trial in question if UNRESOLVED in trial.wanted or sense(trial.config))
