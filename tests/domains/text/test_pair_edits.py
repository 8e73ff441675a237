"""The differences of two files as deltas: with none of them the old file, with all of them the new one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domains.samples import LEVELS, files
from tests.laws.effort import few
from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.domains.text import pair_edits
from wynot.domains.text.atoms import char_ends, line_ends
from wynot.domains.text.pair_edits import Hunk, differences, edits

Rows = tuple[list[bytes], list[bytes]]
needs_git = pytest.mark.skipif(shutil.which("git") is None and os.environ.get("CI") != "true", reason="no git here")


def rows(seed: int, longest: int = 20) -> Rows:
    """A row of atoms, and the same with some taken away, added, changed and moved."""
    chance = Random(seed)
    kinds = [b"", b"a", b"b\n", b"c\r\n", b"\xff\0", b"@@ -1 +1 @@\n", b"-\n", b"+\n", b"\\ No newline\n", b" "]
    old = chance.choices(kinds, k=chance.randint(0, longest))
    new = list(old)
    for _ in range(chance.randint(0, 5)):
        at = chance.randint(0, len(new))
        what = chance.randrange(4)
        if what == 0:
            new[at : at + chance.randint(1, 3)] = []
        elif what == 1:
            new[at:at] = chance.choices(kinds, k=chance.randint(1, 3))
        elif what == 2:
            new[at : at + 1] = [chance.choice(kinds)]
        else:
            new = new[at:] + new[:at]
    return old, new


def applied(old: Sequence[bytes], new: Sequence[bytes], hunks: Sequence[Hunk]) -> list[bytes]:
    """The old row with the hunks put in, which must stand in order and not overlap."""
    row: list[bytes] = []
    at = there = 0
    for hunk in hunks:
        assert at <= hunk.old_start <= hunk.old_stop <= len(old)
        assert there <= hunk.new_start <= hunk.new_stop <= len(new)
        assert old[at : hunk.old_start] == new[there : hunk.new_start], "what is between hunks is the same"
        row += old[at : hunk.old_start]
        row += new[hunk.new_start : hunk.new_stop]
        at, there = hunk.old_stop, hunk.new_stop
    return row + list(old[at:])


def by_git(old: Sequence[bytes], new: Sequence[bytes]) -> list[Hunk]:
    found = pair_edits._by_git(old, new)
    assert found is not None
    return found


@few
@given(st.integers(0, 2**32))
def test_small_rows(seed: int) -> None:
    old, new = rows(seed)
    hunks = differences(old, new)
    assert applied(old, new, hunks) == new
    assert bool(hunks) == (old != new)


@needs_git
@pytest.mark.parametrize("engine", [by_git, differences])
def test_git_finds_the_differences_too(
    engine: Callable[[list[bytes], list[bytes]], list[Hunk]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git's own diff engine, called as such, and for rows that are taken for large."""
    monkeypatch.setattr(pair_edits, "SMALL", 0)
    for seed in range(100):
        old, new = rows(seed)
        hunks = engine(old, new)
        assert applied(old, new, hunks) == new
        assert bool(hunks) == (old != new)


@needs_git
def test_large_rows_are_given_to_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three lines changed among thousands: three hunks, though the rows are too large for difflib."""
    old = [b"line %d\n" % number for number in range(5000)]
    new = list(old)
    new[10] = b"changed\n"
    new[2500:2500] = [b"added\n"]
    del new[4000]
    monkeypatch.setattr(pair_edits, "SequenceMatcher", None)  # would raise
    hunks = differences(old, new)
    assert [(h.old_stop - h.old_start, h.new_stop - h.new_start) for h in hunks] == [(1, 1), (0, 1), (1, 0)]
    assert applied(old, new, hunks) == new


def test_without_git_all_is_one_hunk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Coarse, but right: ends that are the same are left out all the same."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(pair_edits, "SMALL", 0)
    assert differences([b"a", b"b", b"c", b"d", b"e"], [b"a", b"x", b"c", b"y", b"e"]) == [Hunk(1, 4, 1, 4)]


@needs_git
@pytest.mark.parametrize(
    ("attributes", "settings"),
    [
        ("", {"GIT_EXTERNAL_DIFF": "true"}),
        ("", {"GIT_DIFF_OPTS": "-u5"}),
        pytest.param("* -diff", {}),
        pytest.param("* diff=shown", {"GIT_CONFIG_KEY_1": "diff.shown.textconv"}),
    ],
)
def test_git_is_asked_for_its_own_diff(
    attributes: str, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever a user has told git about how to show differences."""
    file = tmp_path / "attributes"
    file.write_text(f"{attributes}\n")
    told = {"GIT_CONFIG_KEY_0": "core.attributesFile", "GIT_CONFIG_KEY_1": "diff.context", **settings}
    values = {"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_VALUE_0": str(file), "GIT_CONFIG_VALUE_1": "true"}
    if told["GIT_CONFIG_KEY_1"] == "diff.context":
        values["GIT_CONFIG_VALUE_1"] = "3"
    for name, value in {**told, **values}.items():
        monkeypatch.setenv(name, value)
    old, new = [b"a", b"b", b"c"], [b"a", b"x", b"c"]
    assert applied(old, new, by_git(old, new)) == new


@few
@given(files, st.integers(0, 2**32))
def test_no_change_is_the_old_file_and_all_are_the_new(old: bytes, seed: int) -> None:
    """Of files that have something in common, or nothing; for each kind of atom."""
    chance = Random(seed)
    at, to = sorted(chance.choices(range(len(old) + 1), k=2))
    new = old[:at] + chance.choice([b"", b"x", b"\n;\n", old[at:to] * 2, old[:5]]) + old[to:]
    for level in LEVELS:
        made = edits(old, new, level.atoms)
        assert made.render(Config()) == old
        assert made.render(Config.full(len(made))) == new
        assert all(before != after for before, after in made.changes)
        assert bool(made) == (old != new)


@few
@given(files, files)
def test_files_that_have_little_in_common(old: bytes, new: bytes) -> None:
    for level in LEVELS:
        made = edits(old, new, level.atoms)
        assert made.render(Config()) == old
        assert made.render(Config.full(len(made))) == new


@few
@given(st.integers(0, 2**32))
def test_each_change_by_itself(seed: int) -> None:
    """A candidate is the old file with just the chosen atoms exchanged."""
    chance = Random(seed)
    old = bytes(chance.choices(b"abc", k=12))
    new = bytes(chance.choices(b"abc", k=12))
    made = edits(old, new, char_ends)
    chosen = Config.of(index for index in range(len(made)) if chance.random() < 0.5)
    pieces = [made.common[0]]
    for index, (change, after) in enumerate(zip(made.changes, made.common[1:], strict=True)):
        pieces += (change[index in chosen], after)
    candidate = made.render(chosen)
    assert candidate == b"".join(pieces)
    assert made.size(candidate) == len(candidate)
    assert made.digest(candidate) == digest(candidate)


def test_atoms_of_a_hunk_stand_side_by_side() -> None:
    """Two lines for one: one change and one that is added."""
    made = edits(b"a\nb\nc\n", b"a\nx\ny\nc\n", line_ends)
    assert made.changes == [(b"b\n", b"x\n"), (b"", b"y\n")]
    assert made.render(Config.of([1])) == b"a\nb\ny\nc\n"
