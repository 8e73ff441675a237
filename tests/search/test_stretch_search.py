"""Stretches taken back: what is found repairs, drivers do not matter, and a short stretch is found in few tests."""

from __future__ import annotations

from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.search.test_failure_resolution import Program, Reader, Rendered, TalkingBench, programs
from wynot.core.config import Config
from wynot.core.outcome import PASS
from wynot.domains.values.scalars import ItemList
from wynot.engine.driver import pool, walk
from wynot.engine.tester import Tester
from wynot.search.changes.failure_resolution import (
    Dependencies,
    ResolutionLevel,
    ResolutionTask,
    Resolved,
    RevertResult,
    RevertStretches,
    resolve,
    revert_stretches,
)
from wynot.search.lists.sweep import skim


def halves(config: Config) -> list[Config]:
    middle = len(config) // 2
    return [config.part(0, middle), config.part(middle, len(config))] if middle else []


def probed(program: Program, jobs: int, seed: int, most: int = 200) -> tuple[RevertResult, int]:
    whole = Config.full(program.count)
    how = RevertStretches(ResolutionTask(whole, Reader(program), (), PASS, taking_back=True), halves, whole, 4)
    tester: Tester[Rendered] = Tester(TalkingBench(program, jobs, seed), heeding=True)
    stretches = [quarter for half in halves(whole) for quarter in halves(half)]
    begin = partial(revert_stretches, how, stretches, Dependencies(), most)
    found = (walk if jobs == 1 else pool)(begin, ItemList(list(range(program.count))), tester, lambda _c, _o: None)
    assert isinstance(found, RevertResult)
    return found, tester.counts.needed


@given(programs())
@settings(max_examples=100, deadline=None)
def test_without_what_it_finds_it_passes(program: Program) -> None:
    found, _ = probed(program, 1, 0)
    rest = Config.full(program.count) - found.failing
    assert program.outcome(rest) is PASS


@given(programs(), st.sampled_from([2, 8]), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_the_same_for_any_number_of_jobs(program: Program, jobs: int, seed: int) -> None:
    assert probed(program, 1, seed)[0] == probed(program, jobs, seed)[0]


@given(programs(), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_it_ends_after_as_many_tests_as_it_may_spend(program: Program, most: int) -> None:
    assert probed(program, 1, 0, most)[1] <= most


def test_what_is_relieved_is_learnt_and_where_to_go_on_is_told() -> None:
    program = Program(16, frozenset({5}), {12: frozenset({4})})
    found, _ = probed(program, 1, 0)
    assert found.failing == Config.of([5, 6, 7])
    assert found.lore.needs == {12: Config.of([4])}
    assert found.rest == (Config.of(range(8, 12)), Config.of(range(12, 16)))


def test_a_level_that_comes_to_nothing_is_given_up() -> None:
    crowd = frozenset(range(1, 40))
    program = Program(40, frozenset({0}), dict.fromkeys(crowd, crowd))
    whole = Config.full(40)

    def searched(weary: int) -> tuple[Resolved, int]:
        tester: Tester[Rendered] = Tester(TalkingBench(program, 1, 0), heeding=True)
        level = ResolutionLevel(lambda kept: [Config.of([each]) for each in kept], skim, weary=weary)
        task = ResolutionTask(whole, Reader(program), [level])
        found = walk(
            partial(resolve, task, whole, Dependencies()), ItemList(list(range(40))), tester, lambda _c, _o: None
        )
        assert isinstance(found, Resolved)
        return found, tester.counts.needed

    found, tests = searched(3)
    assert (found.weary, found.failing, tests) == (True, whole, 3)
    found, tests = searched(0)
    assert not found.weary
    assert tests > 3
