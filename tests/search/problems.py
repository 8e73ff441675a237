"""Random tests to search with, each a function of its configuration alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from math import ceil, log2
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.trial import Strategy
from wynot.search.lists.dd import dd, dd1999, ddmax, ddmin, ddplus
from wynot.search.lists.published import cdd, probdd
from wynot.search.lists.sweep import sweep
from wynot.search.prediction import OutcomeKnowledge, predicting

LARGEST = 24
Problem = TypeVar("Problem")


@dataclass(frozen=True)
class Noise:
    """Any outcome anywhere, but all deltas fail and none passes (the axiom of both papers)."""

    size: int
    seed: int
    fails: int
    """So many of a hundred configurations fail,"""
    passes: int
    """so many pass, and the others are unresolved."""

    @property
    def full(self) -> Config:
        return Config.full(self.size)

    def __call__(self, config: Config) -> Outcome:
        if not config:
            return PASS
        if len(config) == self.size:
            return FAIL
        digest = blake2b(repr((self.seed, config.bounds)).encode(), digest_size=4).digest()
        lot = int.from_bytes(digest, "big") % 100
        if lot < self.fails:
            return FAIL
        return PASS if lot < self.fails + self.passes else UNRESOLVED


class Guilty:
    """Fails with all guilty deltas: monotone and unambiguous; unresolved where a group is cut in two."""

    def __init__(self, size: int, guilty: Iterable[int], groups: Iterable[Iterable[int]] = ()) -> None:
        self.size = size
        self.guilty = frozenset(guilty)
        self.groups = tuple(map(frozenset, groups))
        self._guilty = _bits(self.guilty)
        self._groups = tuple(map(_bits, self.groups))

    def __repr__(self) -> str:
        return f"Guilty({self.size}, {sorted(self.guilty)}, {[sorted(group) for group in self.groups]})"

    @property
    def full(self) -> Config:
        return Config.full(self.size)

    def __call__(self, config: Config) -> Outcome:
        kept = 0
        for start, stop in config.intervals():
            kept += (1 << stop) - (1 << start)
        for group in self._groups:
            if kept & group not in {0, group}:
                return UNRESOLVED
        return FAIL if kept & self._guilty == self._guilty else PASS


def _bits(deltas: Iterable[int]) -> int:
    return sum(1 << delta for delta in deltas)


def _noise(resolved: bool, size: int, seed: int) -> Noise:
    fails = (1, 5, 20, 33, 60)[seed % 5]
    passes = 100 - fails if resolved else (0, 5, 33)[seed % 3] * (100 - fails) // 100
    return Noise(size, seed, fails, passes)


def _conjunction(size: int, seed: int) -> Guilty:
    chance = Random(seed)
    return Guilty(size, chance.sample(range(size), chance.randint(1, size if seed % 4 == 0 else min(size, 4))))


def _grouped(safe: bool, size: int, seed: int) -> Guilty:
    chance = Random(seed)
    guilty = min(size - 2, (1, 1, 2, 3)[seed % 4])
    deltas = chance.sample(range(size), size)
    bad, others = deltas[:guilty], deltas[guilty:]
    if not safe:
        others = deltas  # so that the first group holds a guilty one
    groups: list[list[int]] = []
    for _ in range(chance.randint(1, 6)):
        length = chance.randint(2, 5)
        groups.append(others[:length])
        others = others[length:]
    return Guilty(size, bad, [group for group in groups if len(group) > 1])


def _drawn(make: Callable[[int, int], Problem], smallest: int, largest: int) -> st.SearchStrategy[Problem]:
    """Problems of all sizes. One number is drawn for all of it: drawing costs more than a small search does."""
    sizes = largest - smallest + 1
    return st.integers(0, sizes * 2**32 - 1).map(lambda lot: make(smallest + lot % sizes, lot // sizes))


def noises(largest: int = LARGEST, *, resolved: bool = False) -> st.SearchStrategy[Noise]:
    """Noise of every kind: some fail often, some hardly ever."""
    return _drawn(partial(_noise, resolved), 1, largest)


def conjunctions(largest: int = LARGEST) -> st.SearchStrategy[Guilty]:
    """A few guilty deltas or many, every outcome resolved."""
    return _drawn(_conjunction, 1, largest)


def grouped(*, safe: bool, largest: int = LARGEST) -> st.SearchStrategy[Guilty]:
    """One to three guilty deltas among groups that only apply as a whole; `safe`: no guilty one is in such a group."""
    return _drawn(partial(_grouped, safe), 3, largest)


def isolating(config: Config) -> Strategy:
    """`dd` from nothing."""
    return dd(Config(), config)


def maximising(config: Config) -> Strategy:
    """`ddmax` from nothing."""
    return ddmax(Config(), config)


def predicted(config: Config) -> Strategy:
    """`dd` with some outcomes said beforehand and others inferred, whether that is right or not."""
    return predicting(isolating(config), OutcomeKnowledge(monotone=True, consistent=lambda part: len(part) % 3 != 1))


STRATEGIES: dict[str, Callable[[Config], Strategy]] = {
    "ddmin": ddmin,
    "sweep": sweep,
    "cdd": cdd,
    "probdd": probdd,
    "dd": isolating,
    "ddmax": maximising,
    "dd1999": dd1999,
    "ddplus": ddplus,
    "predicted": predicted,
}
"""All of them, from the configuration with everything in it."""


def doublings(size: int) -> int:
    """How often one must be doubled to reach this size: log2, rounded up."""
    return ceil(log2(size))


def quadratic(size: int) -> int:
    """The worst case of ddmin and dd (2002, propositions 12 and 17)."""
    return size * size + 3 * size
