"""`wynot.explain`: calls that raise, their arguments made small or compared with some that work."""

from __future__ import annotations

import copy
import csv
import io
import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

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
    with pytest.raises(UsageError, match=r"halved\(.*\) does not match its signature"):
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


def test_a_value_of_the_arguments_is_kept_in_the_message() -> None:
    """An empty string raises the same exception at the same place, about another value."""

    def total(rows: list[str]) -> float:
        return sum(float(row) for row in rows)

    found = wynot.explain(total, (["1", "2", "n/a", "4"],))
    assert found.failing.args == (["n/a"],)
    assert "'n/a'" in found.raised.message
    assert found.original is not None
    assert found.original.message == found.raised.message


def test_where_the_message_changes_the_original_is_shown() -> None:
    def check(text: str) -> None:
        if "bug" in text:
            raise ValueError(f"{len(text)} characters with a bug")

    found = wynot.explain(check, ("a long text with a bug in it",))
    assert found.failing.args == ("bug",)
    assert "the original call raises ValueError: 28 characters with a bug" in str(found)


class Order:
    """A plain object: no dataclass, no slots."""

    def __init__(self, items: list[int], note: str) -> None:
        self.items, self.note = items, note
        self.parent: Order | None = None


class Fixed:
    """An object that defines how it is copied."""

    def __init__(self, items: list[int]) -> None:
        self.items = items

    def __deepcopy__(self, memo: dict[int, Any]) -> Fixed:
        return Fixed(list(self.items))


def total(order: Order | Fixed) -> float:
    return sum(100 / item for item in order.items)


def test_a_plain_object_is_taken_apart_by_its_attributes() -> None:
    order = Order([5, 3, 0, 7], "a long note that does not matter")
    order.parent = Order([1, 2], "its parent")
    before = copy.deepcopy(vars(order.parent)), order.parent
    found = wynot.explain(total, (order,))
    (small,) = found.args
    assert (type(small), small.items, small.note) == (Order, [0], "")
    assert (small.parent.items, small.parent.note) == ([], "")
    assert (order.items, order.note) == ([5, 3, 0, 7], "a long note that does not matter")
    assert (vars(order.parent), order.parent) == before
    assert found.tests <= 20


def test_plain_objects_are_shown_with_their_attributes() -> None:
    """What is shown was an address in memory."""
    told = str(wynot.explain(lambda orders: total(orders[0]), ([Order([0, 5], "x"), 3],)))
    assert told.startswith("<lambda>([Order(items=[0], note='', parent=None)]) raises ")
    assert "0x" not in told


def test_the_difference_between_plain_objects() -> None:
    found = wynot.explain(total, (Order([5, 3, 0], "x"),), (Order([5, 3, 1], "y"),))
    assert found.difference == ((1, 0),)


def test_objects_that_are_no_trees_or_define_their_copies_stay_whole() -> None:
    parent, child = Order([0, 1], "a"), Order([0, 2], "b")
    parent.parent, child.parent = child, parent
    chain: Order | None = None
    for _ in range(2000):
        above, chain = chain, Order([0, 3], "c")
        chain.parent = above
    shared = Order([0, 5], "d")
    for _ in range(40):  # 2 ** 40 ways from the outermost to the innermost
        both, shared = shared, Order([0, 6], "e")
        vars(shared).update(left=both, right=both)
    items: list[Any] = [1]
    items.append(items)
    for whole in (parent, Fixed([0, 4]), chain, shared):
        found = wynot.explain(lambda order, _spare: total(order), (whole, items))
        assert found.args[0] is whole
        assert found.minimal


def _orders(number: int) -> list[dict[str, Any]]:
    return [
        {"id": n, "item": f"thing {n}", "price": n * 3.5, "note": "some words about it"}
        | ({"discount": "none"} if n == 23 else {})
        for n in range(number)
    ]


JSON_TEXT = json.dumps({"customer": {"name": "Ada", "tags": ["a", "b"]}, "orders": _orders(40)})
NONE = ' discount="none"'
XML_TEXT = (
    "<shop>\n <customer name='Ada'/>\n <orders>\n"
    + "".join(
        f'  <order id="{n}" price="{n * 3}"{NONE if n == 23 else ""}><item>thing {n}</item><note>words</note></order>\n'
        for n in range(40)
    )
    + " </orders>\n</shop>\n"
)
CSV_TEXT = "id,item,price,discount,note\n" + "".join(
    f'{n},"thing, {n}",{n * 3},{"none" if n == 23 else n % 7},some words\n' for n in range(40)
)


def in_json(text: str | bytes) -> None:
    for order in json.loads(text)["orders"]:
        if order.get("discount") == "none":
            raise ValueError("bad discount")


def in_xml(text: str | bytes) -> None:
    for order in ET.fromstring(text).iter("order"):
        if order.get("discount") == "none":
            raise ValueError("bad discount")


def in_csv(text: str | bytes) -> None:
    for order in csv.DictReader(io.StringIO(text if isinstance(text, str) else text.decode())):
        if order["discount"] == "none":
            raise ValueError("bad discount")


@pytest.mark.parametrize(
    ("parse", "text", "smallest", "most"),
    [
        (in_json, JSON_TEXT, '{"orders":[{"discount":"none"}]}', 85),  # by characters alone: 3,650 calls
        (in_xml, XML_TEXT, '<order discount="none"/>', 65),  # by lines and characters: 279, and not so small
        (in_csv, CSV_TEXT, "discount\nnone", 45),  # by lines and characters: 91, and with all columns
    ],
)
def test_a_text_is_reduced_along_its_structure(
    parse: Callable[[str | bytes], None], text: str, smallest: str, most: int
) -> None:
    found = wynot.explain(parse, (text,))
    assert found.args == (smallest,)
    assert found.minimal
    assert found.tests <= most
    several = wynot.explain(parse, (text.encode(),), options=wynot.Options(jobs=3))
    assert several.args == (smallest.encode(),)


def test_a_budget_in_a_structured_text_carries_the_best_so_far() -> None:
    for budget in range(1, 75, 6):
        with pytest.raises(BudgetEnded) as ended:
            wynot.explain(in_json, (JSON_TEXT,), options=wynot.Options(budget_tests=budget))
        best = ended.value.best
        assert isinstance(best, wynot.Explanation)
        assert not best.minimal
        with pytest.raises(ValueError, match="bad discount"):
            in_json(*best.args)
        assert best.tests == budget
        assert budget < 25 or len(best.args[0]) < len(JSON_TEXT) / 10


def test_texts_that_are_not_quite_structured() -> None:
    """Marks of protected parts, lone surrogates, an encoding that is declared: characters go, as in any text."""

    def fails(text: str) -> None:
        assert "bug" not in text

    for text in (
        '{"a": "DDBEGIN bug"}',
        '{"a": "\ud800 bug"}',
        '<?xml version="1.0" encoding="utf-16"?><a>\xe9 bug</a>',
    ):
        assert wynot.explain(fails, (text,)).args == ("bug",)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_calls_is_that_of_all_calls(jobs: int) -> None:
    calls = []

    def total(numbers: list[int]) -> float:
        calls.append(numbers)
        return sum(100 / number for number in numbers)

    found = wynot.explain(total, ([5, 3, 0, 7],), options=wynot.Options(jobs=jobs))
    assert str(found).endswith(f"({len(calls)} calls)")
