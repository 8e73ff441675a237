"""The smallest driver there is, with a notebook: it shows what a strategy asks, and what a run costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from wynot.core.config import Config
from wynot.core.outcome import Outcome
from wynot.core.trial import Found, Question, Strategy, Verdict

Item = TypeVar("Item")
ConfigTest = Callable[[Config], Outcome]


@dataclass
class Notebook:
    """What was asked and what was run."""

    test: ConfigTest
    known: dict[tuple[int, ...], Outcome] = field(default_factory=dict)
    """Outcomes by the configuration's bounds."""
    steps: list[Config] = field(default_factory=list)
    """Every trial that was looked at, in order."""
    runs: list[Config] = field(default_factory=list)
    """Those of them that had to be tested: a known outcome is never found out twice."""

    def outcome(self, config: Config) -> Outcome:
        """The outcome of a trial that is looked at."""
        self.steps.append(config)
        outcome = self.known.get(config.bounds)
        if outcome is None:
            self.runs.append(config)
            outcome = self.known[config.bounds] = self.test(config)
        return outcome

    def answer(self, question: Question) -> Verdict | None:
        """The first trial, in order, whose outcome is wanted."""
        for trial in question:
            outcome = self.outcome(trial.config)
            if outcome in trial.wanted:
                return Verdict(trial, outcome)
        return None

    def drive(self, strategy: Strategy) -> Found:
        """Run a strategy to its end."""
        try:
            question = next(strategy)
            while True:
                question = strategy.send(self.answer(question))
        except StopIteration as done:
            found: Found = done.value
            return found


def drive(strategy: Strategy, test: ConfigTest) -> tuple[Found, int]:
    """What a strategy finds, and in how many runs."""
    notebook = Notebook(test)
    return notebook.drive(strategy), len(notebook.runs)


def digits(configs: Iterable[Config]) -> str:
    """Configurations as in the papers' tables: changes counted from one, `1234 5678`."""
    return " ".join("".join(str(index + 1) for index in config) for config in configs)


class Calls(Generic[Item]):
    """A test for the library's functions that keeps the lists it was given."""

    def __init__(self, test: Callable[[list[Item]], Outcome | bool]) -> None:
        self._test = test
        self.lists: list[list[Item]] = []

    def __call__(self, kept: list[Item]) -> Outcome | bool:
        """Note and test."""
        self.lists.append(kept)
        return self._test(kept)

    @property
    def table(self) -> str:
        """The lists as in the papers' tables: `1234 5678`."""
        return " ".join("".join(map(str, kept)) for kept in self.lists)

    def __len__(self) -> int:
        return len(self.lists)
