"""Published alternatives to ddmin: CDD and ProbDD."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import log

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.trial import RestartableQuestion, Strategy, Trial
from wynot.search.lists.sweep import proof

# Counting in the place of probabilities: CDD (Zhang and others 2024, "Deep dive into probabilistic delta debugging").
#
# ProbDD's probabilities grow by about the same factor in each round, whatever the tests say. So the length of the
# chunks that are taken away is known beforehand: it depends on the number of the round alone. When single deltas have
# been tried, the pass that proves 1-minimality follows.


FIRST_CDD_PROBABILITY = 0.1
"""How likely a delta is taken to be needed at first."""


def lengths(chance: float = FIRST_CDD_PROBABILITY) -> Iterator[int]:
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
        verdict = yield RestartableQuestion(
            partial(_cdd_trials, config, left[0], end), partial(_round, config, left, end)
        )
        if verdict is None:
            left, end = left[1:], len(config)
        else:
            gone = config - verdict.config
            end = len(config & Config.full(gone.bounds[0]))
            config = verdict.config
    return (yield from proof(config))


def _cdd_trials(config: Config, length: int, end: int) -> Iterator[Trial]:
    for stop in range(end, 0, -length):
        start = max(0, stop - length)
        if start or stop < len(config):  # all of it: known to pass
            yield Trial(config.without(start, stop), ONLY_FAIL)


# Probabilistic delta debugging: ProbDD (Wang and others 2021).
#
# Each delta has a probability of being needed. What is taken away next is the set that promises the largest gain: its
# size, times the probability that none of it is needed. If that does not work, each member of the set becomes more
# likely to be needed, by Bayes' rule; a single one is needed for sure. When all are needed for sure, the pass that
# proves 1-minimality follows: the rule takes tests for monotone, and not all are.


FIRST_PROBDD_PROBABILITY = 0.1
"""How likely a delta is taken to be needed at first."""


@dataclass(frozen=True, slots=True)
class ProbabilityState:
    """What is left, and how likely each of it is needed, in the order of ranks."""

    config: Config
    chances: tuple[float, ...]

    def chosen(self) -> list[int]:
        """The ranks to take away next; none where nothing is left to find out."""
        order = sorted(range(len(self.chances)), key=lambda rank: (self.chances[rank], -rank))
        best, most, free = 0, 0.0, 1.0
        for size, rank in enumerate(order, 1):
            free *= 1 - self.chances[rank]
            if size * free <= most:
                break
            best, most = size, size * free
        return order[:best]

    def without(self, ranks: list[int]) -> Config:
        """All but these."""
        members = list(self.config)
        return self.config - Config.of(members[rank] for rank in ranks)

    def kept(self, ranks: list[int]) -> ProbabilityState:
        """These cannot be taken away together."""
        free = 1.0
        for rank in ranks:
            free *= 1 - self.chances[rank]
        chances = list(self.chances)
        for rank in ranks:
            chances[rank] = 1.0 if len(ranks) == 1 else min(chances[rank] / (1 - free), 1.0)
        return ProbabilityState(self.config, tuple(chances))

    def cut(self, config: Config) -> ProbabilityState:
        """Only this is left."""
        pairs = zip(self.config, self.chances, strict=True)
        return ProbabilityState(config, tuple(chance for member, chance in pairs if member in config))


def probdd(config: Config) -> Strategy:
    """Take away what promises most; the result is 1-minimal."""
    return _probdd(ProbabilityState(config, (FIRST_PROBDD_PROBABILITY,) * len(config)))


def _probdd(state: ProbabilityState) -> Strategy:
    while True:
        verdict = yield RestartableQuestion(partial(_probdd_trials, state), partial(_probdd, state))
        if verdict is None:
            return (yield from proof(state.config))
        state = next(s for s in _path(state) if s.without(s.chosen()) == verdict.config).cut(verdict.config)


def _path(state: ProbabilityState) -> Iterator[ProbabilityState]:
    """The states to come as long as nothing can be taken away."""
    while chosen := state.chosen():
        yield state
        state = state.kept(chosen)


def _probdd_trials(state: ProbabilityState) -> Iterator[Trial]:
    for ahead in _path(state):
        left = ahead.without(ahead.chosen())
        if left:  # nothing at all: known to pass
            yield Trial(left, ONLY_FAIL)
