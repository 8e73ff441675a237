"""Values taken apart and put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wynot.core.config import Config
from wynot.domains.values.deconstruct import Arguments, arguments, fingerprint, parts, rebuilt
from wynot.domains.values.scalars import NestedValue, leaves, length, replaced, simpler
from wynot.domains.values.structured_text import CsvTable
from wynot.domains.values.value_diff import ValueDiff

PLAIN = st.one_of(st.integers(-99, 99), st.booleans(), st.none(), st.text("ab", max_size=4), st.binary(max_size=3))
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text("xy", max_size=2), inner, max_size=3),
        st.frozensets(st.integers(0, 5), max_size=3),
    ),
    max_leaves=12,
)


@dataclass(frozen=True)
class Point:
    x: int
    tags: list[str]


@settings(deadline=None)
@given(VALUES)
def test_with_everything_a_value_is_as_it_was(value: Any) -> None:
    domain = NestedValue(value)
    assert domain.render(Config.full(len(domain))) == value
    assert rebuilt(value, parts(value)) == value if parts(value) else True


@settings(deadline=None)
@given(VALUES, st.data())
def test_without_a_part_there_is_less(value: Any, data: st.DataObject) -> None:
    domain = NestedValue(value)
    free = [node for node in range(len(domain)) if domain.cuttable(node)]
    if free:
        gone = data.draw(st.sampled_from(free))
        left = domain.render(Config.full(len(domain)) - domain.shape.subtree(gone))
        assert type(left) is type(value)
        assert length(left) < length(value)


@settings(deadline=None)
@given(VALUES, VALUES)
@example(old={"x": [], "": []}, new={"": None})
@example(old={"a": 1, "b": 2, "c": 3}, new={"c": 3, "b": 4, "d": 1})
def test_both_ends_of_a_difference(old: Any, new: Any) -> None:
    domain = ValueDiff(old, new)
    assert fingerprint(domain.render(Config())) == fingerprint(old)
    built = domain.render(Config.full(len(domain)))
    assert fingerprint(built) == fingerprint(new)
    assert bool(len(domain)) == (fingerprint(old) != fingerprint(new))


@settings(deadline=None)
@given(VALUES)
def test_a_leaf_is_replaced_where_it_is(value: Any) -> None:
    for way, leaf in leaves(value):
        assert replaced(value, way, leaf) == value


@settings(deadline=None)
@given(st.one_of(st.integers(), st.floats(), st.booleans()))
def test_simpler_numbers_come_to_an_end(value: float) -> None:
    """Each is simpler than the one before, so that replacing again and again ends."""
    for new in simpler(value):
        assert type(new) is type(value)
        assert (abs(new), new < 0) < (abs(value), value < 0)


def test_dataclasses_keep_their_fields() -> None:
    domain = NestedValue(Point(3, ["a", "b"]))
    assert [node.free for node in domain.nodes] == [False, False, False, True, True]
    assert domain.render(Config.of([0, 1, 2, 4])) == Point(3, ["b"])


def test_a_value_that_holds_itself() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    assert len(NestedValue(loop)) == 3
    assert fingerprint(loop)


def test_positional_arguments_stay_and_keywords_may_go() -> None:
    domain = NestedValue(arguments(1, 2, x=3))
    assert [node.free for node in domain.nodes] == [False, False, False, True]
    assert domain.render(Config.of([0, 1, 2])) == Arguments((1, 2))


CELLS = st.sampled_from(["", "a", "a b", '"a,b"', '"a""b"', '"a\nb"'])


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=2, max_size=4), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_table_with_all_its_rows_columns_and_cells_is_the_text(
    rows: list[tuple[str, ...]], end: str, as_bytes: bool
) -> None:
    text = "".join(",".join(row) + end for row in rows)
    table = CsvTable.of(text.encode() if as_bytes else text)
    assert table is not None
    assert table.rows == tuple(rows)
    for count, build in table.deltas():
        assert build(Config.full(count)) == text


def test_rows_columns_and_cells_of_a_table() -> None:
    table = CsvTable.of('a,b\n"1,\n2",3\n4,\n')
    assert table is not None
    (rows, row), (columns, column), (cells, cell) = table.deltas()
    assert (rows, columns, cells) == (3, 2, 6)
    assert row(Config.of([0, 2])) == "a,b\n4,\n"
    assert column(Config.of([1])) == "b\n3\n\n"
    assert cell(Config.of([0, 2])) == 'a,\n"1,\n2",\n,\n'
    assert column(Config()) == "\n\n\n"


@pytest.mark.parametrize("text", ["", "a,b", "a\nb\n", "a,b\nc\n", 'a,b\n"c,d\n', 'a,b\n"c"d,e\n'])
def test_texts_that_are_no_tables(text: str) -> None:
    assert CsvTable.of(text) is None
