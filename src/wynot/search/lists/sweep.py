"""The default list minimiser: generalised binary splitting, swept from the end to the front.

Taking a chunk away and still failing means that the chunk holds nothing needed: that is group testing, and Hwang's
generalised binary splitting (1972) needs close to the least number of tests there is, m log2(n/m) + m for m needed
deltas of n. A chunk about as long as the gap to the next needed delta is taken away; if that does not work, binary
search finds the needed delta in it; if it works, the next chunk is twice as long. How long the gaps are is learnt
on the way, by a moving average of their logarithms, so that clusters and deserts are both crossed fast.

Binary search infers ("not in that half, so in this one"), and real tests are not monotone: what was inferred is not
believed in the end. The sweep goes round and round, and ends when every single delta has been taken away alone from
the final configuration without success. So the result is 1-minimal, as ddmin's (definition 10).

What was found needed so far may be enough by itself, although no part of the rest can be left out alone (a text whose
beginning must be well formed, say): after the 1st, 2nd, 4th, 8th, ... needed delta all that is left is tried at once.

From the end to the front, because in programs and data the users of a thing stand behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import log2
from typing import NamedTuple

from wynot.core.config import Config
from wynot.core.outcome import ONLY_FAIL
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial

INERTIA = 0.5  # the weight of the older gaps in the average
AIM = 0.7  # of an average gap: the chunk is free of needed deltas about half of the time (ln 2)


class SweepState(NamedTuple):
    """Where the sweep stands. Members of rank `end` and above are settled in this round."""

    config: Config
    end: int
    step: int
    scale: float
    """The moving average of log2(gap + 1); at first, as if a gap of all deltas had been seen."""
    suspect: int = 0
    """The last so many members before `end` hold a needed one, as far as can be inferred; 0: nothing is known."""
    gap: int = 0
    """Deltas taken away since the last needed one."""
    proved: int = 0
    """Members settled since the last success, each by a test of its own."""
    first: bool = True
    """The first round learns the gaps; later ones expect to find nothing."""
    found: int = 0
    """Needed members found in the first round."""
    rounds: int | None = None
    """How many more rounds may begin; None: as many as it takes."""
    bold: bool = False
    """Try to take away all that is not settled yet, whatever is known of it."""
    timid: bool = False
    """Never to be `bold`."""
    most: int | None = None
    """How many needed members to find in the first round; None: all."""

    def chunk(self) -> int:
        """How many members before `end` to take away next."""
        if self.bold:
            return self.end
        if self.suspect:
            return self.suspect // 2
        size = min(self.step, self.end)
        return max(size // 2, 1) if size == len(self.config) > 1 else size  # all of it: known to pass

    def without_chunk(self) -> Config:
        """What is to be tried next."""
        return self.config.without(self.end - self.chunk(), self.end)

    def settled(self, proved: int) -> SweepState:
        """The member before `end` is needed."""
        scale = INERTIA * self.scale + (1 - INERTIA) * log2(self.gap + 1)
        step = max(1, int(AIM * 2**scale)) if self.first else 1
        found = self.found + self.first
        bold = self.first and not self.timid and self.end > 2 and found & (found - 1) == 0
        state = self._replace(
            end=self.end - 1, suspect=0, gap=0, scale=scale, step=step, proved=proved, found=found, bold=bold
        )
        return state.rounded()

    def rounded(self) -> SweepState:
        """Begin the next round where this one is at its end."""
        if self.end or not self.config:
            return self
        rounds = None if self.rounds is None else self.rounds - 1
        return self._replace(end=len(self.config), step=1, suspect=0, gap=0, first=False, bold=False, rounds=rounds)

    def over(self) -> bool:
        """Whether every member is known to be needed, or enough has been done."""
        enough = self.most is not None and self.found >= self.most and not self.bold
        return enough or self.proved >= len(self.config) or self.rounds == 0

    def kept(self) -> SweepState:
        """The chunk cannot be taken away."""
        if self.bold:
            return self._replace(bold=False)
        size = self.chunk()
        if size == 1:
            return self.settled(self.proved + 1)
        return self._replace(suspect=size)

    def cut(self) -> SweepState:
        """The chunk is gone, and it still fails."""
        size = self.chunk()
        end = self.end - size
        state = self._replace(config=self.config.without(end, self.end), end=end, gap=self.gap + size, proved=0)
        if not self.suspect:
            return state._replace(step=self.step * 2, bold=False).rounded()
        state = state._replace(suspect=self.suspect - size)
        return state.settled(0) if state.suspect == 1 else state  # taken for needed without a test, for now


def sweep(config: Config, rounds: int | None = None) -> Strategy:
    """Minimise a failing configuration; the result is 1-minimal, unless it has to end after so many `rounds`."""
    return _sweep(begun(len(config), rounds)._replace(config=config))


def begun(size: int, rounds: int | None = None) -> SweepState:
    """Where a sweep over so many deltas begins."""
    return SweepState(Config.full(size), end=size, step=max(1, size // 2), scale=log2(size + 1), rounds=rounds)


def skim(config: Config) -> Strategy:
    """One round of `sweep`: most of what can go, for a small part of the tests that a proof takes."""
    return sweep(config, rounds=1)


def nibble(config: Config) -> Strategy:
    """As `skim`, where it is known that the greater part is needed: never all that is left at once."""
    return _sweep(begun(len(config), rounds=1)._replace(config=config, timid=True))


def proof(config: Config, rounds: int | None = None) -> Strategy:
    """Try single deltas, until it is known of each that it cannot be taken away: what most can be told of is left."""
    return _sweep(SweepState(config, end=len(config), step=1, scale=0.0, first=False, rounds=rounds))


def singles(config: Config) -> Strategy:
    """One round of `proof`: each delta alone, once."""
    return proof(config, rounds=1)


def alone(config: Config) -> Strategy:
    """Whether one of the deltas, the last one excepted, is enough by itself: the first that is, or all."""
    verdict = yield RestartableQuestion(partial(_alone, config), partial(alone, config))
    return Found(config if verdict is None else verdict.config)


def _alone(config: Config) -> Iterator[Trial]:
    return (Trial(Config.of([each]), ONLY_FAIL) for each in config.part(0, len(config) - 1))


def settle(most: int, config: Config) -> Strategy:
    """Begin with everything at once, then find the last so many needed ones, and end."""
    return _sweep(begun(len(config), rounds=1)._replace(config=config, bold=True, most=most))


def _sweep(state: SweepState) -> Strategy:
    while len(state.config) > 1:
        verdict = yield RestartableQuestion(partial(_trials, state), partial(_sweep, state))
        if verdict is None:
            break
        gone = state.config - verdict.config
        state = next(s for s in _path(state) if s.config.part(s.end - s.chunk(), s.end) == gone).cut()
    return Found(state.config)


def _path(state: SweepState) -> Iterator[SweepState]:
    """The states to come as long as nothing can be taken away: the whole rest of the search, if so."""
    while not state.over():
        yield state
        state = state.kept()


def _trials(state: SweepState) -> Iterator[Trial]:
    for ahead in _path(state):
        yield Trial(ahead.without_chunk(), ONLY_FAIL)
