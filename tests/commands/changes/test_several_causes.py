"""`wynot.commands.changes.investigation` where the failure has more than one cause (Zeller 1999, section 4)."""

from __future__ import annotations

from collections.abc import Callable

from tests.commands.changes.test_investigation import sources
from wynot.commands.changes.changes_result import ChangesQuestion, ChangesResult
from wynot.commands.changes.investigation import changes
from wynot.core.config import Config
from wynot.engine.run_options import Options
from wynot.report.changes_report import changes_text

NAMES = tuple(f"m{n}" for n in range(1, 9))


def found_with(fails: Callable[[set[str]], bool], algorithm: str | None = None, causes: int = 1) -> ChangesResult:
    """Eight files, each with one change; `fails` takes the names of those that are changed."""

    def test(files: dict[str, bytes]) -> bool:
        return fails({name for name in NAMES if files[name] == b"new\n"})

    old, new = (dict.fromkeys(NAMES, word) for word in (b"old\n", b"new\n"))
    return changes(sources(old, new), test, Options(algorithm=algorithm), ChangesQuestion(causes=causes))


def numbers(*names: str) -> Config:
    return Config.of(NAMES.index(each) for each in names)


def text(found: ChangesResult) -> str:
    return changes_text(found, ("old", "new"), colour=False)


def test_what_breaks_the_old_one_is_undone_in_the_new_one() -> None:
    """m2 breaks old, m3 undoes that, m4 breaks new: two causes."""
    found = found_with(lambda has: ("m2" in has and "m3" not in has) or "m4" in has)
    assert found.breaks is not None
    assert found.repairs is not None
    assert (found.breaks.numbers, found.repairs.numbers) == (numbers("m2"), numbers("m4"))
    assert found.undone_by == numbers("m3")
    assert found.properties.not_monotone == (numbers("m2"), numbers("m2", "m3"))
    lines = text(found).splitlines()
    header = "@@ -1,1 +1,1 @@"
    assert f"two causes: m2 {header} breaks old, but in new it is undone by m3 {header};" in lines
    assert f"new fails because of m4 {header}" in lines
    assert found.tests["undoing"] <= 6


def test_two_causes_that_have_nothing_in_common() -> None:
    found = found_with(lambda has: "m2" in has or "m7" in has)
    assert found.properties.not_monotone is None
    assert found.properties.ambiguous is not None
    one, other = found.properties.ambiguous
    assert one.isdisjoint(other)
    assert not found.undone_by
    assert "more than one cause: without m" in text(found)


def test_one_cause_is_called_nothing_else() -> None:
    found = found_with(lambda has: {"m2", "m7"} <= has)
    assert (found.properties.not_monotone, found.properties.ambiguous) == (None, None)
    assert found.properties.interfering is not None
    one, other = found.properties.interfering
    assert one.isdisjoint(other)
    assert "cause" not in text(found)
    assert "monotone" not in text(found)


def test_an_algorithm_that_assumes_monotony_is_contradicted() -> None:
    """Without a search for what to take back, the tests of the algorithm itself show it."""
    found = found_with(lambda has: ("m1" in has and "m3" not in has) or "m4" in has, algorithm="ddmax")
    all_but = [Config.full(8) - numbers(*names) for names in (("m3", "m4"), ("m4",))]
    assert found.properties.not_monotone == tuple(all_but)
    assert "not monotone: it fails with 6 changes together, and passes with m3 @@ -1,1 +1,1 @@ as well;" in text(found)


def test_causes_are_found_in_turn() -> None:
    """Three sets that have nothing in common, one of two changes; asked for four, it finds that there are no more."""

    def fails(has: set[str]) -> bool:
        return "m2" in has or {"m4", "m5"} <= has or "m8" in has

    found = found_with(fails, causes=2)
    assert found.breaks is not None
    assert len(found.causes) == 1
    assert found.more is True
    found = found_with(fails, causes=4)
    assert found.breaks is not None
    sets = [found.breaks.numbers, *(each.numbers for each in found.causes)]
    assert sorted(sets, key=list) == [numbers("m2"), numbers("m4", "m5"), numbers("m8")]
    assert found.more is False
    assert found.tests["causes"] <= 20
    assert "3 causes, found in turn; without them, the rest does not fail" in text(found)


def test_a_change_that_is_undone_and_the_one_that_breaks_the_new_one_are_two_causes() -> None:
    found = found_with(lambda has: ("m2" in has and "m3" not in has) or "m4" in has, causes=3)
    assert found.breaks is not None
    assert [found.breaks.numbers, *(each.numbers for each in found.causes)] == [numbers("m2"), numbers("m4")]
    assert found.more is False


def test_changes_that_undo_are_shown_under_the_heading_that_names_them() -> None:
    """In m2 the same line of three breaks it as above, and m3 undoes that; what is shown has the lines around it."""

    def test(files: dict[str, bytes]) -> bool:
        has = {name for name, data in files.items() if b"new" in data}
        return ("m2" in has and "m3" not in has) or "m4" in has

    old, new = (dict.fromkeys(NAMES, b"1\n2\n3\n4\n%b\n6\n" % word) for word in (b"old", b"new"))
    lines = text(changes(sources(old, new), test, Options(), ChangesQuestion())).splitlines()
    header = "@@ -2,5 +2,5 @@"
    assert f"two causes: m2 {header} breaks old, but in new it is undone by m3 {header};" in lines
    title = lines.index("1 of 8 changes undoes that in new")
    assert lines[title + 1 : title + 3] == ["m3", header]
