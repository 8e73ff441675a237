"""Options that a failure needs, and options that prevent it (2002, section IV-A)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wynot.commands.options.option_search import circumstances
from wynot.core.call import Call
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.calls.call_tree import CallTree, pieces
from wynot.engine.results import Explained
from wynot.engine.run_options import Options
from wynot.errors import BudgetEnded, NoFailureError, UsageError

_WORDS = """
-ffloat-store -fno-default-inline -fno-defer-pop -fforce-mem -fforce-addr -fomit-frame-pointer -fno-inline
-finline-functions -fkeep-inline-functions -fkeep-static-consts -fno-function-cse -ffast-math -fstrength-reduce
-fthread-jumps -fcse-follow-jumps -fcse-skip-blocks -frerun-cse-after-loop -frerun-loop-opt -fgcse
-fexpensive-optimizations -fschedule-insns -fschedule-insns2 -ffunction-sections -fdata-sections -fcaller-saves
-funroll-loops -funroll-all-loops -fmove-all-movables -freduce-all-givs -fno-peephole -fstrict-aliasing
"""
TABLE_I = _WORDS.split()
PREVENTERS = {"-ffast-math", "-fforce-addr"}


def gcc_2_95(setting: Call) -> Outcome:
    """As the paper tells of it: crashes, unless one of two options is given."""
    return PASS if PREVENTERS & set(setting.argv) else FAIL


def the_call(options: list[str]) -> CallTree:
    return CallTree(pieces(["gcc", "-O", *options, "bug.c"], {"-fstrict-aliasing": 0}), keep=lambda n: n == "-O")


@pytest.mark.parametrize(("algorithm", "runs"), [("sweep", (6, 6)), ("ddmin", (7, 8))])
def test_gcc_options_that_prevent_the_crash(algorithm: str, runs: tuple[int, int]) -> None:
    """The paper: 7 tests for each; at most 2 log2 31 = 9. The one left over, searched again, gives the other."""
    assert len(TABLE_I) == 31
    counts, options = [], list(TABLE_I)
    for _ in range(2):
        found = circumstances(the_call(options), gcc_2_95, Options(algorithm=algorithm), preventing=True)
        counts.append(found.cost.counts.tests)
        [name] = found.causes[0].names
        assert name in PREVENTERS
        options.remove(name)
    assert max(counts) <= 9
    assert tuple(counts) == runs
    with pytest.raises(NoFailureError, match="the failure stays with all 29"):
        circumstances(the_call(options), gcc_2_95, Options(algorithm=algorithm), preventing=True)


def test_gcc_options_all_at_once() -> None:
    found = circumstances(the_call(TABLE_I), gcc_2_95, preventing=True, every=True)
    assert {cause.names for cause in found.causes} == {(name,) for name in PREVENTERS}
    assert found.more is False
    assert found.minimal
    assert found.cost.counts.tests <= 9 + 9 + 2


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 19), min_size=1, max_size=4), st.sampled_from([1, 3]), st.booleans())
def test_just_the_guilty_options_are_found(guilty: set[int], jobs: int, preventing: bool) -> None:
    needed = {f"-x{number}" for number in guilty}

    def test(setting: Call) -> bool:
        return (needed <= set(setting.argv)) is not preventing

    call = CallTree(pieces(["prog", *(f"-x{number}" for number in range(20))]))
    found = circumstances(call, test, Options(jobs=jobs), preventing=preventing)
    assert set(found.causes[0].names) == needed
    assert found.causes[0].fixed == ()


def test_what_belongs_to_the_call_is_found_by_itself() -> None:
    """Without -m it is another failure whatever else is given."""

    def test(setting: Call) -> Outcome:
        words = setting.argv
        if "-m" not in words:
            return UNRESOLVED
        return FAIL if "-bad" in words else PASS

    call = CallTree(pieces(["prog", "-a", "-m", "-b", "-bad", "-c"], {"-m": 0}))
    [cause] = circumstances(call, test).causes
    assert (cause.names, cause.fixed, cause.setting.argv) == (("-bad",), ("-m",), ("prog", "-m", "-bad"))


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["prog", "-v", "run", "-bad"], ("prog", "run", "-bad")),
        (["prog", "-bad", "run", "-v"], ("prog", "-bad", "run")),
        (["prog", "run", "-n", "5", "-bad"], ("prog", "run", "-bad")),
    ],
)
def test_both_readings_of_a_word_are_tried(words: list[str], left: tuple[str, ...]) -> None:
    def test(setting: Call) -> Outcome:
        if "run" not in setting.argv:
            return UNRESOLVED
        return FAIL if "-bad" in setting.argv else PASS

    assert circumstances(CallTree(pieces(words)), test).causes[0].setting.argv == left


ENDS: dict[str, tuple[Callable[[Call], bool], bool, type[Exception], str]] = {
    "fails without any": (lambda _s: True, False, UsageError, "without any of them, too: none of these 3"),
    "does not fail": (lambda _s: False, False, NoFailureError, "does not show"),
    "is not prevented": (lambda _s: True, True, NoFailureError, "the failure stays with all 3"),
    "does not fail without": (lambda s: "-a" in s.argv, True, NoFailureError, "does not show"),
}


@pytest.mark.parametrize("name", ENDS)
def test_ends_that_are_not_as_they_should_be(name: str) -> None:
    test, preventing, error, message = ENDS[name]
    with pytest.raises(error, match=message):
        circumstances(CallTree(pieces(["prog", "-a", "-b", "-c"])), test, preventing=preventing)


def test_nothing_to_leave_out() -> None:
    with pytest.raises(UsageError, match="nothing to leave out"):
        circumstances(CallTree(pieces(["prog", "file"])), lambda _s: True)


def test_a_budget_leaves_the_best_so_far() -> None:
    with pytest.raises(BudgetEnded) as ended:
        circumstances(
            CallTree(pieces(["prog", *(f"-x{n}" for n in range(32))])),
            lambda setting: {"-x3", "-x17"} <= set(setting.argv),
            Options(budget_tests=4),
        )
    best = ended.value.best
    assert isinstance(best, Explained)
    assert not best.minimal
    assert {"-x3", "-x17"} <= set(best.causes[0].names)
    assert len(best.causes[0].names) < 32
