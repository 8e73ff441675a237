"""The drivers: they ask what a strategy asks, in order, and send it the answer.

`walk` runs one test after the other. `pool` keeps all workers busy and gives the same result, because both answer
with the first trial, in order, whose outcome is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Protocol, TypeVar

from wynot.core.config import Config
from wynot.core.outcome import Outcome
from wynot.core.trial import Found, Strategy, Trial, Verdict
from wynot.run.ahead import Beyond, Branch, best_keys
from wynot.run.errands import Errands
from wynot.run.lab import Lab
from wynot.run.odds import Odds, magnitude
from wynot.run.way import Way
from wynot.run.wishes import Skipped

Candidate = TypeVar("Candidate")
Search = Callable[[], Strategy]
RARE = 0.1
"""What is less likely to succeed is not worth working out what would come then."""
MORE = 2
"""Tests to make ready beside those that run."""


class Domain(Protocol[Candidate]):
    """What a driver must know of a domain."""

    def render(self, config: Config) -> Candidate:
        """The artifact with these deltas."""
        ...

    def digest(self, candidate: Candidate) -> bytes:
        """The key of its outcome."""
        ...

    def size(self, candidate: Candidate) -> int:
        """How large it is."""
        ...


Keep = Callable[[Config, Outcome], None]
"""Told of every configuration that the search goes on with."""

Passed = Callable[[Config], None]
"""Told, in order, of every configuration whose outcome was not the wanted one."""


def _unheard(_config: Config) -> None:
    """Tell nobody."""


def drive(
    search: Search, domain: Domain[Candidate], lab: Lab[Candidate], keep: Keep, passed: Passed = _unheard,
    beyond: Beyond[Candidate] | None = None,
) -> Found:  # fmt: skip
    """Run a strategy to its end; `beyond` says what will likely be searched for then."""
    return (walk if lab.jobs == 1 else pool)(search, domain, lab, keep, passed, beyond)


def attempt(
    search: Search, domain: Domain[Candidate], lab: Lab[Candidate], keep: Keep, passed: Passed = _unheard,
    beyond: Beyond[Candidate] | None = None, *, skippable: bool,
) -> Found | None:  # fmt: skip
    """Run a strategy to its end; None: it may be skipped, and the user did not wait for it."""
    try:
        with lab.wishes.skippable() if skippable else nullcontext():
            return drive(search, domain, lab, keep, passed, beyond)
    except Skipped:
        lab.kill_all_but(set())
        return None


def walk(
    search: Search, domain: Domain[Candidate], lab: Lab[Candidate], keep: Keep, passed: Passed = _unheard,
    beyond: Beyond[Candidate] | None = None,
) -> Found:  # fmt: skip
    """One test after the other."""
    errands = Errands()
    try:
        here = Way.begin(search, domain, lab.counts, beyond)
        while not isinstance(here, Found):
            verdict = _first(here, domain, lab, passed, errands)
            if verdict is not None:
                errands.add(partial(keep, verdict.config, verdict.outcome))
            here = here.after(verdict)
        return here
    finally:
        errands.run()


def _first(
    here: Way[Candidate], domain: Domain[Candidate], lab: Lab[Candidate], passed: Passed, errands: Errands
) -> Verdict | None:  # fmt: skip
    odds = lab.odds
    while (asked := here.pop()) is not None:
        trial, candidate, key = asked
        size = domain.size(candidate)
        step = magnitude(odds.size, size)
        if lab.known(key) is not None:
            errands.run()
        lab.recall(key, partial(domain.render, trial.config), size)
        outcome = lab.test(key, candidate, size, trial.config, partial(_meanwhile, here, trial, step, lab, errands))
        odds.learn(step, outcome)
        if outcome in trial.wanted:
            odds.size = size
            return Verdict(trial, outcome, lab.evidence(key))
        errands.add(partial(passed, trial.config))
    return None


def _meanwhile(here: Way[Candidate], trial: Trial, step: int, lab: Lab[Candidate], errands: Errands) -> None:
    """What there is to do while a test runs: what comes next, should it not succeed, and should it."""
    errands.run()
    if not lab.long:
        return
    here.prepare()
    next(lab.later, None)
    if not lab.spare:
        return
    if here.over and len(trial.wanted) < len(Outcome):
        here.foresee(None)
    chances = lab.odds.of(step)
    guess = max(trial.wanted, key=lambda outcome: chances[outcome], default=None)
    if guess is not None and chances[guess] >= RARE:
        here.foresee(Verdict(trial, guess))


def pool(
    search: Search, domain: Domain[Candidate], lab: Lab[Candidate], keep: Keep, passed: Passed = _unheard,
    beyond: Beyond[Candidate] | None = None,
) -> Found:  # fmt: skip
    """Several tests at once: the one the answer hangs on, and those that will likely be asked for next."""
    errands = Errands()
    try:
        found = _pooled(Branch.begin(search, domain, lab.odds.size, beyond), lab, keep, passed, errands)
    finally:
        errands.run()
    if beyond is None:
        lab.kill_all_but(set())
    return found


def _pooled(
    here: Branch[Candidate] | Found, lab: Lab[Candidate], keep: Keep, passed: Passed, errands: Errands
) -> Found:  # fmt: skip
    odds, place = lab.odds, 0
    if not isinstance(here, Found):
        lab.kill_all_but({key for key, _, _ in best_keys(here, place, odds, lab, lab.jobs)} if lab.running else set())
    while not isinstance(here, Found):
        asked = here.trial(place)
        if asked is None:
            here, place = here.after(None), 0
            continue
        trial, key, size = asked
        outcome = lab.known(key)
        if key in lab.raised:
            raise lab.raised[key]
        if outcome is None:
            fill(here, place, odds, lab)
            errands.run()
            if lab.long:
                _prepare(here, place, odds, lab)
                next(lab.later, None)
            lab.collect()
            continue
        lab.recall(*here.work(place))
        lab.answered(key, outcome, size, trial.config)
        odds.learn(magnitude(here.size, size), outcome)
        place += 1
        if outcome in trial.wanted:
            odds.size = size
            errands.add(partial(keep, trial.config, outcome))
            here, place = here.after(Verdict(trial, outcome, lab.evidence(key))), 0
            if not isinstance(here, Found):
                fill(here, place, odds, lab)  # first: the worker that is free need not wait for the rest
                lab.kill_all_but({key for key, _, _ in best_keys(here, place, odds, lab, lab.jobs)})
        else:
            errands.add(partial(passed, trial.config))
    return here


def fill(here: Branch[Candidate], place: int, odds: Odds, lab: Lab[Candidate]) -> None:
    """Give work to the idle workers, the most useful first; what comes second is found out when the first runs."""
    if lab.bench.free <= 0:
        return
    for key, make, size in best_keys(here, place, odds, lab, lab.jobs):
        if key not in lab.running and key not in lab.raised:
            lab.start(key, make(), size)
            if lab.bench.free <= 0:
                return


def _prepare(here: Branch[Candidate], place: int, odds: Odds, lab: Lab[Candidate]) -> None:
    """All workers are busy: see what the question asks after what they run; with time to spare, what else may come."""
    at = place
    while (asked := here.trial(at)) is not None and (asked[1] in lab.running or lab.known(asked[1]) is not None):
        at += 1
    if lab.spare:
        for _ in best_keys(here, place, odds, lab, lab.jobs + MORE):
            pass
