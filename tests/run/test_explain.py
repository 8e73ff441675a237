"""`wynot.explain`: calls that raise, their arguments made small or compared with some that work."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wynot
from wynot.errors import BudgetEnded, NoFailureError, UsageError


def mean(numbers: list[float], *, scale: float = 1.0, label: str = "") -> str:
    return f"{label}{sum(1 / number for number in numbers) * scale}"


def test_a_list_and_keyword_arguments() -> None:
    found = wynot.explain(mean, wynot.arguments([5, 3, 0, 17], scale=2.5, label="mean: "))
    assert (found.args, found.kwargs) == (([0],), {})
    assert found.raised.kind == "ZeroDivisionError"
    assert "mean([0]) raises ZeroDivisionError" in str(found)
    assert found.minimal


def test_a_string_of_a_real_parser() -> None:
    text = json.dumps({"name": "edge", "tags": ["a", "b"], "note": "x"}).replace('"x"', '"x\ty"')
    found = wynot.explain(json.loads, (text,))
    assert found.raised.kind == "json.decoder.JSONDecodeError"
    assert len(found.args[0]) <= 1  # that very place raises for whatever is no JSON at all


def test_bytes() -> None:
    found = wynot.explain(lambda data: data.decode("ascii"), (b"hello w\xf6rld",))
    assert found.args == (b"\xf6",) or len(found.args[0]) == 1


def checked(order: dict[str, Any], limit: int) -> None:
    for item in order["items"]:
        if item["count"] * item["price"] > limit:
            raise ValueError(f"too expensive: {item['name']}")


ORDER = {
    "customer": {"name": "Ada", "address": ["12 Main St", "London"]},
    "items": [
        {"name": "pen", "count": 2, "price": 3, "colour": "blue"},
        {"name": "desk", "count": 1, "price": 950, "colour": "oak", "tags": ["big", "heavy"]},
        {"name": "ink", "count": 4, "price": 7},
    ],
    "express": True,
}


def test_nested_data() -> None:
    found = wynot.explain(checked, (ORDER, 500))
    assert found.args == ({"items": [{"name": "", "count": 1, "price": 1}]}, 0)
    assert ORDER["express"] is True, "the original is never touched"


def test_the_difference_between_a_call_that_works_and_one_that_does_not() -> None:
    works = {**ORDER, "items": [ORDER["items"][0], {**ORDER["items"][1], "price": 95}], "express": False}  # type: ignore[index]
    found = wynot.explain(checked, (ORDER, 500), (works, 500))
    assert found.difference == ((95, 950),)
    assert found.passing is not None
    assert "the difference: 95 -> 950" in str(found)
    checked(*found.passing.args)
    with pytest.raises(ValueError, match="too expensive"):
        checked(*found.args)


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(0, 29), min_size=1, max_size=3), st.sampled_from([1, 3]))
def test_just_what_is_needed_is_left(guilty: set[int], jobs: int) -> None:
    def fails(items: list[int]) -> None:
        assert not guilty <= set(items)

    found = wynot.explain(fails, (list(range(30)),), options=wynot.Options(jobs=jobs))
    assert sorted(found.args[0]) == sorted(guilty)
    assert found.tests <= 40 * len(guilty) + 20


def test_another_exception_is_unresolved() -> None:
    """Cutting the list leads to an IndexError at once: that is not the failure."""

    def pick(items: list[int]) -> int:
        first = items[2]
        return 1 // first

    found = wynot.explain(pick, ([4, 5, 0, 6],))
    assert found.args == ([0, 0, 0],)


def test_the_same_exception_at_another_place_is_unresolved() -> None:
    def two(a: int, b: int) -> None:
        if a > 100:
            raise ValueError
        if b > 100:
            raise ValueError

    assert wynot.explain(two, (5, 1000)).args == (0, 101)


def test_functions_that_change_what_they_are_given() -> None:
    def drain(items: list[int]) -> None:
        while items:
            if items.pop() == 3:
                raise RuntimeError("three")

    given_items = [1, 2, 3, 4]
    assert wynot.explain(drain, (given_items,)).args == ([3],)
    assert given_items == [1, 2, 3, 4]


def test_bad_input() -> None:
    with pytest.raises(NoFailureError, match=r"mean\(\[1\]\) does not raise"):
        wynot.explain(mean, ([1],))
    with pytest.raises(UsageError, match="no difference"):
        wynot.explain(mean, ([0],), ([0, 1],))
    with pytest.raises(TypeError, match=r"write \(value,\)"):
        wynot.explain(mean, [0])
    flips = iter(range(100))

    def sometimes(_x: int) -> None:
        if next(flips) % 2 == 0:
            raise ValueError

    with pytest.raises(NoFailureError, match="twice"):
        wynot.explain(sometimes, (1,))


def test_a_budget_carries_the_best_so_far() -> None:
    with pytest.raises(BudgetEnded) as ended:
        wynot.explain(mean, (list(range(100, -1, -1)),), options=wynot.Options(budget_tests=8))
    best = ended.value.best
    assert isinstance(best, wynot.Explanation)
    assert not best.minimal
    assert len(best.args[0]) < 101


def test_the_decorator_tells_in_a_note_and_raises_all_the_same() -> None:
    decorated = wynot.explaining(mean)
    assert decorated([1]) == "1.0"
    with pytest.raises(ZeroDivisionError) as raised:
        decorated([4, 0, 2], label="x")
    assert "wynot: mean([0]) raises ZeroDivisionError" in raised.value.__notes__[0]


def halved(value: int, *, times: int = 1) -> float:
    return value / (times - 1)


@pytest.mark.parametrize("given_args", [(1, 2), (), {"other": 1}])
def test_a_call_that_does_not_fit_is_no_failure(given_args: object) -> None:
    """What Python itself raises at the call is the caller's mistake."""
    with pytest.raises(UsageError, match=r"halved\(.*\) is no call of it"):
        wynot.explain(halved, given_args)
    with pytest.raises(TypeError, match="argument") as raised:
        wynot.explaining(halved)(1, 2)  # type: ignore[call-arg]
    assert not hasattr(raised.value, "__notes__")


def test_a_built_in_function_keeps_its_arguments() -> None:
    """`len()` raises a TypeError as `len(37)` does, at the same place: it is another one."""
    assert wynot.explain(len, (37,)).args == (0,)


def test_lines_of_what_is_evaluated_are_those_of_the_argument() -> None:
    def run(text: str) -> None:
        exec(text, {})

    found = wynot.explain(run, ("x = 1\n\n\ny = 2\nz = 1 / 0\n",))
    assert found.args[0].strip() == "z=1/0"
    assert found.raised.place.startswith(__file__)
