"""Search along a sequence: bisection, and greedy steps to a simpler text."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import FAIL, ONLY_FAIL, RESOLVED
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial

# Binary search along an order, with states that cannot be tested: what `git bisect` does, as a strategy.
#
# A configuration is all deltas up to one of them. None passes, all fail. A state that is unresolved is skipped: the
# search goes on in the middles of both halves, then of the quarters, for broken states come in rows.


def bisection(size: int) -> Strategy:
    """The first of so many deltas that makes it fail; more than one if those between could not be tested."""
    return _between(0, size)


def _between(low: int, high: int) -> Strategy:
    while high - low > 1:
        verdict = yield RestartableQuestion(partial(_trials, low, high), partial(_between, low, high))
        if verdict is None:
            break
        middle = len(verdict.config)
        low, high = (low, middle) if verdict.outcome is FAIL else (middle, high)
    return Found(Config.full(high), Config.full(low), minimal=high - low == 1)


def _trials(low: int, high: int) -> Iterator[Trial]:
    """The middle, the middles of the halves, of the quarters, ...

    >>> [len(trial.config) for trial in _trials(0, 8)]
    [4, 2, 6, 1, 3, 5, 7]
    """
    waiting = deque([(low, high)])
    while waiting:
        first, last = waiting.popleft()
        if last - first > 1:
            middle = (first + last) // 2
            yield Trial(Config.full(middle), RESOLVED)
            waiting += ((first, middle), (middle, last))


# From one text to a simpler one, as long as there is one that fails, too.


Below = Callable[[int], Iterator[int]]
"""The texts that can be made of a text, by their numbers; always the same for the same one."""


def greedy_descent(below: Below, number: int = 0) -> Strategy:
    """Go on with the first text below that fails, until none does. A configuration is the number of a text."""
    while True:
        verdict = yield RestartableQuestion(
            partial(_greedy_trials, below, number), partial(greedy_descent, below, number)
        )
        if verdict is None:
            return Found(Config.of([number]))
        number = verdict.config.bounds[0]


def _greedy_trials(below: Below, number: int) -> Iterator[Trial]:
    return (Trial(Config.of([each]), ONLY_FAIL) for each in below(number))
