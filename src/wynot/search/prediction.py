"""Outcomes that need no test: monotony and constraints (Zeller 1999, definition 7 and section 6).

`predicting` stands between a strategy and its driver. It asks the driver for one trial at a time, whatever the
outcome, so that it learns from all of them; what follows from what is known, it answers itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wynot.core.config import Config
from wynot.core.outcome import ANY, FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.trial import Found, Question, RestartableQuestion, Strategy, Trial, Verdict

Consistent = Callable[[Config], bool]
"""Says whether a configuration can be tested at all."""


@dataclass(frozen=True, slots=True)
class OutcomeKnowledge:
    """What is known of a search space, as a value: learning gives a new one."""

    monotone: bool = False
    consistent: Consistent | None = None
    passing: tuple[Config, ...] = ()
    """Largest sets known to pass: under monotony their subsets do not fail (corollary 8)."""
    failing: tuple[Config, ...] = ()
    """Smallest sets known to fail: under monotony their supersets do not pass (definition 7)."""

    def predict(self, config: Config) -> Outcome | None:
        """The outcome that follows from what is known, or None."""
        if self.consistent is not None and not self.consistent(config):
            return UNRESOLVED
        if self.monotone and any(config <= known for known in self.passing):
            return PASS
        if self.monotone and any(known <= config for known in self.failing):
            return FAIL
        return None

    def learn(self, config: Config, outcome: Outcome) -> OutcomeKnowledge:
        """What is known once this outcome has been seen."""
        passing, failing = self.passing, self.failing
        if outcome is PASS:
            passing = (*(p for p in passing if not p <= config), config)
        elif outcome is FAIL:
            failing = (*(f for f in failing if not config <= f), config)
        return OutcomeKnowledge(self.monotone, self.consistent, passing, failing)


def predicting(strategy: Strategy, knowledge: OutcomeKnowledge) -> Strategy:
    """Run `strategy`, answering from `knowledge` what it can."""
    return _predicting(strategy, knowledge, 0)


def _predicting(strategy: Strategy, knowledge: OutcomeKnowledge, skip: int) -> Strategy:
    """As above; the first `skip` trials of the first question are known to be unwanted."""
    try:
        question = next(strategy)
        while True:
            answer: Verdict | None = None
            for place, trial in enumerate(question):
                if place < skip:
                    continue
                outcome = knowledge.predict(trial.config)
                if outcome is None:
                    verdict = yield _one(trial, question, knowledge, place)
                    assert verdict is not None, "a driver must answer a trial that takes any outcome"  # noqa: S101
                    outcome = verdict.outcome
                    knowledge = knowledge.learn(trial.config, outcome)
                if outcome in trial.wanted:
                    answer = Verdict(trial, outcome)
                    break
            question, skip = strategy.send(answer), 0
    except StopIteration as done:
        found: Found = done.value
        return found


def _one(trial: Trial, question: Question, knowledge: OutcomeKnowledge, place: int) -> Question:
    """Ask for one trial's outcome, whatever it is."""
    begin: Callable[[], Strategy] | None = getattr(question, "again", None)
    again = None if begin is None else lambda: _predicting(begin(), knowledge, place)
    return RestartableQuestion(lambda: iter((Trial(trial.config, ANY),)), again)
