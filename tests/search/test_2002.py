"""The examples of Zeller & Hildebrandt 2002, with what they cost."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median

import pytest

import wynot
from tests.search.problems import doublings
from tests.search.recording import Calls, Notebook, digits
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.search.lists.dd import ddmin

SELECT = '<SELECT NAME="priority" MULTIPLE SIZE=7>'
EIGHT = range(1, 9)


def figure_4(kept: list[int]) -> Outcome:
    """Change 7 alone fails; the first half cannot be tested."""
    if kept == [1, 2, 3, 4]:
        return UNRESOLVED
    return FAIL if 7 in kept else PASS


def figure_6(kept: list[int]) -> Outcome:
    """Fails iff 1, 7 and 8 are all in, passes iff none of them is."""
    return {3: FAIL, 0: PASS}.get(len({1, 7, 8} & set(kept)), UNRESOLVED)


def test_figure_4() -> None:
    test = Calls(figure_4)
    assert wynot.ddmin(EIGHT, test) == [7]
    assert test.table == "1234 5678 56 78 7"


def test_figure_6() -> None:
    """The paper counts 19 tests; no outcome known is found out again, so it is 17 runs."""
    test = Calls(figure_6)
    assert wynot.ddmin(EIGHT, test) == [1, 7, 8]
    assert test.table == "1234 5678 12 34 56 78 345678 125678 1278 1 2 7 8 278 178 18 17"
    assert len(test) == 17


@pytest.mark.parametrize("repeat", [True, False])
def test_steps_of_figure_6(repeat: bool) -> None:
    """All 27 lines of the figure, those that repeat an earlier one too; and the same runs without them."""
    notebook = Notebook(lambda config: figure_6([index + 1 for index in config]))
    found = notebook.drive(ddmin(Config.full(8), repeat=repeat))
    assert digits([found.failing]) == "178"
    if repeat:
        lines = "1234 5678 12 34 56 78 345678 125678 12 56 78 5678 1278 12 78 1 2 7 8 278 178 1 7 8 78 18 17"
        assert digits(notebook.steps) == lines
        assert len(notebook.steps) == 27
    assert digits(notebook.runs) == "1234 5678 12 34 56 78 345678 125678 1278 1 2 7 8 278 178 18 17"


def test_subsets_stay_the_same_after_reducing_to_a_complement() -> None:
    """They are n - 1 of the same chunks, not cut anew: 234, 56 and 789 here, and later their halves."""
    test = Calls[int](lambda kept: {2, 5, 9} <= set(kept))
    assert wynot.ddmin(range(10), test) == [2, 5, 9]
    assert test.table.startswith("01234 56789 01 234 56 789 23456789 234789 23456 2 34 5 6 7 89 ")


def has_select(kept: list[str]) -> bool:
    """Whether Mozilla crashes when it prints this."""
    return re.search("<SELECT[^>]*>", "".join(kept)) is not None


def test_figure_2() -> None:
    """Minimised by characters, only the tag is left.

    The paper shows 26 steps; figure 5 taken literally needs 73 different tests.
    """
    test = Calls(has_select)
    assert "".join(wynot.ddmin(SELECT, test)) == "<SELECT>"
    assert len(test) <= 73
    test = Calls(has_select)
    assert "".join(wynot.sweep(SELECT, test)) == "<SELECT>"
    assert len(test) <= 26


def test_figure_3() -> None:
    """Isolated, one character decides (the paper: `<`, 7 tests)."""
    test = Calls(has_select)
    found = wynot.dd(SELECT, test)
    assert len(test) <= 7
    assert len(found.difference) == 1
    assert found.difference[0] in "<SELECT>"
    assert has_select(found.failing)
    assert not has_select(found.passing)


TABLE_1 = """
    -ffloat-store -fno-default-inline -fno-defer-pop -fforce-mem -fforce-addr -fomit-frame-pointer -fno-inline
    -finline-functions -fkeep-inline-functions -fkeep-static-consts -fno-function-cse -ffast-math -fstrength-reduce
    -fthread-jumps -fcse-follow-jumps -fcse-skip-blocks -frerun-cse-after-loop -frerun-loop-opt -fgcse
    -fexpensive-optimizations -fschedule-insns -fschedule-insns2 -ffunction-sections -fdata-sections -fcaller-saves
    -funroll-loops -funroll-all-loops -fmove-all-movables -freduce-all-givs -fno-peephole -fstrict-aliasing
"""
OPTIONS = TABLE_1.split()
PREVENTING = {"-ffast-math", "-fforce-addr"}


def prevented(given: list[str]) -> bool:
    """Whether these options keep GCC from crashing: here that is the "failure" to explain."""
    return not PREVENTING.isdisjoint(given)


def crashes_without(removed: list[str]) -> bool:
    """The same seen as removals: GCC crashes once no preventing option is left."""
    return set(removed) >= PREVENTING


def test_smallest_set_of_options_that_prevents_the_crash() -> None:
    """One of the two, in at most 2 log2 31 runs (the paper: 7); searched again without it, the other one."""
    assert len(OPTIONS) == 31
    rest, found = list(OPTIONS), set[str]()
    for _ in range(2):
        test = Calls(prevented)
        [option] = wynot.ddmin(rest, test)
        assert len(test) <= 9
        found.add(option)
        rest.remove(option)
    assert found == PREVENTING
    assert len(rest) == 29
    assert not prevented(rest)


def test_causes_searches_again_by_itself() -> None:
    """Both options in turn; then the last 29 are tested once, the crash stays, and that ends it."""
    test = Calls(prevented)
    assert wynot.causes(OPTIONS, test) == [["-fforce-addr"], ["-ffast-math"]]
    assert len(test) <= 9 + 9 + 2
    assert len(test.lists[-1]) == 29
    assert not prevented(test.lists[-1])


def test_reduce_says_that_there_is_no_third_option() -> None:
    """The same on a file of options: two causes, and `more` says that the rest prevents nothing."""
    data = "\n".join(OPTIONS).encode()
    result = wynot.reduce(
        data,
        lambda given: prevented(given.decode().split("\n")),
        wynot.Options(atoms="lines", causes=5),
    )
    assert {cause.decode().strip() for cause in result.causes} == PREVENTING
    assert result.more is False


def test_options_as_removals() -> None:
    """Isolation names one of the two options, minimisation both."""
    assert set(wynot.dd(OPTIONS, crashes_without).difference) < PREVENTING
    assert set(wynot.ddmin(OPTIONS, crashes_without)) == PREVENTING


CRASH = ["press Alt+P", "press button 1 on Print", "release button 1"]


def recording() -> list[str]:
    """95 user actions: to the page, the print dialog with its margins, print, and all of it once more."""
    typing = [f"{what} {key}" for key in "bugzilla.mozilla.org" for what in ("press", "release")]
    margins = [f"{what} {key}" for key in ".50.50" for what in ("press", "release")]
    moves = [f"move to {place}" for place in range(95 - len(typing) - 2 * len(margins) - 2 * 4 - 3)]
    once = ["press Alt+P", "release Alt+P", *margins, "press button 1 on Print", "release button 1"]
    again = list(once)
    return [
        *typing,
        "press button 1 on Search",
        "release button 1",
        *moves[:12],
        *once,
        "press Return",
        *moves[12:],
        *again,
    ]


def crashes_mozilla(actions: list[str]) -> bool:
    """Whether the three actions occur, in this order."""
    left = iter(actions)
    return all(action in left for action in CRASH)


def test_user_actions() -> None:
    """Of 95 actions three remain (the paper: 82 runs)."""
    actions = recording()
    assert len(actions) == 95
    test = Calls(crashes_mozilla)
    assert wynot.ddmin(actions, test) == CRASH
    assert len(test) <= 82


def page() -> bytes:
    """896 lines of HTML, the lists to select from among them."""
    rows = [f"<TR><TD>{row}</TD><TD>bug number {row * 7919 % 24735} is still open</TD></TR>" for row in range(893)]
    for at, name in ((310, "op_sys"), (420, "priority"), (530, "bug_severity")):
        rows.insert(at, f'<SELECT NAME="{name}" MULTIPLE SIZE=7>')
    return "".join(f"{row}\n" for row in rows).encode()


def crashes_when_printed(data: bytes) -> bool:
    return re.search(rb"<SELECT[^>]*>", data) is not None


def test_lines_of_html() -> None:
    """896 lines to the one (the paper: 57 runs)."""
    data = page()
    assert data.count(b"\n") == 896
    result = wynot.reduce(data, crashes_when_printed, wynot.Options(atoms="lines", algorithm="ddmin"))
    assert re.fullmatch(rb'<SELECT NAME="\w+" MULTIPLE SIZE=7>\n', result.data)
    assert result.cost.counts.tests <= 57


@pytest.mark.parametrize(("algorithm", "most"), [("sweep", 57 + 48), ("ddmin", 57 + 48)])
def test_lines_then_characters(algorithm: str, most: int) -> None:
    """Lines first, then finer: only the tag is left, for about what the paper's two runs cost."""
    result = wynot.reduce(page(), crashes_when_printed, wynot.Options(algorithm=algorithm))
    assert result.data == b"<SELECT>"
    assert result.minimal
    assert result.cost.counts.tests <= most


def test_fuzz_with_many_guilty_characters() -> None:
    """A million printable characters, any `f` is guilty (the paper: 24 runs).

    While there are thousands of characters the first half always holds an `f`, one run each; among the last hundred or
    so it is a matter of luck which half does, so the number of runs varies by a few from input to input.
    """
    runs = []
    others = bytes(code for code in range(256) if not 32 <= code < 127)
    for seed in range(15):
        data = Random(seed).randbytes(3 * 10**6).translate(None, others)[: 10**6]
        assert len(data) == 10**6
        sizes: list[int] = []
        found = wynot.ddmin(data, partial(_noted, sizes, lambda kept: ord("f") in kept))
        assert bytes(found) == b"f"
        assert len(sizes) >= doublings(10**6)
        runs.append(len(sizes))
    assert max(runs) <= 30
    assert median(runs) <= 24


def _noted(sizes: list[int], test: Callable[[list[int]], bool], kept: list[int]) -> bool:
    """Keep the size of a large list, not the list."""
    sizes.append(len(kept))
    return test(kept)


@pytest.mark.parametrize("guilty", [0, 10**6 - 1, 3, 5**8, 700_001])
def test_fuzz_with_one_guilty_character(guilty: int) -> None:
    """At most 2 log2 of a million, rounded, by ddmin, and half of that by dd; and one for a whole that is not cut."""

    def fails(kept: list[int]) -> bool:
        at = bisect_left(kept, guilty)
        return kept[at : at + 1] == [guilty]

    sizes: list[int] = []
    assert wynot.ddmin(range(10**6), partial(_noted, sizes, fails)) == [guilty]
    assert len(sizes) <= 40
    sizes = []
    assert wynot.dd(range(10**6), partial(_noted, sizes, fails)).difference == [guilty]
    assert len(sizes) <= 20 + 1


def overrun(kept: list[int]) -> bool:
    """FLEX crashes on 2121 characters or more."""
    return len(kept) >= 2121


def test_buffer_overrun_isolated() -> None:
    """One of 10^5 characters is one too many (the paper: 23 to 51 runs)."""
    test = Calls(overrun)
    found = wynot.dd(range(10**5), test)
    assert len(test) <= 17
    assert (len(found.passing), len(found.failing)) == (2120, 2121)


def test_buffer_overrun_minimised() -> None:
    """1-minimality alone needs 2121 runs; the sweep needs hardly more (the paper: 10,619 at least by ddmin)."""
    sizes: list[int] = []
    assert len(wynot.sweep(range(10**5), partial(_noted, sizes, overrun))) == 2121
    assert len(sizes) <= 2121 + 100


def test_precision() -> None:
    """Another crash is unresolved, not failing: the search keeps to the failure it began with (section IV-D)."""

    def test(kept: list[int], *, precise: bool) -> Outcome:
        if {2, 11, 12} <= set(kept):
            return FAIL
        return (UNRESOLVED if precise else FAIL) if 5 in kept else PASS

    assert wynot.ddmin(range(16), partial(test, precise=False)) == [5]
    assert wynot.ddmin(range(16), partial(test, precise=True)) == [2, 11, 12]
