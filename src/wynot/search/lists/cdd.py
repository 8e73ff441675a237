"""Counting in the place of probabilities: CDD (Zhang and others 2024, "Deep dive into probabilistic delta debugging").

ProbDD's probabilities grow by about the same factor in each round, whatever the tests say. So the length of the chunks
that are taken away is known beforehand: it depends on the number of the round alone. When single deltas have been
tried, the pass that proves 1-minimality follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import log

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.trial import RestartableQuestion, Strategy, Trial
from wynot.search.lists.sweep import proof

FIRST = 0.1
"""How likely a delta is taken to be needed at first."""


def lengths(chance: float = FIRST) -> Iterator[int]:
    """The lengths of the chunks, round by round.

    >>> list(lengths())
    [9, 6, 3, 2, 1]
    """
    while True:
        length = max(1, round(-1 / log(1 - chance)))
        yield length
        if length == 1:
            return
        chance = min(chance / (1 - (1 - chance) ** length), 0.99)


def cdd(config: Config) -> Strategy:
    """Take chunks away, shorter ones in each round; the result is 1-minimal."""
    return _round(config, tuple(lengths()), len(config))


def _round(config: Config, left: tuple[int, ...], end: int) -> Strategy:
    """Go on before rank `end`, with chunks of the first of these lengths."""
    while left:
        verdict = yield RestartableQuestion(partial(_trials, config, left[0], end), partial(_round, config, left, end))
        if verdict is None:
            left, end = left[1:], len(config)
        else:
            gone = config - verdict.config
            end = len(config & Config.full(gone.bounds[0]))
            config = verdict.config
    return (yield from proof(config))


def _trials(config: Config, length: int, end: int) -> Iterator[Trial]:
    for stop in range(end, 0, -length):
        start = max(0, stop - length)
        if start or stop < len(config):  # all of it: known to pass
            yield Trial(config.without(start, stop), ONLY_FAIL)
