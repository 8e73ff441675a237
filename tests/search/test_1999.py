"""The examples of Zeller 1999, with what they cost."""

from __future__ import annotations

from functools import partial

import wynot
from tests.search.recording import Calls
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome

EIGHT = range(1, 9)


def test_table_1() -> None:
    """Change 7 alone fails."""
    test = Calls[int](lambda kept: 7 in kept)
    assert wynot.dd1999(EIGHT, test) == [7]
    assert test.table == "1234 5678 56 78 7"


def test_table_2() -> None:
    """3 and 6 fail together. The table shows 7 runs; algorithm 11 as written needs one more, of the last pair."""
    test = Calls[int](lambda kept: {3, 6} <= set(kept))
    assert wynot.dd1999(EIGHT, test) == [3, 6]
    assert test.table == "1234 5678 125678 345678 35678 123456 12345 12346"


def test_table_3() -> None:
    """All eight are needed: 2|c| - 2 runs, and one to see that all eight fail at all."""
    test = Calls[int](lambda kept: len(kept) == 8)
    assert wynot.dd1999(EIGHT, test) == list(EIGHT)
    halves = "1234 5678 125678 345678 1345678 2345678 1235678 1245678"
    assert test.table == f"{halves} 123456 123478 1234578 1234678 1234567 1234568 12345678"
    assert len(test) == 14 + 1


def test_table_4() -> None:
    """A half is unresolved, the other passes: the first is preferred, and the other remains applied."""

    def outcome(kept: list[int]) -> Outcome:
        if kept == [1, 2, 3, 4]:
            return UNRESOLVED
        return FAIL if 3 in kept else PASS

    test = Calls(outcome)
    assert wynot.ddplus(EIGHT, test) == [3]
    assert test.table.startswith("1234 5678 125678 ")


def table_5(kept: list[int]) -> Outcome:
    """Change 8 fails; 2, 3 and 7 imply each other."""
    if not implied(kept):
        return UNRESOLVED
    return FAIL if 8 in kept else PASS


def implied(kept: list[int]) -> bool:
    """Whether of 2, 3, 7 there are all or none."""
    return len({2, 3, 7} & set(kept)) in {0, 3}


def test_tables_5_and_6() -> None:
    test = Calls(table_5)
    assert wynot.ddplus(EIGHT, test) == [8]
    table = "1234 5678 12 34 56 78 345678 125678 123478 123456 156 256 356 456 567 568"
    assert test.table == table
    assert len(test) == 16


def test_tables_5_and_6_predicted() -> None:
    """Section 6: if the implications were known, only 5 of the 16 tests would be carried out."""
    test = Calls(table_5)
    assert wynot.ddplus(EIGHT, test, consistent=implied) == [8]
    assert test.table == "56 123478 156 456 568"


def test_guilty_change_that_cannot_be_applied_alone() -> None:
    """Below table 6: were the guilty change 2, 3 or 7, excluding all others would find it."""

    def outcome(kept: list[int]) -> Outcome:
        if not implied(kept):
            return UNRESOLVED
        return FAIL if 3 in kept else PASS

    assert wynot.ddplus(EIGHT, outcome) == [2, 3, 7]


def earliest(kept: list[int]) -> bool:
    """Whether with each change all earlier ones are there."""
    return kept == list(range(1, len(kept) + 1))


def test_table_7() -> None:
    """Each change implies all earlier ones: three runs, the other two outcomes are predicted."""
    test = Calls[int](lambda kept: 7 in kept)
    assert wynot.ddplus(EIGHT, test, consistent=earliest) == [7]
    assert test.table == "1234 123456 1234567"


def test_order_makes_it_a_binary_search() -> None:
    """344 changes in a total order, as DDD's: at most ceil(log2 344) runs, wherever the guilty one is."""

    def fails(guilty: int, kept: list[int]) -> bool:
        return bool(kept) and kept[-1] >= guilty

    for guilty in range(1, 345):
        test = Calls[int](partial(fails, guilty))
        assert wynot.ddplus(range(1, 345), test, consistent=earliest) == [guilty]
        assert len(test) <= 9
