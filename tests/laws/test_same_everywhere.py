"""The result does not depend on who runs the tests: one after the other, many at once, or from memory.

Not only the result: what the search is told, in which order, and what it goes on with are the same to the letter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from typing import Protocol

import pytest

from tests.laws.effort import effort
from tests.laws.executors import NoBench, UnrulyBench
from tests.search.problems import STRATEGIES, Noise
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Event
from wynot.core.trial import Found
from wynot.domains.text.atom_domain import flat
from wynot.domains.text.atoms import byte_ends
from wynot.domains.values.scalars import ItemList
from wynot.engine.budget import TestCounts
from wynot.engine.driver import drive, pool, walk
from wynot.engine.executors.executor import Candidate, Executor, InlineExecutor, ThreadExecutor
from wynot.engine.lookahead import SearchDomain
from wynot.engine.tester import Tester

Rendered = tuple[Config, list[int]]
JOBS = [1, 2, 8, 32]


def problem(number: int) -> Noise:
    """The tests of this file: up to ten deltas, from hardly ever to mostly unresolved."""
    chance = Random(number)
    fails = chance.choice([5, 15, 30, 50])
    return Noise(chance.randint(1, 10), number, fails, chance.choice([0, 10, 30]))


@dataclass
class Story:
    """All there is to see of a search."""

    found: Found = field(default_factory=lambda: Found(Config()))
    kept: list[tuple[Config, Outcome]] = field(default_factory=list)
    told: list[Event] = field(default_factory=list)


def run(driver: str, name: str, domain: Sized[Candidate], tester: Tester[Candidate]) -> tuple[Story, TestCounts]:
    """Search with one of the drivers; the executor is closed in the end."""
    story = Story()
    tester.listener = story.told.append
    by = {"walk": walk, "pool": pool, "drive": drive}[driver]
    try:
        story.found = by(
            lambda: STRATEGIES[name](Config.full(len(domain))),
            domain,
            tester,
            lambda config, outcome: story.kept.append((config, outcome)),
        )
    finally:
        tester.executor.close()
    assert not tester.running
    return story, tester.counts


class Sized(SearchDomain[Candidate], Protocol[Candidate]):
    """A domain that knows how many deltas it has."""

    def __len__(self) -> int: ...


def asking(test: Noise) -> Callable[[Rendered], Outcome]:
    return lambda rendered: test(rendered[0])


def waiting(test: Noise) -> Callable[[Rendered], Outcome]:
    """The same test, each configuration with a time of its own to wait, up to three milliseconds."""

    def wait(rendered: Rendered) -> Outcome:
        lot = blake2b(repr((test.seed, rendered[0].bounds)).encode(), digest_size=1).digest()[0]
        time.sleep(0.003 * lot / 255)
        return test(rendered[0])

    return wait


def items(test: Noise) -> ItemList[int]:
    return ItemList(range(test.size))


def assert_same(
    name: str, domain: Sized[Candidate], test: Callable[[Candidate], Outcome], executors: list[Executor[Candidate]]
) -> None:
    """Walk first; then the pool on each executor must tell the same story and need the same tests."""
    story, counts = run("walk", name, domain, Tester(InlineExecutor(test)))
    assert counts.tests == counts.needed
    for executor in executors:
        other, cost = run("pool", name, domain, Tester(executor))
        assert other == story, f"{executor.jobs} jobs"
        assert cost.needed == counts.tests
        assert (cost.cached, cost.outcomes) == (counts.cached, counts.outcomes)
        assert cost.tests >= cost.needed


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("jobs", JOBS)
def test_any_order_of_ends_tells_the_same_story(name: str, jobs: int) -> None:
    """Up to 75 problems, each with outcomes that come in an order of their own."""
    slow = jobs == 32 and name == "ddplus"  # its questions lead far ahead
    for number in range(0, effort(50, 75), 10 if slow else 1):
        test = problem(number)
        assert_same(name, items(test), asking(test), [UnrulyBench(asking(test), jobs, seed=number)])


@pytest.mark.parametrize("name", STRATEGIES)
def test_one_job_may_make_the_next_test_ready_early(name: str) -> None:
    """Where tests take long: the same story, and the same counts, predictions among them."""
    for number in range(20):
        test = problem(number)
        known = run("walk", name, items(test), Tester(InlineExecutor(asking(test))))
        assert run("walk", name, items(test), Tester(UnrulyBench(asking(test), 1, seed=number))) == known


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("jobs", JOBS)
def test_deltas_that_look_alike(name: str, jobs: int) -> None:
    """Different configurations may be the same file, with one outcome; it is found out once, and counted once."""
    for number in range(effort(10, 20)):
        chance = Random(number)
        data = bytes(chance.choices(b"ab", k=chance.randint(2, 10)))

        def test(candidate: bytes, seed: int = number, whole: bytes = data) -> Outcome:
            if candidate in {b"", whole}:
                return FAIL if candidate else PASS
            lot = blake2b(candidate, digest_size=1, salt=seed.to_bytes(2, "big")).digest()[0]
            return (FAIL, PASS, UNRESOLVED, UNRESOLVED)[lot % 4]

        assert_same(name, flat(data, byte_ends), test, [UnrulyBench(test, jobs, seed=number)])


@pytest.mark.parametrize("name", STRATEGIES)
def test_threads_tell_the_same_story(name: str) -> None:
    for number in range(effort(10, 15)):
        test = problem(number)
        assert_same(name, items(test), asking(test), [ThreadExecutor(asking(test), jobs) for jobs in JOBS])


@pytest.mark.parametrize("name", STRATEGIES)
def test_threads_that_wait_tell_the_same_story(name: str) -> None:
    """Tests that end late, each at its own time: what is slow is not what is first."""
    turns = list(STRATEGIES)
    for number in range(turns.index(name), effort(25, 150), len(turns)):
        test = problem(number)
        assert_same(name, items(test), asking(test), [ThreadExecutor(waiting(test), jobs) for jobs in JOBS])


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(("first", "second"), [("walk", "walk"), ("walk", "pool"), ("pool", "walk"), ("pool", "pool")])
def test_replay_runs_no_test(name: str, first: str, second: str) -> None:
    """What one run knows is enough for the next, whichever way either is driven; and it finds the same."""
    for number in range(effort(20, 20)):
        test = problem(number)
        known = Tester(UnrulyBench(asking(test), 1 if first == "walk" else 8, number))
        story, counts = run(first, name, items(test), known)
        tester = Tester(NoBench[Rendered](1 if second == "walk" else 8))
        tester.outcomes._outcomes.update(known.outcomes._outcomes)
        again, cost = run(second, name, items(test), tester)
        assert (again.found, again.kept) == (story.found, story.kept)
        assert (cost.tests, cost.needed) == (0, 0)
        assert cost.cached == counts.needed + counts.cached


def test_drive_takes_the_driver_that_suits_the_bench() -> None:
    """One place: no test is run that is not needed. Several: some are, early."""
    early = 0
    for number in range(50):
        test = problem(number)
        story, counts = run("drive", "ddmin", items(test), Tester(UnrulyBench(asking(test), 1, number)))
        assert counts.tests == counts.needed
        other, cost = run("drive", "ddmin", items(test), Tester(UnrulyBench(asking(test), 8, number)))
        assert other == story
        early += cost.tests - cost.needed
    assert early > 0


def test_every_place_is_used() -> None:
    """A question with many trials keeps all workers busy, and no test is run twice."""
    test = Noise(12, 1, 0, 100)
    running: list[int] = []

    def noted(rendered: Rendered) -> Outcome:
        running.append(len(tester.running))
        return test(rendered[0])

    executor = UnrulyBench(noted, 8, 0)
    tester: Tester[Rendered] = Tester(executor)
    run("pool", "ddmin", items(test), tester)
    assert max(running) == 8
    assert len(executor.submitted) == len(set(executor.submitted))


def test_what_is_not_needed_cannot_do_harm() -> None:
    """A test that would raise is not asked for by the search, so no number of jobs may make it raise."""

    def test(rendered: Rendered) -> Outcome:
        if rendered[1] == [4, 5, 6, 7]:
            raise RuntimeError("nobody asked")
        return FAIL if 0 in rendered[1] else PASS

    assert_same("ddmin", ItemList(range(8)), test, [ThreadExecutor(test, 8) for _ in range(10)])
