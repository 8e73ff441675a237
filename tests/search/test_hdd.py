"""Hierarchical delta debugging: its laws on random trees and tests, and the papers' order of work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.core.trial import Strategy, Verdict
from wynot.search.combinators import in_sequence, only_testable
from wynot.search.lists.sweep import settle, skim, sweep
from wynot.search.trees.beyond_hdd import hoist, minimise_groups, sweep_users_first
from wynot.search.trees.hdd import TreeLevels, hdd, hdd_parents, hdd_plus, hdd_star, singly

Oracle = Callable[[Config], Outcome]


def run(strategy: Strategy, test: Oracle) -> tuple[Config, list[Config]]:
    """Walk through a strategy; gives what it finds and what it had to test, each configuration once."""
    known: dict[Config, Outcome] = {}

    def outcome(config: Config) -> Outcome:
        if config not in known:
            known[config] = test(config)
        return known[config]

    try:
        question = next(strategy)
        while True:
            answer = next(
                (Verdict(t, outcome(t.config)) for t in question if outcome(t.config) in t.wanted),
                None,
            )
            question = strategy.send(answer)
    except StopIteration as done:
        return done.value.failing, list(known)


@st.composite
def trees(draw: st.DrawFn, most: int = 14) -> TreeShape:
    """A tree in preorder: the parent of each node is its predecessor or one of that one's ancestors."""
    parents = [-1]
    for node in range(1, draw(st.integers(1, most))):
        path = [node - 1]
        while parents[path[-1]] >= 0:
            path.append(parents[path[-1]])
        parents.append(draw(st.sampled_from(path)))
    return shape_of(parents, [1] * len(parents))


@st.composite
def problems(draw: st.DrawFn) -> tuple[TreeShape, Oracle]:
    """A tree, and a test that is arbitrary but for the whole tree, which fails."""
    shape = draw(trees())
    full = Config.full(len(shape))
    seed = draw(st.integers(0, 2**32))
    share = draw(st.integers(1, 9))

    def test(config: Config) -> Outcome:
        if config == full:
            return FAIL
        number = hash((seed, config.bounds)) % 10
        return FAIL if number < share else (PASS, UNRESOLVED)[number % 2]

    return shape, test


def minimal(shape: TreeShape, config: Config, test: Oracle) -> bool:
    """1-tree-minimality by brute force (definition 3.6)."""
    return all(test(config - shape.subtree(node)) is not FAIL for node in config if node)


@pytest.mark.parametrize("along", [hdd_plus, hdd_star])
@pytest.mark.parametrize("inner", ["ddmin", "sweep"])
@settings(max_examples=400, deadline=None)
@given(problems())
def test_the_result_is_1_tree_minimal(
    along: Callable[[TreeLevels, Config], Strategy], inner: str, problem: tuple[TreeShape, Oracle]
) -> None:
    shape, test = problem
    levels = TreeLevels(shape, bool) if inner == "ddmin" else TreeLevels(shape, bool, sweep)
    found, _ = run(along(levels, Config.full(len(shape))), test)
    assert test(found) is FAIL
    assert 0 in found
    assert all(shape.parents[node] in found for node in found if node)
    assert minimal(shape, found, test)


@settings(max_examples=300, deadline=None)
@given(problems())
def test_every_variant_ends_in_a_failing_tree(problem: tuple[TreeShape, Oracle]) -> None:
    shape, test = problem
    full = Config.full(len(shape))
    for strategy in (
        hdd(TreeLevels(shape, bool), full),
        hdd(TreeLevels(shape, bool, skim), full),
        hdd_parents(TreeLevels(shape, bool), full),
        singly(TreeLevels(shape, bool), full),
        searched_inward(shape, full),
    ):
        found, _ = run(strategy, test)
        assert test(found) is FAIL
        assert found <= full


def searched_inward(shape: TreeShape, config: Config, deepest: int | None = None) -> Strategy:
    levels = TreeLevels(shape, bool, skim)
    return sweep_users_first(levels, config, lambda config, node, _before: hdd(levels.below(node, deepest), config))


def test_what_is_needed_is_made_small_before_what_it_uses() -> None:
    """Forty items of two children each: the first uses the item before its own; the last of all is what matters."""
    shape = shape_of([-1, *(at for item in range(40) for at in (0, 3 * item + 1, 3 * item + 1))], [1] * 121)
    users = {3 * item + 2: 3 * item - 2 for item in range(1, 40)}

    def test(config: Config) -> Outcome:
        held = all(item in config for user, item in users.items() if user in config)
        return UNRESOLVED if not held else FAIL if 120 in config else PASS

    full = Config.full(121)
    found, asked = run(searched_inward(shape, full), test)
    assert found == Config.of([0, 118, 120])
    assert len(asked) <= 10
    assert len(run(hdd(TreeLevels(shape, bool, skim), full), test)[1]) > 40


def test_it_is_told_how_many_items_there_are_before_one_that_is_needed() -> None:
    told: list[tuple[int, int]] = []

    def inside(config: Config, node: int, before: int) -> Strategy:
        told.append((node, before))
        return hdd(TreeLevels(shape, bool, skim).below(node), config)

    shape = shape_of([-1] + [0] * 12, [1] * 13)
    full = Config.full(13)
    run(sweep_users_first(TreeLevels(shape, bool, skim), full, inside), lambda c: FAIL if c == full else PASS)
    assert told == [(node, node - 1) for node in range(12, 0, -1)]


def test_a_search_inward_goes_no_deeper_than_it_is_told() -> None:
    shape = shape_of([-1, 0, 1, 2, 3], [1] * 5)
    found, _ = run(searched_inward(shape, Config.full(5), 2), lambda c: FAIL if 2 in c else PASS)
    assert found == Config.full(5)
    found, _ = run(searched_inward(shape, Config.full(5), 3), lambda c: FAIL if 2 in c else PASS)
    assert found == Config.of([0, 1, 2])


def test_members_of_one_item_are_searched_like_items() -> None:
    """One item of forty members, each of which uses the one before it: a level at a time, all of them seem needed."""
    shape = shape_of([-1, 0, *(at for member in range(40) for at in (1, 3 * member + 2, 3 * member + 2))], [1] * 122)
    users = {3 * member + 3: 3 * member - 1 for member in range(1, 40)}

    def test(config: Config) -> Outcome:
        held = all(member in config for user, member in users.items() if user in config)
        return UNRESOLVED if not held else FAIL if 121 in config else PASS

    levels, full = TreeLevels(shape, bool, skim), Config.full(122)
    inside = lambda config, node, _before: hdd(levels.below(node), config)  # noqa: E731 - as above
    found, asked = run(sweep_users_first(levels, full, inside, [3 * member + 2 for member in range(40)]), test)
    assert found == Config.of([0, 1, 119, 121])
    assert len(asked) <= 10


def test_nothing_is_asked_about_a_tree_without_items() -> None:
    assert run(searched_inward(shape_of([-1], [1]), Config.full(1)), lambda _: FAIL) == (Config.full(1), [])


def test_levels_go_from_the_top_down() -> None:
    """Algorithm 1: what is gone at one level is not looked at below."""
    #        0 -> 1 (2, 3), 4 (5, 6); node 6 alone is guilty
    shape = shape_of([-1, 0, 1, 1, 0, 4, 4], [1] * 7)
    found, asked = run(hdd(TreeLevels(shape, bool), Config.full(7)), lambda c: FAIL if 6 in c else PASS)
    assert found == Config.of([0, 4, 6])
    assert asked == [
        Config.of([0, 1, 2, 3]),  # level 1: {1}, {4}; then nothing at all
        Config.of([0, 4, 5, 6]),
        Config.of([0]),
        Config.of([0, 4, 5]),  # level 2: {5}, {6}; then nothing at all
        Config.of([0, 4, 6]),
        Config.of([0, 4]),
    ]


def test_hdd_alone_may_miss_what_only_a_lower_level_makes_possible() -> None:
    """Section 3.4: HDD is not 1-tree-minimal, HDD+ and HDD* are."""
    shape = shape_of([-1, 0, 0, 2], [1] * 4)

    def test(config: Config) -> Outcome:
        """Node 1 is needed as long as node 3 is there."""
        return FAIL if 2 in config and (1 in config or 3 not in config) else PASS

    full = Config.full(4)
    assert run(hdd(TreeLevels(shape, bool), full), test)[0] == Config.of([0, 1, 2])
    assert run(hdd_plus(TreeLevels(shape, bool), full), test)[0] == Config.of([0, 2])
    assert run(hdd_star(TreeLevels(shape, bool), full), test)[0] == Config.of([0, 2])


def test_balanced_trees_take_tests_in_proportion_to_their_depth() -> None:
    """The paper's ideal case: b = 4, one guilty leaf of 4^6: O(b^2 log n), not O(n)."""
    parents = [-1]

    def grow(node: int, depth: int) -> None:
        for _ in range(4 if depth < 6 else 0):
            parents.append(node)
            grow(len(parents) - 1, depth + 1)

    grow(0, 0)
    shape = shape_of(parents, [1] * len(parents))
    guilty = len(parents) // 2
    found, asked = run(hdd(TreeLevels(shape, bool), Config.full(len(parents))), lambda c: FAIL if guilty in c else PASS)
    path = [guilty]
    while path[-1]:
        path.append(shape.parents[path[-1]])
    assert found == Config.of(path)
    assert len(asked) <= 6 * 6  # 2 log2(4) and the empty level, six times; and below the guilty one


def test_an_heir_takes_the_place_of_its_ancestor() -> None:
    shape = shape_of([-1, 0, 1, 2, 1], [9, 8, 4, 1, 2])
    heirs = {1: [(2, 2), (4, 4)], 2: [(3, 3)]}
    found, asked = run(
        hoist(shape, Config.full(5), lambda node: heirs.get(node, ())), lambda c: FAIL if 3 in c else PASS
    )
    assert found == Config.of([0, 3])
    assert asked[0] == Config.of([0, 2, 3])


def test_bundles_go_together_or_not_at_all() -> None:
    bundles = [Config.of([1, 4]), Config.of([2, 5]), Config.of([3])]
    found, _ = run(
        minimise_groups(Config.full(6), bundles, sweep),
        lambda c: FAIL if 3 in c and (1 in c) == (4 in c) and (2 in c) == (5 in c) else PASS,
    )
    assert found == Config.of([0, 3])


def test_what_makes_no_sense_is_not_asked() -> None:
    shape = shape_of([-1, *[0] * 8], [1] * 9)
    _, asked = run(
        only_testable(hdd(TreeLevels(shape, bool), Config.full(9)), lambda config: len(config) % 2 == 1),
        lambda c: FAIL if 7 in c else PASS,
    )
    assert asked
    assert all(len(config) % 2 == 1 for config in asked)


@settings(max_examples=200, deadline=None)
@given(problems(), st.lists(st.sampled_from([True, False]), max_size=12))
def test_begun_again_a_strategy_asks_the_same(problem: tuple[TreeShape, Oracle], ways: list[bool]) -> None:
    """Look-ahead rests on it: `again` gives a strategy whose first question is the one it was asked from."""
    shape, _ = problem
    full = Config.full(len(shape))
    heirs = {node: [(c, c) for c in shape.children(node)] for node in range(1, len(shape))}
    bundles = [shape.subtree(node) for node in range(1, len(shape))]
    for strategy in (
        hdd_star(TreeLevels(shape, bool), full),
        hdd_plus(TreeLevels(shape, bool, sweep), full),
        hdd_parents(TreeLevels(shape, bool), full),
        hoist(shape, full, lambda node: heirs.get(node, ())),
        minimise_groups(full, bundles, skim),
        searched_inward(shape, full),
        in_sequence(hdd(TreeLevels(shape, bool), full), partial(hdd, TreeLevels(shape, bool, sweep))),
        hdd(TreeLevels(shape, bool, partial(settle, 2)), full),
    ):
        try:
            question = next(strategy)
            for way in ways:
                trials = list(question)
                twin = question.again()  # type: ignore[attr-defined]
                assert [t.config for t in next(twin)] == [t.config for t in trials]
                question = strategy.send(Verdict(trials[-1], FAIL) if way and trials else None)
        except StopIteration:
            pass
