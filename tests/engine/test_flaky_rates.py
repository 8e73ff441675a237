"""Whole searches for failures that show at a known rate: how often a claim is wrong. Chance is seeded."""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path
from typing import Any

import pytest

import wynot
from wynot.core.artifact import Artifact, Content
from wynot.core.outcome import PASS_ERROR
from wynot.core.run_events import Event, Listener, Note, silent
from wynot.engine.baseline.result_checks import RUNS
from wynot.engine.executors.executor import USUAL, Key, ProgramExecutor, TestSettings
from wynot.engine.executors.sandbox import Limits
from wynot.engine.results import Reduced
from wynot.oracles.command import Command
from wynot.oracles.protocol import Oracle, ProcessExit, Report

TEXT = b"abcdefghijklmnop"
NEEDED = b"dk"
RAISING = b"g"
"""Without this part the rate may be lower."""
SEEDS = 60


class Simulated(ProgramExecutor):
    """An executor whose programs fail at a rate if what is needed is there; another part may raise the rate."""

    jobs, free, crowd = 1, 1, 1.0

    def __init__(self, oracle: Oracle, rate: float, seed: int, without: float) -> None:
        super().__init__(oracle, Limits(60.0))
        self._rate, self._without, self._random = rate, without, random.Random(seed)
        self._done: deque[tuple[Key, Report]] = deque()

    def submit(self, key: Key, candidate: Content, settings: TestSettings = USUAL) -> None:
        assert isinstance(candidate, bytes)
        examination = (settings.examiner or self.oracle).examine(Artifact("in.txt", candidate), "/work")
        try:
            next(examination)
            while True:
                self.charge(1)
                rate = self._rate if RAISING in candidate else self._without
                shows = all(byte in candidate for byte in NEEDED) and self._random.random() < rate
                examination.send(ProcessExit(3 if shows else 0, seconds=0.001))
        except StopIteration as done:
            self._done.append((key, done.value))

    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:
        done = list(self._done)
        self._done.clear()
        return done

    def kill(self, key: Key) -> None:
        """All is done at once."""

    def afresh(self) -> None:
        """Nothing is built."""

    def renewed(self) -> Simulated:
        return self

    def close(self) -> None:
        """There is nothing to close."""


def reduced(
    monkeypatch: pytest.MonkeyPatch,
    rate: float,
    seed: int,
    without: float | None = None,
    listener: Listener = silent,
    *,
    resume: bool = False,
) -> Reduced:
    def executor(oracle: Oracle, *_given: Any, **_more: Any) -> Simulated:
        return Simulated(oracle, rate, seed, rate if without is None else without)

    monkeypatch.setattr("wynot.engine.session.executor_of_programs", executor)
    return wynot.reduce(
        TEXT,
        Command(("/bin/true", "{}")),
        wynot.Options(atoms="chars", limits=Limits(60.0), listener=listener, resume=resume),
        name="in.txt",
    )


def superfluous(result: Reduced) -> int:
    """How many of the parts of a result can be left out without any change of the rate."""
    return len(result.data) - len(NEEDED)


@pytest.mark.parametrize("rate", [0.3, 0.5, 0.7])
def test_claims_about_flaky_failures_hold_as_often_as_they_say(monkeypatch: pytest.MonkeyPatch, rate: float) -> None:
    results = [reduced(monkeypatch, rate, seed) for seed in range(SEEDS)]
    unconditional = [each for each in results if each.minimal and each.cost.rate == 1]
    by_statistics = [each for each in results if each.minimal and each.cost.rate < 1]
    assert len(by_statistics) + len(unconditional) == SEEDS
    assert len(unconditional) <= 1 + SEEDS * rate ** (3 + RUNS)
    assert all(byte in each.data for each in results for byte in NEEDED)
    parts = sum(len(each.data) for each in by_statistics)
    assert sum(map(superfluous, by_statistics)) <= 1 + PASS_ERROR * parts


@pytest.mark.parametrize(("rate", "without"), [(0.9, 0.65), (0.9, 0.55)])
def test_no_part_is_kept_because_the_result_fails_less_often(
    monkeypatch: pytest.MonkeyPatch, rate: float, without: float
) -> None:
    """Candidates were compared with the input's rate, though the result had the lower one: any part could stay."""
    results = [reduced(monkeypatch, rate, seed, without) for seed in range(SEEDS)]
    by_statistics = [each.data for each in results if each.minimal and each.cost.rate < 1]
    lowered = [data for data in by_statistics if RAISING not in data]
    assert len(lowered) >= SEEDS // 6
    assert sum(len(data) - len(NEEDED) for data in lowered) <= 1 + PASS_ERROR * len(NEEDED) * len(lowered)


def test_the_rate_of_a_result_is_known_to_the_next_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WYNOT_HOME", str(tmp_path))
    heard: list[Event] = []
    first = reduced(monkeypatch, 0.9, 3, 0.6, heard.append, resume=True)
    assert any(isinstance(event, Note) and "with the result's rate" in event.message for event in heard)
    heard.clear()
    again = reduced(monkeypatch, 0.9, 4, 0.6, heard.append, resume=True)
    assert first.data == again.data == NEEDED
    assert (again.cost.counts.tests, again.cost.counts.after) == (0, 0)
    assert first.cost.counts.after > RUNS


def test_a_steady_failure_costs_a_few_runs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    result = reduced(monkeypatch, 1.0, 1)
    counts = result.cost.counts
    assert (result.data, result.cost.rate, counts.after) == (NEEDED, 1.0, RUNS)
    assert result.cost.runs == counts.tests + counts.baseline


def test_a_failure_that_was_taken_for_steady_is_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 70 % three runs of the input fail in a third of all cases."""
    again = 0
    for seed in range(SEEDS):
        heard: list[Event] = []
        result = reduced(monkeypatch, 0.7, seed, listener=heard.append)
        if any(isinstance(event, Note) and "the search begins again" in event.message for event in heard):
            again += 1
            assert result.cost.rate < 1
    assert again >= SEEDS // 6
