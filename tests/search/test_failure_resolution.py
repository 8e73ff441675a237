"""The failure-resolution loop: what it finds is what is wanted, it is minimal, and drivers do not matter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.executors import UnrulyBench
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.trial import Found
from wynot.domains.values.scalars import ItemList
from wynot.engine.driver import pool, walk
from wynot.engine.executors.executor import Key
from wynot.engine.tester import Tester
from wynot.oracles.protocol import Report
from wynot.search.changes.failure_resolution import Dependencies, ResolutionLevel, ResolutionTask, Resolved, resolve
from wynot.search.lists.sweep import alone, skim, sweep

Rendered = tuple[Config, list[int]]


@dataclass(frozen=True)
class Program:
    """A program with changes that need each other; fails iff the guilty ones are in, says what it misses otherwise."""

    count: int
    guilty: frozenset[int]
    needs: dict[int, frozenset[int]]

    def missing(self, config: Config) -> list[int]:
        return sorted({n for each in config for n in self.needs.get(each, ()) if n not in config})

    def outcome(self, config: Config) -> Outcome:
        if self.missing(config):
            return UNRESOLVED
        return FAIL if all(each in config for each in self.guilty) else PASS

    def says(self, config: Config) -> str:
        return f"error: {self.missing(config)[0]} is missing" if self.missing(config) else ""

    def closed(self, these: frozenset[int]) -> set[int]:
        found, waiting = set(these), list(these)
        while waiting:
            for each in self.needs.get(waiting.pop(), ()):
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return found


class Reader:
    """Understands what such a program says."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def pulled(self, config: Config, message: str) -> tuple[Config, Config]:
        missing = [int(each) for each in re.findall(r"error: (\d+)", message)]
        by = [each for each in config if any(m in self.program.needs.get(each, ()) for m in missing)]
        return Config.of(missing), Config.of(by)

    def dropped(self, config: Config, message: str) -> Config:
        return self.pulled(config, message)[1]


class TalkingBench(UnrulyBench[Rendered]):
    """Tests a program, in any order, and passes on what it says."""

    def __init__(self, program: Program, jobs: int, seed: int) -> None:
        super().__init__(lambda rendered: program.outcome(rendered[0]), jobs, seed)
        self._program = program

    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:
        running = dict(self._running)
        ended = super().wait(timeout)
        return [(key, Report(r.outcome, evidence=self._program.says(running[key][0]))) for key, r in ended]


def singles(kept: Config) -> list[Config]:
    return [Config.of([each]) for each in kept]


def fours(kept: Config) -> list[Config]:
    return [Config((at, at + 4)) & kept for at in range(0, 64, 4)]


LEVELS = (
    ResolutionLevel(fours, skim, 8),
    ResolutionLevel(singles, skim, 4),
    ResolutionLevel(singles, sweep, supposing=False),
    ResolutionLevel(singles, sweep, 4, dropping=True),
    ResolutionLevel(singles, sweep, supposing=False),
)


def searched(
    program: Program, jobs: int, seed: int, *, taking_back: bool = False, lore: Dependencies | None = None
) -> Found:
    whole = Config.full(program.count)
    task = ResolutionTask(whole, Reader(program), LEVELS, PASS if taking_back else FAIL, taking_back)
    tester: Tester[Rendered] = Tester(TalkingBench(program, jobs, seed), heeding=True)
    driver = walk if jobs == 1 else pool
    begin = partial(resolve, task, whole, lore or Dependencies())
    return driver(begin, ItemList(list(range(program.count))), tester, lambda _c, _o: None)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Needs lead backwards, and sometimes both ways."""
    count = draw(st.integers(2, 24))
    guilty = draw(st.frozensets(st.integers(0, count - 1), min_size=1, max_size=3))
    chance = Random(draw(st.integers(0, 10**6)))
    needs: dict[int, set[int]] = {}
    for _ in range(draw(st.integers(0, count))):
        one, other = chance.randrange(count), chance.randrange(count)
        if one != other:
            needs.setdefault(max(one, other), set()).add(min(one, other))
            if chance.random() < 0.2:
                needs.setdefault(min(one, other), set()).add(max(one, other))
    return Program(count, guilty, {each: frozenset(needed) for each, needed in needs.items()})


def test_what_goes_with_a_group_is_not_asked_about_again() -> None:
    """A pair that needs each other is left out although others went with a group before."""
    needs = {7: {5, 11}, 5: {4, 7}, 11: {7, 8}, 19: {18}, 9: {2, 4, 5}, 16: {6}, 6: {3}, 3: {6}, 8: {11}, 13: {7}}
    both = {17: {4}, 4: {17}}
    program = Program(20, frozenset({0, 10, 19}), {k: frozenset(v) for k, v in (needs | both).items()})
    assert set(searched(program, 1, 0).failing) == {0, 10, 18, 19}


@given(programs())
@settings(max_examples=150, deadline=None)
def test_it_finds_the_guilty_and_what_they_need(program: Program) -> None:
    found = searched(program, 1, 0)
    assert set(found.failing) == program.closed(program.guilty)


@given(programs())
@settings(max_examples=150, deadline=None)
def test_what_to_take_back_is_one_guilty_change_with_those_that_need_it(program: Program) -> None:
    kept = searched(program, 1, 0, taking_back=True).failing
    rest = Config.full(program.count) - kept
    assert program.outcome(rest) is PASS
    assert all(program.outcome(rest | Config.of([each])) is not PASS for each in kept)


@given(programs(), st.sampled_from([2, 8]), st.integers(0, 100), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_same_for_any_number_of_jobs(program: Program, jobs: int, seed: int, taking_back: bool) -> None:
    one, other = (searched(program, n, seed, taking_back=taking_back) for n in (1, jobs))
    assert one == other


def test_what_is_learnt_is_told() -> None:
    program = Program(8, frozenset({7}), {7: frozenset({0})})
    found = searched(program, 1, 0)
    assert isinstance(found, Resolved)
    assert found.lore.needs[7] == Config.of([0])


def asked(program: Program, lore: Dependencies) -> int:
    """How many tests a search needs."""
    whole = Config.full(program.count)
    tester: Tester[Rendered] = Tester(TalkingBench(program, 1, 0), heeding=True)
    task = ResolutionTask(whole, Reader(program), LEVELS)
    walk(partial(resolve, task, whole, lore), ItemList(list(range(program.count))), tester, lambda _c, _o: None)
    return tester.counts.needed


def test_what_is_supposed_rightly_saves_tests() -> None:
    needs = {each: frozenset({each - 1}) for each in range(1, 32)}
    program = Program(64, frozenset({30}), needs)
    knowing = Dependencies({each: Config.of(needed) for each, needed in needs.items()})
    assert asked(program, knowing) < asked(program, Dependencies())


class Deaf(Reader):
    """Understands nothing."""

    def pulled(self, config: Config, message: str) -> tuple[Config, Config]:
        return Config(), Config()

    def dropped(self, config: Config, message: str) -> Config:
        return Config()


def left(program: Program, reader: Reader, levels: Sequence[ResolutionLevel]) -> int:
    whole = Config.full(program.count)
    tester: Tester[Rendered] = Tester(TalkingBench(program, 1, 0), heeding=True)
    task = ResolutionTask(whole, reader, levels)
    found = walk(
        partial(resolve, task, whole, Dependencies()), ItemList(list(range(program.count))), tester, lambda _c, _o: None
    )
    return len(found.failing)


def test_two_that_go_only_together_are_left_out_together() -> None:
    pair = {4: frozenset({5}), 5: frozenset({4})}
    program = Program(8, frozenset({0}), pair)
    plain = [ResolutionLevel(singles, sweep, supposing=False)]
    assert left(program, Deaf(program), [plain[0]]) >= 1
    assert left(program, Reader(program), LEVELS) == 1


@pytest.mark.parametrize("count", [1, 2, 5])
def test_alone_tries_one_after_the_other(count: int) -> None:
    strategy = alone(Config.full(count))
    if count == 1:
        assert list(next(strategy)) == []
        return
    assert [list(trial.config) for trial in next(strategy)] == [[each] for each in range(count - 1)]
