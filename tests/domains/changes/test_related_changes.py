"""Changes that lie side by side, and those that close together what they open."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.related_changes import AdjacentRuns, together
from wynot.domains.changes.static_dependencies import shown, supposed


def hunk(path: str, at: int, removed: bytes, added: bytes) -> Change:
    counts = removed.count(b"\n"), added.count(b"\n")
    return Change(
        path, path, ChangeKind.HUNK, at + bool(counts[0]), counts[0], at + bool(counts[1]), counts[1], removed, added
    )


places = st.lists(st.tuples(st.sampled_from(["a.c", "b/c.c", "b/d.c"]), st.integers(1, 500)), min_size=1, unique=True)


@given(places, st.data())
def test_halves_hold_all_and_each_has_a_fair_part(where: list[tuple[str, int]], data: st.DataObject) -> None:
    changes = [hunk(path, at, b"", b"x\n") for path, at in sorted(where)]
    whole = Config.full(len(changes))
    counting = Config.of(data.draw(st.sets(st.sampled_from(range(len(changes))))))
    halves = AdjacentRuns(changes, counting).halves(whole)
    assert bool(halves) == (len(counting) > 1)
    if halves:
        one, other = halves
        assert one | other == whole
        assert max(one) < min(other)
        assert min(len(one & counting), len(other & counting)) * 3 + 1 >= len(counting)


def test_a_cut_goes_between_files_rather_than_between_lines() -> None:
    changes = [hunk("a.c", 1, b"", b"x\n"), hunk("a.c", 9000, b"", b"x\n"), hunk("b.c", 1, b"", b"x\n")]
    changes.append(hunk("b.c", 9, b"", b"x\n"))
    stretches = AdjacentRuns(changes, Config.full(4))
    assert stretches.parts(Config.full(4), 1) == [Config.of([0, 1]), Config.of([2, 3])]
    assert len(stretches.parts(Config.full(4), 5)) == 4


def bunches(*sides: tuple[bytes, bytes]) -> list[list[int]]:
    changes = [hunk("a.c", 10 * place, *side) for place, side in enumerate(sides)]
    return list(together(changes, sides))


def test_what_opens_goes_with_what_closes() -> None:
    assert bunches((b"", b"if (x) {\n"), (b"a", b"b"), (b"", b"}\n")) == [[0, 2]]
    assert bunches((b"", b"#if A\n"), (b"", b"{ }\n"), (b"", b"#endif\n")) == [[0, 2]]
    assert bunches((b"f(a,", b"f(g(a,"), (b"b)", b"b))")) == [[0, 1]]
    assert bunches((b"", b'puts("{");\n'), (b"", b"}\n")) == []
    assert bunches(*[(b"", b"{\n")] * 20, *[(b"", b"}\n")] * 20) == []


def test_a_change_needs_the_one_that_closes_its_block() -> None:
    old = b"a();\nb();\nc();\nd();\n"
    new = b"if (x) {\na();\nb();\nc();\nd();\n}\n"
    first, second = hunk("a.c", 0, b"", b"if (x) {\n"), Change("a.c", "a.c", ChangeKind.HUNK, 4, 0, 6, 1, b"", b"}\n")
    found = supposed([first, second], Folder.of({"a.c": old}), Folder.of({"a.c": new}))
    assert found == {0: Config.of([1]), 1: Config.of([0])}


def test_what_c_defines() -> None:
    text = b"typedef struct Decode Decode;\nstatic const u8 aTable[] = {\n  1\n};\nvoid g(Decode*, int);\n"
    assert {b"Decode", b"aTable", b"g"} <= shown("a.c", text)
    assert b"One" in shown("a.c", b"typedef struct {\n  int member;\n} One;\n")
