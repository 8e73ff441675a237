"""Looking ahead: what a strategy will ask next, should this or that be the answer.

Strategies are pure, so one can begin again from a question, guess its answer, and see the question after it. All
that may come is a tree; its branches are walked in order of how likely they are, until enough tests are found to keep
every worker busy. The guess only decides what is run early; what counts is decided in order, by the driver.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Generic, Protocol, TypeVar

from wynot.core.config import Config
from wynot.core.trial import Found, Question, Strategy, Trial, Verdict
from wynot.engine.budget import TestCounts
from wynot.engine.likelihood import Likelihood, magnitude
from wynot.engine.outcome_cache import OutcomeCache

Candidate = TypeVar("Candidate")
Node = TypeVar("Node")
Answer = Verdict | None
Work = tuple[bytes, Callable[[], Candidate], int]
"""A test to run: key, how to make what is tested, size."""


class SearchDomain(Protocol[Candidate]):
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


def _node_or_end(make: Callable[[Question], Node], strategy: Strategy, answer: Answer) -> Node | Found:
    """The question that follows this answer, as a node; or what the strategy has found."""
    try:
        question = strategy.send(answer)
    except StopIteration as done:
        found: Found = done.value
        return found
    return make(question)


class SpeculativeNode(Generic[Candidate]):
    """A strategy at one of its questions, on the way that certain answers lead."""

    def __init__(
        self, begin: Callable[[], Strategy], answers: tuple[Answer, ...], domain: SearchDomain[Candidate],
        live: Strategy, question: Question, size: int, beyond: Beyond[Candidate] | None = None,
    ) -> None:  # fmt: skip
        again: Callable[[], Strategy] | None = getattr(question, "again", None)
        self._begin: Callable[[], Strategy] = again or begin
        self._answers: tuple[Answer, ...] = () if again else answers
        self._domain = domain
        self.size = size
        """That of the artifact from which it goes on; 0: it is not known."""
        self._beyond = beyond
        self._live: Strategy | None = live
        self._trials = iter(question)
        self._asked: list[tuple[Trial, bytes, int]] = []
        self._after: dict[Answer, SpeculativeNode[Candidate] | Found] = {}
        self._guessed: dict[Answer, SpeculativeNode[Candidate] | None] = {}

    @classmethod
    def begin(
        cls, search: Callable[[], Strategy], domain: SearchDomain[Candidate], size: int,
        beyond: Beyond[Candidate] | None = None,
    ) -> SpeculativeNode[Candidate] | Found:  # fmt: skip
        """The first question of a strategy that goes on from an artifact of this size."""
        strategy = search()
        return _node_or_end(lambda asked: cls(search, (), domain, strategy, asked, size, beyond), strategy, None)

    def trial(self, place: int) -> tuple[Trial, bytes, int] | None:
        """The trial at this place, its key and its size; None after the last one."""
        while len(self._asked) <= place:
            trial = next(self._trials, None)
            if trial is None:
                return None
            candidate = self._domain.render(trial.config)
            self._asked.append((trial, self._domain.digest(candidate), self._domain.size(candidate)))
        return self._asked[place]

    def after(self, answer: Answer) -> SpeculativeNode[Candidate] | Found:
        """Where this answer leads."""
        if answer not in self._after:
            self._after[answer] = self._follow(answer)
        return self._after[answer]

    def guessed(self, answer: Answer) -> SpeculativeNode[Candidate] | None:
        """The same; where the search ends there, what will most likely be searched next."""
        follower = self.after(answer)
        if isinstance(follower, SpeculativeNode):
            return follower
        if answer not in self._guessed:
            self._guessed[answer] = None if self._beyond is None else self._beyond(follower)
        return self._guessed[answer]

    def work(self, place: int) -> Work[Candidate]:
        """The test of the trial at a place."""
        trial, key, size = self._asked[place]
        return key, partial(self._domain.render, trial.config), size

    def _follow(self, answer: Answer) -> SpeculativeNode[Candidate] | Found:
        strategy = self._live or self._begun_again()
        self._live = None  # a generator can go one way only
        size = self.size if answer is None else self._size_of(answer.trial)
        before, domain, beyond = (*self._answers, answer), self._domain, self._beyond
        return _node_or_end(
            lambda asked: SpeculativeNode(self._begin, before, domain, strategy, asked, size, beyond), strategy, answer
        )

    def _size_of(self, trial: Trial) -> int:
        return next((size for asked, _, size in reversed(self._asked) if asked is trial), self.size)

    def _begun_again(self) -> Strategy:
        strategy = self._begin()
        next(strategy)
        for answer in self._answers:
            strategy.send(answer)
        return strategy


Beyond = Callable[[Found], SpeculativeNode[Candidate] | None]
"""From what a search has found to the first question of the next one, if any is known."""

Step = tuple[float, int, SpeculativeNode[Candidate], int, tuple[Answer, ...]]
"""Minus the chance that it comes to this; a tie-breaker; where; which trial; and the answer guessed there, if any."""


def best_keys(
    branch: SpeculativeNode[Candidate], place: int, odds: Likelihood, outcomes: OutcomeCache[Candidate], wanted: int
) -> Iterator[Work[Candidate]]:
    """The tests worth running now, the most likely to be needed first; the very next one is needed for sure."""
    found: set[bytes] = set()
    for work in _likely(branch, place, odds, outcomes, patience=50 * wanted):
        if work[0] not in found:
            found.add(work[0])
            yield work
        if len(found) >= wanted:
            break


def _likely(
    branch: SpeculativeNode[Candidate], place: int, odds: Likelihood, outcomes: OutcomeCache[Candidate], patience: int
) -> Iterator[Work[Candidate]]:
    order = count()
    start: Step[Candidate] = (-1.0, next(order), branch, place, ())
    heap = [start]
    while heap and patience:
        patience -= 1
        minus, _, here, at, answer = heapq.heappop(heap)
        if answer:  # a guess becomes a branch only when its turn comes
            follower = here.guessed(answer[0])
            if follower is None:
                continue
            here, at = follower, 0
        asked = here.trial(at)
        if asked is None:
            heapq.heappush(heap, (minus, next(order), here, at, (None,)))
            continue
        trial, key, size = asked
        outcome = outcomes.known(key)
        if outcome is None:
            yield here.work(at)
        unwanted = 0.0
        chances = odds.of(magnitude(here.size, size)) if outcome is None else {outcome: 1.0}
        for guess, chance in chances.items():
            if guess in trial.wanted:
                heapq.heappush(
                    heap, (minus * chance, next(order), here, at, (Verdict(trial, guess, outcomes.evidence(key)),))
                )
            else:
                unwanted += chance
        if unwanted:
            heapq.heappush(heap, (minus * unwanted, next(order), here, at + 1, ()))


class SerialNode(Generic[Candidate]):
    """A strategy at one of its questions: the trials in order."""

    def __init__(
        self, strategy: Strategy, question: Question, domain: SearchDomain[Candidate], counts: TestCounts,
        beyond: Beyond[Candidate] | None = None,
    ) -> None:  # fmt: skip
        self._strategy, self._domain, self._counts, self._beyond = strategy, domain, counts, beyond
        self._again: Callable[[], Strategy] | None = getattr(question, "again", None)
        self._trials = iter(question)
        self._ready: list[tuple[Trial, Candidate, bytes] | None] = []
        self._predicted = 0
        self._foreseen: dict[Verdict | None, SerialNode[Candidate] | Found] = {}

    @classmethod
    def begin(
        cls, search: Callable[[], Strategy], domain: SearchDomain[Candidate], counts: TestCounts,
        beyond: Beyond[Candidate] | None = None,
    ) -> SerialNode[Candidate] | Found:  # fmt: skip
        """The first question of a strategy; `beyond` finds out what will likely be searched for after it."""
        strategy = search()
        return _node_or_end(lambda asked: cls(strategy, asked, domain, counts, beyond), strategy, None)

    def _next(self, strategy: Strategy, answer: Answer) -> SerialNode[Candidate] | Found:
        domain, counts, beyond = self._domain, self._counts, self._beyond
        return _node_or_end(lambda asked: SerialNode(strategy, asked, domain, counts, beyond), strategy, answer)

    def after(self, verdict: Verdict | None) -> SerialNode[Candidate] | Found:
        """Where this answer leads."""
        if verdict in self._foreseen:
            return self._foreseen[verdict]
        return self._next(self._strategy, verdict)

    @property
    def over(self) -> bool:
        """Whether it is known that no trial is left."""
        return self._ready == [None]

    def foresee(self, verdict: Verdict | None) -> None:
        """Work out where this answer would lead, and what would be asked there first. Only where that costs little."""
        if self._again is None or verdict in self._foreseen:
            return
        strategy = self._again()
        next(strategy)
        way = self._next(strategy, verdict)
        if isinstance(way, SerialNode):
            way.prepare()
        elif verdict is None and self._beyond is not None:
            self._beyond(way)  # for what it remembers: trees, what may become of their nodes
        self._foreseen[verdict] = way

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
