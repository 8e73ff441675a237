"""The drivers: they ask what a strategy asks, in order, and send it the answer.

`walk` runs one test after the other. `pool` keeps all workers busy and gives the same result, because both answer
with the first trial, in order, whose outcome is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Generic, Protocol, TypeVar

from wynot.core.config import Config
from wynot.core.outcome import Outcome
from wynot.core.trial import Found, Question, Strategy, Trial, Verdict
from wynot.run.ahead import Branch, best_keys
from wynot.run.costs import Counts
from wynot.run.lab import Lab, Skipped
from wynot.run.odds import Odds, magnitude

Candidate = TypeVar("Candidate")
Search = Callable[[], Strategy]


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
    search: Search, domain: Domain[Candidate], lab: Lab[Candidate], keep: Keep, passed: Passed = _unheard
) -> Found:  # fmt: skip
    """Run a strategy to its end."""
    return (walk if lab.jobs == 1 else pool)(search, domain, lab, keep, passed)


def attempt(
    search: Search, domain: Domain[Candidate], lab: Lab[Candidate], keep: Keep, passed: Passed = _unheard, *,
    skippable: bool,
) -> Found | None:  # fmt: skip
    """Run a strategy to its end; None: it may be skipped, and the user did not wait for it."""
    try:
        with lab.skippable() if skippable else nullcontext():
            return drive(search, domain, lab, keep, passed)
    except Skipped:
        lab.kill_all_but(set())
        return None


def walk(
    search: Search, domain: Domain[Candidate], lab: Lab[Candidate], keep: Keep, passed: Passed = _unheard
) -> Found:  # fmt: skip
    """One test after the other."""
    strategy = search()
    try:
        question = next(strategy)
        while True:
            verdict = _first(question, domain, lab, passed)
            if verdict is not None:
                keep(verdict.config, verdict.outcome)
            question = strategy.send(verdict)
    except StopIteration as done:
        found: Found = done.value
        return found


def _first(question: Question, domain: Domain[Candidate], lab: Lab[Candidate], passed: Passed) -> Verdict | None:
    trials = _Trials(question, domain, lab.counts)
    while (asked := trials.pop()) is not None:
        trial, candidate, key = asked
        outcome = lab.test(key, candidate, domain.size(candidate), trial.config, trials.prepare)
        if outcome in trial.wanted:
            return Verdict(trial, outcome, lab.evidence(key))
        passed(trial.config)
    return None


class _Trials(Generic[Candidate]):
    """The trials of a question in order; the next one can be made ready while a test runs."""

    def __init__(self, question: Question, domain: Domain[Candidate], counts: Counts) -> None:
        self._trials, self._domain, self._counts = iter(question), domain, counts
        self._ready: list[tuple[Trial, Candidate, bytes] | None] = []
        self._predicted = 0

    def pop(self) -> tuple[Trial, Candidate, bytes] | None:
        """The next trial, what it tests, and its key; None after the last one."""
        self.prepare()
        self._counts.predicted += self._predicted
        return self._ready.pop()

    def prepare(self) -> None:
        """Make it ready. What is predicted on the way counts when the trial is asked for."""
        if self._ready:
            return
        before = self._counts.predicted
        trial = next(self._trials, None)
        self._predicted, self._counts.predicted = self._counts.predicted - before, before
        if trial is None:
            self._ready.append(None)
            return
        candidate = self._domain.render(trial.config)
        self._ready.append((trial, candidate, self._domain.digest(candidate)))


def pool(
    search: Search, domain: Domain[Candidate], lab: Lab[Candidate], keep: Keep, passed: Passed = _unheard
) -> Found:  # fmt: skip
    """Several tests at once: the one the answer hangs on, and those that will likely be asked for next."""
    odds = lab.odds
    here = Branch.begin(search, domain, odds.size)
    place = 0
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
            _fill(here, place, odds, domain, lab)
            if lab.long:
                _prepare(here, place, lab)
            lab.collect()
            continue
        lab.answered(key, outcome, size, trial.config)
        odds.learn(magnitude(here.size, size), outcome)
        place += 1
        if outcome in trial.wanted:
            odds.size = size
            keep(trial.config, outcome)
            here, place = here.after(Verdict(trial, outcome, lab.evidence(key))), 0
            if not isinstance(here, Found):
                _fill(here, place, odds, domain, lab)  # first: the worker that is free need not wait for the rest
                lab.kill_all_but({key for key, _, _ in best_keys(here, place, odds, lab, lab.jobs)})
        else:
            passed(trial.config)
    lab.kill_all_but(set())
    return here


def _fill(here: Branch[Candidate], place: int, odds: Odds, domain: Domain[Candidate], lab: Lab[Candidate]) -> None:
    """Give work to the idle workers, the most useful first; what comes second is found out when the first runs."""
    if lab.bench.free <= 0:
        return
    for key, config, size in best_keys(here, place, odds, lab, lab.jobs):
        if key not in lab.running and key not in lab.raised:
            lab.start(key, domain.render(config), size)
            if lab.bench.free <= 0:
                return


def _prepare(here: Branch[Candidate], place: int, lab: Lab[Candidate]) -> None:
    """All workers are busy: see what the question asks after what they run."""
    while (asked := here.trial(place)) is not None and (asked[1] in lab.running or lab.known(asked[1]) is not None):
        place += 1
