"""Strategies around other strategies: embed, swap outcomes, give up early, retry a prefix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

from wynot.core.config import Config
from wynot.core.outcome import FAIL, ONLY_FAIL, PASS, UNRESOLVED
from wynot.core.trial import Found, Question, RestartableQuestion, Strategy, Trial, Verdict

Lift = Callable[[Config], Config]
"""From a configuration of the part to one of the whole."""

Resume = Callable[[Strategy], Strategy]
"""How the whole goes on, given the part where that has begun again."""


@dataclass(frozen=True, slots=True)
class EmbeddedTrial(Trial):
    """A trial of the whole that stands for one of the part."""

    inner: Trial


def within(strategy: Strategy, resume: Resume, asked: Callable[[Question], Iterator[Trial]] = iter) -> Strategy:
    """Run a part that asks about the same configurations as the whole does, or of each question about some."""
    return wrap(strategy, asked, _same, resume)


def in_sequence(first: Strategy, second: Callable[[Config], Strategy]) -> Strategy:
    """One search, then another one on what it has found."""
    found = yield from within(first, partial(in_sequence, second=second))
    return (yield from second(found.failing))


def embed(strategy: Strategy, lift: Lift, resume: Resume) -> Strategy:
    """Run a part whose deltas are not those of the whole: its configurations are lifted, its answers let down."""
    return wrap(strategy, partial(_lifted, lift), unwrap, resume)


def wrap(
    strategy: Strategy,
    up: Callable[[Question], Iterator[Trial]],
    down: Callable[[Verdict | None], Verdict | None],
    resume: Resume,
) -> Strategy:
    """Run a part: its questions go up, the answers come down; `resume` says how the whole begins again."""
    try:
        question = next(strategy)
        while True:
            begin: Callable[[], Strategy] | None = getattr(question, "again", None)
            again = None if begin is None else partial(_again, begin, resume)
            question = strategy.send(down((yield RestartableQuestion(partial(up, question), again))))
    except StopIteration as done:
        found: Found = done.value
        return found


def _again(begin: Callable[[], Strategy], resume: Resume) -> Strategy:
    return resume(begin())


def _lifted(lift: Lift, question: Question) -> Iterator[Trial]:
    return (EmbeddedTrial(lift(trial.config), trial.wanted, trial) for trial in question)


def _same(verdict: Verdict | None) -> Verdict | None:
    return verdict


def unwrap(verdict: Verdict | None) -> Verdict | None:
    """The answer of the whole, as one of the part."""
    if verdict is None:
        return None
    trial = verdict.trial
    if not isinstance(trial, EmbeddedTrial):
        raise TypeError("a driver has to answer with a trial of the question")
    return Verdict(trial.inner, verdict.outcome)


def try_empty_first(minimise: Callable[[Config], Strategy], config: Config) -> Strategy:
    """Try to do without any delta; only if that does not work, search."""
    verdict = yield RestartableQuestion(_nothing, partial(try_empty_first, minimise, config))
    return Found(Config()) if verdict is not None else (yield from minimise(config))


def _nothing() -> Iterator[Trial]:
    yield Trial(Config(), ONLY_FAIL)


_MIRROR = {PASS: FAIL, FAIL: PASS, UNRESOLVED: UNRESOLVED}


@dataclass(frozen=True, slots=True)
class SwappedTrial(Trial):
    """A trial whose outcomes have changed places."""

    inner: Trial


def swap_outcomes(strategy: Strategy) -> Strategy:
    """Run a strategy that takes PASS for FAIL and FAIL for PASS."""
    return wrap(strategy, _up, _down, swap_outcomes)


def _up(question: Question) -> Iterator[Trial]:
    for trial in question:
        yield SwappedTrial(trial.config, frozenset(_MIRROR[outcome] for outcome in trial.wanted), trial)


def _down(verdict: Verdict | None) -> Verdict | None:
    if verdict is None:
        return None
    trial = verdict.trial
    if not isinstance(trial, SwappedTrial):
        raise TypeError("a driver has to answer with a trial of the question")
    return Verdict(trial.inner, _MIRROR[verdict.outcome])


def give_up_after(strategy: Strategy, most: int) -> Strategy:
    """Run a strategy until n trials of one question were unsuccessful."""
    return within(strategy, partial(give_up_after, most=most), lambda question: islice(question, most))


KnownFailure = Callable[[Config, Config], bool]
"""Says whether the step from one configuration to another failed before; the answer depends on both only."""


def skip_known_failures(strategy: Strategy, base: Config, vain: KnownFailure) -> Strategy:
    """Run a strategy that goes on from `base`; steps that failed before are not tried."""
    try:
        question = next(strategy)
        while True:
            again: Callable[[], Strategy] | None = getattr(question, "again", None)
            begin = None if again is None else partial(_without_failed_again, again, base, vain)
            verdict = yield RestartableQuestion(partial(_unknown, question, base, vain), begin)
            if verdict is not None:
                base = verdict.config
            question = strategy.send(verdict)
    except StopIteration as done:
        found: Found = done.value
        return found


def _without_failed_again(again: Callable[[], Strategy], base: Config, vain: KnownFailure) -> Strategy:
    return skip_known_failures(again(), base, vain)


def _unknown(question: Question, base: Config, vain: KnownFailure) -> Iterator[Trial]:
    return (trial for trial in question if not vain(base, trial.config))


Sense = Callable[[Config], bool]
"""Says whether a configuration can be tested at all; always the same for the same one."""


def only_testable(strategy: Strategy, sense: Sense) -> Strategy:
    """Run a strategy; trials without sense are unresolved without a test, so nobody has to see them."""
    return within(strategy, partial(only_testable, sense=sense), partial(_with_sense, sense))


def _with_sense(sense: Sense, question: Question) -> Iterator[Trial]:
    return (trial for trial in question if UNRESOLVED in trial.wanted or sense(trial.config))


# A search with a way out: one delta more, which may be most of the artifact, and hang on what is searched.
#
# Whenever half of what is searched is gone, it is tried without that delta. If that works, the search has come to its
# end: whatever comes next costs less. If not, it goes on as if nobody had asked.


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
                verdict = yield RestartableQuestion(partial(_alone, few), _shortcut_again(way, again, half, few))
                if verdict is not None:
                    return Found(few)
                half, few = way.size(few) // 2, None
            verdict = yield RestartableQuestion(
                partial(_with_most, way.most, question), _shortcut_again(way, again, half, None)
            )
            inner = unwrap(verdict)
            question = strategy.send(inner)
            if inner is not None and way.size(inner.config) <= half:
                few = inner.config
    except StopIteration as done:
        found: Found = done.value
        return Found(found.failing | way.most)


def _shortcut_again(
    way: _Way, again: Callable[[], Strategy] | None, half: int, few: Config | None
) -> Callable[[], Strategy] | None:
    return None if again is None else lambda: _going(way, again(), half, few)


def _alone(few: Config) -> Iterator[Trial]:
    yield Trial(few, ONLY_FAIL)


def _with_most(most: Config, question: Question) -> Iterator[Trial]:
    return (EmbeddedTrial(trial.config | most, trial.wanted, trial) for trial in question)
