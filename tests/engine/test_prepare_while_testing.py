"""While a test runs that takes its time, the next candidate is made ready; what is counted stays the same."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import partial

import pytest

from wynot.commands.reduce.pass_runner import PassRunner
from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.core.outcome import FAIL, ONLY_FAIL, PASS, Outcome
from wynot.core.trial import Found, RestartableQuestion, Strategy, Trial
from wynot.engine.driver import pool, walk
from wynot.engine.executors.executor import USUAL, InlineExecutor, TestSettings
from wynot.engine.tester import LONG, Tester
from wynot.oracles.protocol import Report

TRIALS = [Config((0, end)) for end in (1, 2, 3, 4)]
WANTED = TRIALS[2]


class Slow(InlineExecutor[Config]):
    """Says of its tests that they took long."""

    def __init__(self, seconds: float, log: list[str]) -> None:
        super().__init__(lambda config: FAIL if config == WANTED else PASS)
        self.seconds, self.log = seconds, log

    def wait(self, timeout: float | None = None) -> list[tuple[bytes, Report]]:
        self.log.append("wait")
        return [(key, Report(report.outcome, "", self.seconds)) for key, report in super().wait(timeout)]


class Written:
    """Notes what is rendered."""

    def __init__(self, log: list[str]) -> None:
        self.log = log

    def render(self, config: Config) -> Config:
        self.log.append(f"render {len(config)}")
        return config

    def digest(self, candidate: Config) -> bytes:
        return bytes([len(candidate)])

    def size(self, candidate: Config) -> int:
        return len(candidate)


def driven(seconds: float) -> tuple[list[str], int]:
    """What was done in which order, and how much was predicted."""
    log: list[str] = []
    tester = Tester(Slow(seconds, log))

    def search() -> Strategy:
        verdict = yield (Trial(config, ONLY_FAIL) for config in TRIALS if counting(config))
        assert verdict is not None
        return Found(verdict.config)

    def counting(_config: Config) -> bool:
        tester.counts.predicted += 1
        return True

    def keep(config: Config, outcome: Outcome) -> None:
        assert (config, outcome) == (WANTED, FAIL)

    assert walk(search, Written(log), tester, keep).failing == WANTED
    return log, tester.counts.predicted


def test_short_tests_are_not_kept_waiting() -> None:
    assert driven(0.0) == (["render 1", "wait", "render 2", "wait", "render 3", "wait"], 3)


def test_after_a_long_test_the_next_is_made_ready_while_one_runs() -> None:
    log, predicted = driven(LONG)
    assert log == ["render 1", "wait", "render 2", "render 3", "wait", "render 4", "wait"]
    assert predicted == 3


class Spare(Slow):
    """There are processors with nothing to do."""

    spare = True

    def submit(self, key: bytes, candidate: Config, settings: TestSettings = USUAL) -> None:
        self.log.append(f"start {len(candidate)}")
        super().submit(key, candidate)


def halving(config: Config) -> Strategy:
    """Questions of one trial each: half of what there is."""
    while len(config) > 1:
        verdict = yield RestartableQuestion(partial(half, config), partial(halving, config))
        if verdict is None:
            break
        config = verdict.config
    return Found(config)


def half(config: Config) -> Iterator[Trial]:
    yield Trial(config.part(0, len(config) // 2), ONLY_FAIL)


def halved(executor: Slow, log: list[str]) -> None:
    def keep(config: Config, _outcome: Outcome) -> None:
        log.append(f"keep {len(config)}")

    found = walk(lambda: halving(Config.full(8)), Written(log), Tester(executor), keep)
    assert found.failing == Config.full(1)


def test_with_time_to_spare_it_is_worked_out_what_comes_after_a_success() -> None:
    log: list[str] = []
    executor = Spare(LONG, log)
    executor._test = lambda _config: FAIL
    halved(executor, log)
    assert log == [
        "render 4", "start 4", "wait",
        "render 2", "start 2", "keep 4", "render 1", "wait",
        "start 1", "keep 2", "wait", "keep 1",
    ]  # fmt: skip


def test_with_time_to_spare_the_next_search_is_looked_at_during_the_last_test() -> None:
    log: list[str] = []
    executor = Spare(LONG, log)
    executor._test = lambda config: FAIL if len(config) == 4 else PASS

    def beyond(found: Found) -> None:
        log.append(f"beyond {len(found.failing)}")

    found = walk(
        lambda: halving(Config.full(8)), Written(log), Tester(executor), lambda _config, _outcome: None, beyond=beyond
    )
    assert found.failing == Config.full(4)
    assert log == ["render 4", "start 4", "wait", "render 2", "start 2", "beyond 4", "render 1", "wait"]


def test_what_is_found_is_kept_however_the_search_ends() -> None:
    log: list[str] = []
    kept: list[int] = []

    class Interrupted(Slow):
        def submit(self, key: bytes, candidate: Config, settings: TestSettings = USUAL) -> None:
            if len(candidate) < 4:
                raise KeyboardInterrupt
            super().submit(key, candidate)

    executor = Interrupted(LONG, log)
    executor._test = lambda _config: FAIL
    for by in (walk, pool):
        with pytest.raises(KeyboardInterrupt):
            by(
                lambda: halving(Config.full(8)), Written(log), Tester(executor),
                lambda config, _: kept.append(len(config)),
            )  # fmt: skip
    assert kept == [4, 4]


class Late(Slow):
    """Its tests end when it is asked for the third time."""

    def wait(self, timeout: float | None = None) -> list[tuple[bytes, Report]]:
        self.log.append("asked")
        return super().wait(timeout) if self.log.count("asked") >= 3 else []


def test_steps_are_done_for_as_long_as_a_look_takes() -> None:
    """At least one; what is left is for the next look, or for the search."""
    for executor, left in ((Slow(LONG, []), 8), (Late(LONG, []), 6)):
        steps = iter([None] * 9)
        Tester(executor).probe(b"1", TRIALS[0], 1, meanwhile=steps)
        assert len(list(steps)) == left


def test_no_report_is_kept_once_it_was_told() -> None:
    """However many tests there are: outcomes are, but not what was printed."""
    gc.collect()
    before = sum(isinstance(each, Report) for each in gc.get_objects())
    tester = Tester(Slow(LONG, []))
    for number in range(40):
        (tester.probe if number < 20 else tester.test)(bytes([number]), TRIALS[0], 1)
    gc.collect()
    assert sum(isinstance(each, Report) for each in gc.get_objects()) <= before
    assert len(tester.outcomes._outcomes) == 40


def test_what_comes_before_the_search_is_not_done_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the first tests are short, and the others are not."""
    begun: list[object] = []
    later: list[Iterator[None]] = []

    def ready(descent: object) -> Iterator[None]:
        begun.append(descent)
        yield

    monkeypatch.setattr(PassRunner, "ready", ready)
    monkeypatch.setattr(Tester, "do_later", lambda _, steps: later.append(steps))
    reduce(b"a b c", lambda data: b"b" in data)
    for steps in later:
        list(steps)
    assert later
    assert not begun


def test_what_is_needed_in_the_end_is_made_ready_while_long_tests_run() -> None:
    for seconds, left in ((0.0, 9), (LONG, 7)):  # the first of three tests does not know yet
        steps, tester = iter([None] * 9), Tester(Slow(seconds, []))
        tester.do_later(steps)

        def search() -> Strategy:
            verdict = yield [Trial(config, ONLY_FAIL) for config in TRIALS]
            assert verdict is not None
            return Found(verdict.config)

        walk(search, Written([]), tester, lambda _config, _outcome: None)
        assert len(list(steps)) == left
