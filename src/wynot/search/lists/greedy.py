"""From one text to a simpler one, as long as there is one that fails, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial

Below = Callable[[int], Iterator[int]]
"""The texts that can be made of a text, by their numbers; always the same for the same one."""


def greedy_descent(below: Below, number: int = 0) -> Strategy:
    """Go on with the first text below that fails, until none does. A configuration is the number of a text."""
    while True:
        verdict = yield RestartableQuestion(partial(_trials, below, number), partial(greedy_descent, below, number))
        if verdict is None:
            return Found(Config.of([number]))
        number = verdict.config.bounds[0]


def _trials(below: Below, number: int) -> Iterator[Trial]:
    return (Trial(Config.of([each]), ONLY_FAIL) for each in below(number))
