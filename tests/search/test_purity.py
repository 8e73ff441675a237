"""Strategies are pure: a question can be asked again, and the same answers lead to the same questions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given

from tests.laws.effort import few
from tests.search.problems import STRATEGIES, Guilty, Noise, noises
from tests.search.recording import Notebook
from wynot.core.config import Config
from wynot.core.outcome import RESOLVED
from wynot.core.trial import Found, Question, Strategy, Trial, Verdict
from wynot.search.lists.dd import dd

Answers = list[Verdict | None]


class Walk:
    """A search with everything it asked and was told."""

    def __init__(self, strategy: Strategy, test: Noise | Guilty) -> None:
        notebook = Notebook(test)
        self.questions: list[Question] = []
        self.trials: list[list[Trial]] = []
        self.answers: Answers = []
        try:
            question = next(strategy)
            while True:
                self.questions.append(question)
                self.trials.append(list(question))
                self.answers.append(notebook.answer(question))
                question = strategy.send(self.answers[-1])
        except StopIteration as done:
            self.found: Found = done.value


def replayed(strategy: Strategy, answers: Answers) -> tuple[list[list[Trial]], Found]:
    """What a strategy asks when it is told these answers, and what it finds."""
    asked: list[list[Trial]] = []
    left = iter(answers)
    try:
        question = next(strategy)
        while True:
            asked.append(list(question))
            question = strategy.send(next(left))
    except StopIteration as done:
        found: Found = done.value
        return asked, found


def assert_pure(search: Callable[[], Strategy], test: Noise | Guilty) -> int:
    """Gives the number of questions that could be asked again."""
    walk = Walk(search(), test)
    assert replayed(search(), walk.answers) == (walk.trials, walk.found)
    count = 0
    for place, question in enumerate(walk.questions):
        assert list(question) == walk.trials[place], "a question changes after it was answered"
        again: Callable[[], Strategy] | None = getattr(question, "again", None)
        if again is not None:
            count += 1
            for _ in range(2):
                assert replayed(again(), walk.answers[place:]) == (walk.trials[place:], walk.found)
    return count


@pytest.mark.parametrize("name", STRATEGIES)
@few
@given(noises(largest=9))
def test_every_question_can_be_asked_again(name: str, test: Noise) -> None:
    assert_pure(lambda: STRATEGIES[name](test.full), test)


@few
@given(noises(largest=9))
def test_a_search_that_gives_up_is_pure(test: Noise) -> None:
    """`finest` ends it early, the same way each time; it says it is minimal only where no cut was left to make."""

    def search() -> Strategy:
        return dd(Config(), test.full, finest=2)

    assert_pure(search, test)
    walk = Walk(search(), test)
    assert walk.found.minimal == (len(walk.found.difference) <= 2)
    assert all(len(trials) <= 2 for trials in walk.trials)
    assert all(trial.wanted == RESOLVED for trials in walk.trials for trial in trials)


@pytest.mark.parametrize("name", STRATEGIES)
def test_questions_do_say_how_to_begin_again(name: str) -> None:
    """Else the law above would hold of nothing."""
    test = Guilty(12, {2, 9})
    assert assert_pure(lambda: STRATEGIES[name](test.full), test) > 1
