"""A search with a way out: one delta more, which may be most of the artifact, and hang on what is searched.

Whenever half of what is searched is gone, it is tried without that delta. If that works, the search has come to its
end: whatever comes next costs less. If not, it goes on as if nobody had asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.trial import Found, Question, RestartableQuestion, Strategy, Trial
from wynot.search.combinators import EmbeddedTrial, unwrap

Size = Callable[[Config], int]
"""How much a configuration of the search holds; always the same of the same one."""


class _Way(NamedTuple):
    """What does not change during a search."""

    most: Config
    """The one delta more."""
    size: Size


def with_prefix_shortcut(strategy: Strategy, deltas: int, size: Size) -> Strategy:
    """Run a strategy among so many deltas; the one more has the next number."""
    way = _Way(Config((deltas, deltas + 1)), size)
    return _going(way, strategy, size(Config.full(deltas)) // 2, None)


def _going(way: _Way, strategy: Strategy, half: int, few: Config | None) -> Strategy:
    """`half`: when so little is left, it is `few` enough to be tried alone."""
    try:
        question = next(strategy)
        while True:
            again: Callable[[], Strategy] | None = getattr(question, "again", None)
            if few is not None:
                verdict = yield RestartableQuestion(partial(_alone, few), _again(way, again, half, few))
                if verdict is not None:
                    return Found(few)
                half, few = way.size(few) // 2, None
            verdict = yield RestartableQuestion(partial(_with_most, way.most, question), _again(way, again, half, None))
            inner = unwrap(verdict)
            question = strategy.send(inner)
            if inner is not None and way.size(inner.config) <= half:
                few = inner.config
    except StopIteration as done:
        found: Found = done.value
        return Found(found.failing | way.most)


def _again(
    way: _Way, again: Callable[[], Strategy] | None, half: int, few: Config | None
) -> Callable[[], Strategy] | None:
    return None if again is None else lambda: _going(way, again(), half, few)


def _alone(few: Config) -> Iterator[Trial]:
    yield Trial(few, ONLY_FAIL)


def _with_most(most: Config, question: Question) -> Iterator[Trial]:
    return (EmbeddedTrial(trial.config | most, trial.wanted, trial) for trial in question)
