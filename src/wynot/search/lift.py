"""A search as a part of a larger one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from wynot.core.config import Config
from wynot.core.trial import Asked, Found, Question, Strategy, Trial, Verdict

Lift = Callable[[Config], Config]
"""From a configuration of the part to one of the whole."""

Resume = Callable[[Strategy], Strategy]
"""How the whole goes on, given the part where that has begun again."""


@dataclass(frozen=True, slots=True)
class Lifted(Trial):
    """A trial of the whole that stands for one of the part."""

    inner: Trial


def within(strategy: Strategy, resume: Resume, asked: Callable[[Question], Iterator[Trial]] = iter) -> Strategy:
    """Run a part that asks about the same configurations as the whole does, or of each question about some."""
    return asking(strategy, asked, _same, resume)


def then(first: Strategy, second: Callable[[Config], Strategy]) -> Strategy:
    """One search, then another one on what it has found."""
    found = yield from within(first, partial(then, second=second))
    return (yield from second(found.failing))


def lifted(strategy: Strategy, lift: Lift, resume: Resume) -> Strategy:
    """Run a part whose deltas are not those of the whole: its configurations are lifted, its answers let down."""
    return asking(strategy, partial(_lifted, lift), let_down, resume)


def asking(
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
            question = strategy.send(down((yield Asked(partial(up, question), again))))
    except StopIteration as done:
        found: Found = done.value
        return found


def _again(begin: Callable[[], Strategy], resume: Resume) -> Strategy:
    return resume(begin())


def _lifted(lift: Lift, question: Question) -> Iterator[Trial]:
    return (Lifted(lift(trial.config), trial.wanted, trial) for trial in question)


def _same(verdict: Verdict | None) -> Verdict | None:
    return verdict


def let_down(verdict: Verdict | None) -> Verdict | None:
    """The answer of the whole, as one of the part."""
    if verdict is None:
        return None
    trial = verdict.trial
    if not isinstance(trial, Lifted):
        raise TypeError("a driver has to answer with a trial of the question")
    return Verdict(trial.inner, verdict.outcome)
