"""A strategy on its way through its questions; what comes next can be worked out while a test runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from wynot.core.trial import Found, Question, Strategy, Trial, Verdict
from wynot.run.ahead import Beyond, Renders
from wynot.run.costs import Counts

Candidate = TypeVar("Candidate")


class Way(Generic[Candidate]):
    """A strategy at one of its questions: the trials in order."""

    def __init__(
        self, strategy: Strategy, question: Question, domain: Renders[Candidate], counts: Counts,
        beyond: Beyond[Candidate] | None = None,
    ) -> None:  # fmt: skip
        self._strategy, self._domain, self._counts, self._beyond = strategy, domain, counts, beyond
        self._again: Callable[[], Strategy] | None = getattr(question, "again", None)
        self._trials = iter(question)
        self._ready: list[tuple[Trial, Candidate, bytes] | None] = []
        self._predicted = 0
        self._foreseen: dict[Verdict | None, Way[Candidate] | Found] = {}

    @classmethod
    def begin(
        cls, search: Callable[[], Strategy], domain: Renders[Candidate], counts: Counts,
        beyond: Beyond[Candidate] | None = None,
    ) -> Way[Candidate] | Found:  # fmt: skip
        """The first question of a strategy; `beyond` finds out what will likely be searched for after it."""
        return cls._next(search(), None, domain, counts, beyond)

    @classmethod
    def _next(
        cls, strategy: Strategy, verdict: Verdict | None, domain: Renders[Candidate], counts: Counts,
        beyond: Beyond[Candidate] | None,
    ) -> Way[Candidate] | Found:  # fmt: skip
        try:
            return cls(strategy, strategy.send(verdict), domain, counts, beyond)
        except StopIteration as done:
            found: Found = done.value
            return found

    def after(self, verdict: Verdict | None) -> Way[Candidate] | Found:
        """Where this answer leads."""
        if verdict in self._foreseen:
            return self._foreseen[verdict]
        return self._next(self._strategy, verdict, self._domain, self._counts, self._beyond)

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
        way = self._next(strategy, verdict, self._domain, self._counts, self._beyond)
        if isinstance(way, Way):
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
