"""`wynot.explain` with arguments whose own methods raise, or that cannot be made anew of their parts."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import Any

import pytest

import wynot
from wynot.errors import BudgetEnded, UsageError


class Holder:
    def __init__(self) -> None:
        self.items = [*range(20)]


class EqRaises(Holder):
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")


class ReprRaises(Holder):
    def __repr__(self) -> str:
        raise RuntimeError("repr")


class LengthRaises(Holder):
    def __len__(self) -> int:
        raise RuntimeError("len")

    __bool__ = __len__


def _raising(self: object) -> Any:
    raise RuntimeError(type(self).__name__)


class ClassRaises(Holder):
    __class__ = property(_raising)


class AttributesRaise:
    items = (3, 7)

    __dict__ = property(_raising)


HOSTILE = (EqRaises, ReprRaises, LengthRaises, ClassRaises, AttributesRaise)


class WithoutMessageError(ValueError):
    def __str__(self) -> str:
        raise RuntimeError("str")


def fails(holder: Any, spare: list[int]) -> None:
    if 7 in holder.items and 3 in spare:
        raise WithoutMessageError


@pytest.mark.parametrize("kind", HOSTILE)
def test_objects_whose_methods_raise(kind: type[Any]) -> None:
    found = wynot.explain(fails, (kind(), [1, 3, 5]))
    assert found.args[1] == [3]
    assert "raises tests.api.test_explain_hostile.WithoutMessageError at" in str(found)
    assert found.minimal
    with_passing = wynot.explain(fails, (kind(), [1, 3, 5]), (kind(), [1, 4, 5]))
    assert with_passing.difference == ((4, 3),)
    assert "raises" in str(with_passing)


def test_attributes_are_small_where_only_repr_or_eq_raises() -> None:
    for kind in (EqRaises, ReprRaises):
        assert wynot.explain(fails, (kind(), [3])).args[0].items == [7]


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_decorator_raises_what_the_function_raises(kind: type[Any]) -> None:
    with pytest.raises(WithoutMessageError) as raised:
        wynot.explaining(fails)(kind(), [3])
    (note,) = raised.value.__notes__
    assert note.startswith("wynot: fails(")


def test_the_decorator_raises_what_the_function_raises_though_nothing_can_be_explained() -> None:
    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            if name == "__qualname__":
                raise RuntimeError(name)
            return super().__getattribute__(name)

    class Nameless(Holder, metaclass=Meta):
        pass

    with pytest.raises(WithoutMessageError) as raised:
        wynot.explaining(fails)(Nameless(), [3])
    assert raised.value.__notes__ == ["wynot: no explanation: RuntimeError"]


@dataclass
class Checked:
    items: list[int]
    limit: int

    def __post_init__(self) -> None:
        if self.limit < 3 or len(self.items) < 2:
            raise ValueError("no such thing")


@dataclass
class Counted:
    items: list[int]
    total: int = field(init=False, default=0)


@dataclass
class Given:
    items: list[int]
    extra: InitVar[int]

    def __post_init__(self, extra: int) -> None:
        self.more = extra


def seven(holder: Any) -> None:
    needed = getattr(holder, "total", None), getattr(holder, "more", None)
    if 7 in holder.items and 0 not in needed:
        raise ValueError("seven")


def test_a_dataclass_that_checks_its_fields_is_tested_only_where_it_accepts_them() -> None:
    found = wynot.explain(seven, (Checked([*range(10)], 9),))
    assert found.args == (Checked([0, 7], 3),)
    assert found.minimal
    assert found.tests <= 25
    both = wynot.explain(seven, (Checked([5, 7], 4),), (Checked([5, 8], 9),))
    assert both.difference == ((8, 7),)
    in_a_list = wynot.explain(lambda many: seven(many[0]), ([Checked([5, 7], 4)],), ([Checked([5, 8, 9], 4), 1],))
    assert [type(each) for each in in_a_list.args[0]][:1] == [Checked]


def test_what_init_is_not_given_is_kept() -> None:
    counted = Counted([*range(10)])
    counted.total = 45
    (small,) = wynot.explain(seven, (counted,)).args
    assert (small.items, small.total > 0) == ([7], True)
    (small,) = wynot.explain(seven, (Given([*range(10)], 4),)).args
    assert (small.items, small.more > 0) == ([7], True)


def test_values_that_are_nested_too_deeply() -> None:
    deep: list[Any] = []
    for _ in range(3000):
        deep = [deep]
    with pytest.raises(UsageError, match="nested too deeply"):
        wynot.explain(lambda _deep, spare: fails(Holder(), spare), (deep, [3]))


def test_a_budget_counts_the_calls_of_all_searches() -> None:
    def strict(words: list[str]) -> None:
        for word in words:
            if not word.isdigit():
                raise ValueError(f"no number: {word!r}")

    words = ["1", "n/a", *map(str, range(30))]
    whole = wynot.explain(strict, (words,))
    assert whole.args == (["n/a"],)
    for budget in (0, 3, whole.tests - 1):
        with pytest.raises(BudgetEnded, match=f"the budget of {budget} tests") as ended:
            wynot.explain(strict, (words,), options=wynot.Options(budget_tests=budget))
        best = ended.value.best
        assert isinstance(best, wynot.Explanation)
        assert best.tests == budget
