"""Probabilistic delta debugging: ProbDD (Wang and others 2021).

Each delta has a probability of being needed. What is taken away next is the set that promises the largest gain: its
size, times the probability that none of it is needed. If that does not work, each member of the set becomes more likely
to be needed, by Bayes' rule; a single one is needed for sure. When all are needed for sure, the pass that proves
1-minimality follows: the rule takes tests for monotone, and not all are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.trial import RestartableQuestion, Strategy, Trial
from wynot.search.lists.sweep import proof

FIRST = 0.1
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
    return _probdd(ProbabilityState(config, (FIRST,) * len(config)))


def _probdd(state: ProbabilityState) -> Strategy:
    while True:
        verdict = yield RestartableQuestion(partial(_trials, state), partial(_probdd, state))
        if verdict is None:
            return (yield from proof(state.config))
        state = next(s for s in _path(state) if s.without(s.chosen()) == verdict.config).cut(verdict.config)


def _path(state: ProbabilityState) -> Iterator[ProbabilityState]:
    """The states to come as long as nothing can be taken away."""
    while chosen := state.chosen():
        yield state
        state = state.kept(chosen)


def _trials(state: ProbabilityState) -> Iterator[Trial]:
    for ahead in _path(state):
        left = ahead.without(ahead.chosen())
        if left:  # nothing at all: known to pass
            yield Trial(left, ONLY_FAIL)
