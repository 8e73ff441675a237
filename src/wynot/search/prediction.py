"""What outcomes imply: predictions by monotony and constraints, and tests that contradict them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wynot.core.config import Config
from wynot.core.outcome import ANY, FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.trial import Found, Question, RestartableQuestion, Strategy, Trial, Verdict

# Outcomes that need no test: monotony and constraints (Zeller 1999, definition 7 and section 6).
#
# `predicting` stands between a strategy and its driver. It asks the driver for one trial at a time, whatever the
# outcome, so that it learns from all of them; what follows from what is known, it answers itself.


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


# Properties of a set of deltas that tests contradict (Zeller 1999, definitions 7 and 9, section 4).
#
# The algorithms of 1999 assume that a set of deltas is monotone and unambiguous. Tests can only contradict that. Each
# property is therefore a counterexample, or None: no test contradicts it.


MAX_COMPARED = 50
"""Only this number of failing sets, the smallest ones, and of passing sets, the largest ones, are compared:
each comparison takes time in proportion to the intervals of both."""
Two = tuple[Config, Config]


@dataclass(frozen=True, slots=True)
class Classification:
    """Pairs of sets of deltas that contradict a property."""

    not_monotone: Two | None = None
    """The first one fails, the second one holds all of it and passes: something in it undoes the failure."""
    ambiguous: Two | None = None
    """Both fail, and what they have in common passes: the failure has more than one cause."""
    interfering: Two | None = None
    """Both pass, they have nothing in common, and together they fail."""


def classified(tests: Mapping[Config, Outcome], whole: Config) -> Classification:
    """Classify a set of deltas by tests of its subsets; of the empty set and of all deltas the outcome is known.

    >>> one, two, both = Config.of([0]), Config.of([1]), Config.of([0, 1])
    >>> found = classified({one: FAIL, two: FAIL, both: PASS}, Config.full(4))
    >>> found.not_monotone, found.ambiguous
    ((Config(0), Config(0-1)), (Config(0), Config(1)))
    >>> classified({one: PASS, two: PASS, both: FAIL}, Config.full(4)).interfering
    (Config(0), Config(1))
    """
    known = {**tests, Config(): PASS, whole: FAIL}
    failing = sorted((each for each, outcome in known.items() if outcome is FAIL), key=len)[:MAX_COMPARED]
    passing = sorted((each for each, outcome in known.items() if outcome is PASS), key=len, reverse=True)[:MAX_COMPARED]
    return Classification(_undone(failing, passing), _apart(failing, known), _interfering(failing, passing, known))


def _undone(failing: list[Config], passing: list[Config]) -> Two | None:
    """The pair with the least between its sets."""
    pairs = [(one, other) for one in failing for other in passing if len(one) < len(other) and one <= other]
    return min(pairs, key=lambda pair: (len(pair[1]) - len(pair[0]), len(pair[0])), default=None)


def _apart(failing: list[Config], known: Mapping[Config, Outcome]) -> Two | None:
    """The smallest pair."""
    best: Two | None = None
    for place, one in enumerate(failing):
        for other in failing[place + 1 :]:
            if best is not None and len(one) + len(other) >= len(best[0]) + len(best[1]):
                break
            if known.get(one & other) is PASS:
                best = (one, other)
    return best


def _interfering(failing: list[Config], passing: list[Config], known: Mapping[Config, Outcome]) -> Two | None:
    """Two halves of the smallest set that has such halves."""
    for whole in failing:
        for one in passing:
            if one and len(one) < len(whole) and one <= whole and known.get(whole - one) is PASS:
                return min((one, whole - one), (whole - one, one), key=lambda pair: pair[0].bounds)
    return None
