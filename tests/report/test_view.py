"""The live view as rows: whatever stands in them, they fit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.core.run_events import Event, Improved, InputPair, PassStarted, TrialAnswered, Visible, Working
from wynot.report.live.best_preview import BestPreview
from wynot.report.live.live_view import LiveView, ViewState, graph
from wynot.report.live.progress import MOST, ProgressState, RunInfo, SizePoint

SIGHTS = st.one_of(
    st.binary(max_size=3000),
    st.text(max_size=2000).map(str.encode),
    st.builds(InputPair, st.binary(max_size=400), st.binary(max_size=400)),
    st.lists(st.text(max_size=120), max_size=40).map(tuple),
)
EVENTS = st.lists(
    st.one_of(
        st.builds(TrialAnswered, st.sampled_from([PASS, FAIL, UNRESOLVED]), st.integers(0, 999), st.booleans()),
        st.builds(lambda size, sight: Improved(size, lambda: sight), st.integers(0, 10**9), SIGHTS),
        st.builds(PassStarted, st.text(max_size=90), st.integers(0, 10**8), st.booleans()),
    ),
    max_size=12,
)
WORKING = st.builds(Working, st.integers(0, 99), st.integers(1, 99), st.integers(0, 10**6), st.integers(0, 10**6))
ABOUTS = st.builds(
    RunInfo,
    st.text(max_size=90),
    name=st.sampled_from(["bug.c", "data.json", "x", "a.py"]),
    language=st.sampled_from([None, "none", "sexpr", "nothing known"]),
    budget_tests=st.none() | st.integers(1, 10**6),
    budget_time=st.none() | st.floats(0.1, 10**6),
    halving=st.booleans(),
)
LOOKS = st.builds(
    ViewState, st.integers(5, 220), st.integers(3, 60), st.floats(0, 10**5), st.booleans(), st.booleans(), st.booleans()
)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**9), EVENTS, WORKING, ABOUTS, LOOKS)
def test_everything_fits_and_nothing_is_obeyed(
    size: int, events: list[Event], working: Working, about: RunInfo, look: ViewState
) -> None:
    standing = ProgressState(size)
    standing.work(working)
    for number, event in enumerate(events):
        standing.take(event, float(number))
    rows = LiveView(about).rows(standing, look)
    assert 1 <= len(rows) < look.height
    for row in rows:
        assert cell_len(row.plain) < look.width
        assert not any(ord(each) < 32 or 127 <= ord(each) < 160 for each in row.plain)
        assert not look.plain or row.plain.isascii()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.floats(0, 100), st.integers(0, 10**9)), min_size=1), st.integers(1, 90), st.integers(1, 5),
    st.booleans(),
)  # fmt: skip
def test_a_graph_has_its_size(points: list[tuple[float, int]], width: int, height: int, plain: bool) -> None:
    rows = graph([SizePoint(*each) for each in sorted(points)], 100, width, height, plain=plain)
    assert [len(row) for row in rows] == [width] * height
    assert " " not in rows[-1]


def test_the_curve_does_not_grow_for_ever() -> None:
    standing = ProgressState(100_000)
    for number in range(20_000):
        standing.take(Improved(100_000 - number), number / 100)
    assert len(standing.points) <= MOST
    assert standing.points[0] == SizePoint(0.0, 100_000)
    assert standing.points[-1].size == 100_000 - 19_999


def test_counts_go_on_from_one_search_to_the_next() -> None:
    standing = ProgressState(10)
    for tests in (1, 5, 4, 5, 0, 3):  # a look at the input takes its test back: 5, 4
        standing.work(Working(1, 2, tests, tests))
    assert (standing.run, standing.predicted) == (8, 8)


def test_a_large_file_is_looked_at_once_and_only_in_part() -> None:
    asked = 0

    def best() -> Visible:
        nonlocal asked
        asked += 1
        return b"int x; /* \x1b[2J */\n" * 500_000

    preview = BestPreview("bug.c", None)
    for _ in range(50):
        rows = preview.rows(best, 80, 10)
    assert asked == 1
    assert len(rows) == 10
    assert rows[0].plain == r"int x; /* \x1b[2J */"
    assert rows[0].spans, "it has colours"


def test_bytes_are_dumped() -> None:
    rows = BestPreview("a.out", None).rows(lambda: b"\x7fELF\x00" + bytes(range(256)), 80, 5)
    assert rows[0].plain.startswith("000000  7f 45 4c 46 00 00 01")
    assert "·ELF" in rows[0].plain


def test_folders_show_their_largest_files() -> None:
    folder = Folder.of({f"f{number}": b"x" * number for number in range(9)})
    rows = BestPreview("", None).rows(lambda: folder, 80, 4)
    assert [row.plain for row in rows] == ["8 f8", "7 f7", "6 f6", "… 6 more files"]


@pytest.mark.parametrize("far", [0, 10_000_000])
def test_a_pair_shows_what_is_between(far: int) -> None:
    same = b"a line\n" * (far // 7)
    rows = BestPreview("", None).rows(
        lambda: InputPair(same + b"x = 1\nend\n" + same, same + b"x = 2\nend\n" + same), 80, 12
    )
    shown = [row.plain for row in rows]
    assert "- x = 1" in shown
    assert "+ x = 2" in shown
