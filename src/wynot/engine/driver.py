"""The drivers: they run what a strategy asks for, in order, and send it the answer.

`walk` runs one test after the other. `pool` keeps all workers busy and gives the same result, because both answer
with the first trial, in order, whose outcome is wanted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import TypeVar

from wynot.core.config import Config
from wynot.core.outcome import Outcome
from wynot.core.trial import Found, Strategy, Trial, Verdict
from wynot.engine.budget import PassSkipped
from wynot.engine.likelihood import Likelihood, magnitude
from wynot.engine.lookahead import Beyond, SearchDomain, SerialNode, SpeculativeNode, best_keys
from wynot.engine.tester import Tester


class DeferredCalls:
    """Done in order, and all of them at the latest when the search ends, however it does."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def add(self, errand: Callable[[], None]) -> None:
        """Do this, too, when there is time."""
        self._waiting.append(errand)

    def run(self) -> None:
        """There is time now. What is interrupted is done again."""
        while self._waiting:
            self._waiting[0]()
            self._waiting.popleft()


Candidate = TypeVar("Candidate")
Search = Callable[[], Strategy]
RARE = 0.1
"""What is less likely to succeed is not worth working out what would come then."""
MORE = 2
"""Tests to make ready beside those that run."""


Keep = Callable[[Config, Outcome], None]
"""Told of every configuration that the search goes on with."""

Passed = Callable[[Config], None]
"""Told, in order, of every configuration whose outcome was not the wanted one."""


def _unheard(_config: Config) -> None:
    """Tell nobody."""


def drive(
    search: Search, domain: SearchDomain[Candidate], tester: Tester[Candidate], keep: Keep, passed: Passed = _unheard,
    beyond: Beyond[Candidate] | None = None,
) -> Found:  # fmt: skip
    """Run a strategy to its end; `beyond` says what will likely be searched for then."""
    return (walk if tester.jobs == 1 else pool)(search, domain, tester, keep, passed, beyond)


def attempt(
    search: Search, domain: SearchDomain[Candidate], tester: Tester[Candidate], keep: Keep, passed: Passed = _unheard,
    beyond: Beyond[Candidate] | None = None, *, skippable: bool,
) -> Found | None:  # fmt: skip
    """Run a strategy to its end; None: it may be skipped, and the user did not wait for it."""
    try:
        with tester.wishes.skippable() if skippable else nullcontext():
            return drive(search, domain, tester, keep, passed, beyond)
    except PassSkipped:
        tester.kill_all_but(set())
        return None


def walk(
    search: Search, domain: SearchDomain[Candidate], tester: Tester[Candidate], keep: Keep, passed: Passed = _unheard,
    beyond: Beyond[Candidate] | None = None,
) -> Found:  # fmt: skip
    """One test after the other."""
    errands = DeferredCalls()
    try:
        here = SerialNode.begin(search, domain, tester.counts, beyond)
        while not isinstance(here, Found):
            verdict = _first(here, domain, tester, passed, errands)
            if verdict is not None:
                errands.add(partial(keep, verdict.config, verdict.outcome))
            here = here.after(verdict)
        return here
    finally:
        errands.run()


def _first(
    here: SerialNode[Candidate],
    domain: SearchDomain[Candidate],
    tester: Tester[Candidate],
    passed: Passed,
    errands: DeferredCalls,
) -> Verdict | None:
    odds = tester.odds
    while (asked := here.pop()) is not None:
        trial, candidate, key = asked
        size = domain.size(candidate)
        step = magnitude(odds.size, size)
        if tester.outcomes.known(key) is not None:
            errands.run()
        tester.outcomes.recall(key, partial(domain.render, trial.config), size)
        outcome = tester.test(
            key, candidate, size, trial.config, partial(_meanwhile, here, trial, step, tester, errands)
        )
        odds.learn(step, outcome)
        if outcome in trial.wanted:
            odds.go_on_from(size)
            return Verdict(trial, outcome, tester.outcomes.evidence(key))
        errands.add(partial(passed, trial.config))
    return None


def _meanwhile(
    here: SerialNode[Candidate], trial: Trial, step: int, tester: Tester[Candidate], errands: DeferredCalls
) -> None:
    """What there is to do while a test runs: what comes next, should it not succeed, and should it."""
    errands.run()
    if not tester.long:
        return
    here.prepare()
    tester.step()
    if not tester.spare:
        return
    if here.over and len(trial.wanted) < len(Outcome):
        here.foresee(None)
    chances = tester.odds.of(step)
    guess = max(trial.wanted, key=lambda outcome: chances[outcome], default=None)
    if guess is not None and chances[guess] >= RARE:
        here.foresee(Verdict(trial, guess))


def pool(
    search: Search, domain: SearchDomain[Candidate], tester: Tester[Candidate], keep: Keep, passed: Passed = _unheard,
    beyond: Beyond[Candidate] | None = None,
) -> Found:  # fmt: skip
    """Several tests at once: the one the answer hangs on, and those that will likely be asked for next."""
    errands = DeferredCalls()
    try:
        found = _pooled(SpeculativeNode.begin(search, domain, tester.odds.size, beyond), tester, keep, passed, errands)
    finally:
        errands.run()
    if beyond is None:
        tester.kill_all_but(set())
    return found


def _pooled(
    here: SpeculativeNode[Candidate] | Found,
    tester: Tester[Candidate],
    keep: Keep,
    passed: Passed,
    errands: DeferredCalls,
) -> Found:
    odds, place = tester.odds, 0
    if not isinstance(here, Found):
        best = best_keys(here, place, odds, tester.outcomes, tester.jobs) if tester.running else ()
        tester.kill_all_but({key for key, _, _ in best})
    while not isinstance(here, Found):
        asked = here.trial(place)
        if asked is None:
            here, place = here.after(None), 0
            continue
        trial, key, size = asked
        outcome = tester.outcomes.known(key)
        if error := tester.outcomes.raised(key):
            raise error
        if outcome is None:
            fill(here, place, odds, tester)
            errands.run()
            if tester.long:
                _prepare(here, place, odds, tester)
                tester.step()
            tester.collect()
            continue
        tester.outcomes.recall(*here.work(place))
        tester.answered(key, outcome, size, trial.config)
        odds.learn(magnitude(here.size, size), outcome)
        place += 1
        if outcome in trial.wanted:
            odds.go_on_from(size)
            errands.add(partial(keep, trial.config, outcome))
            here, place = here.after(Verdict(trial, outcome, tester.outcomes.evidence(key))), 0
            if not isinstance(here, Found):
                fill(here, place, odds, tester)  # first: the worker that is free need not wait for the rest
                tester.kill_all_but({key for key, _, _ in best_keys(here, place, odds, tester.outcomes, tester.jobs)})
        else:
            errands.add(partial(passed, trial.config))
    return here


def fill(here: SpeculativeNode[Candidate], place: int, odds: Likelihood, tester: Tester[Candidate]) -> None:
    """Give work to the idle workers, the most useful first; what comes second is found out when the first runs."""
    if tester.executor.free <= 0:
        return
    for key, make, size in best_keys(here, place, odds, tester.outcomes, tester.jobs):
        if key not in tester.running and tester.outcomes.raised(key) is None:
            tester.start(key, make(), size)
            if tester.executor.free <= 0:
                return


def _prepare(here: SpeculativeNode[Candidate], place: int, odds: Likelihood, tester: Tester[Candidate]) -> None:
    """All workers are busy: see what the question asks after what they run; with time to spare, what else may come."""
    at, known = place, tester.outcomes.known
    while (asked := here.trial(at)) is not None and (asked[1] in tester.running or known(asked[1]) is not None):
        at += 1
    if tester.spare:
        for _ in best_keys(here, place, odds, tester.outcomes, tester.jobs + MORE):
            pass
