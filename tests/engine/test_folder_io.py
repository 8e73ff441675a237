"""Folders on disk: read, written, put in the place of others, and known again."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from tests.support.stage import Stage
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.engine.executors.sandbox import Sandbox
from wynot.engine.files import output_folder as outlets
from wynot.engine.files.folder_io import read_folder, write_folder
from wynot.engine.files.output_folder import FolderKeeper, check_place
from wynot.errors import PlaceError, UsageError

FOLDER = Folder.of(
    {
        "run.sh": Entry(EntryKind.FILE, b"#!/bin/sh\n", 0o755),
        "secret": Entry(EntryKind.FILE, b"s", 0o600),
        "open": Entry(EntryKind.FILE, b"o", 0o666),
        "fixed": Entry(EntryKind.FILE, b"f", 0o444),
        "inner/deep/file": b"\x00\xff\r\n",
        "inner/up": Entry(EntryKind.LINK, b"../run.sh", 0o777),
        "lost": Entry(EntryKind.LINK, b"/no/such/place", 0o777),
        "void": Entry(EntryKind.FOLDER, mode=0o755),
        "closed": Entry(EntryKind.FOLDER, mode=0o555),
        "closed/in": b"in",
        "new\nline": b"",
        "not utf-8 \udcff": b"1",
    }
)


@pytest.fixture(params=[0o022, 0o077, 0o000])
def umask(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_what_is_written_is_what_is_read(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        write_folder(FOLDER, str(tmp_path / "out"))
    finally:
        os.umask(before)
    assert read_folder(tmp_path / "out") == FOLDER
    assert (tmp_path / "out" / "lost").is_symlink()


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_bytes(b"not ours")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "away").symlink_to(tmp_path / "outside")
    (tmp_path / "in" / "round").symlink_to(".")
    folder = read_folder(tmp_path / "in")
    assert {path: entry.kind for path, entry in folder.entries.items()} == {
        "away": EntryKind.LINK,
        "round": EntryKind.LINK,
    }
    write_folder(folder, str(tmp_path / "copy"))
    assert (tmp_path / "copy" / "away").readlink() == tmp_path / "outside"


def test_other_bits_than_permissions_are_dropped(tmp_path: Path) -> None:
    """No copy of a program may run with the rights of its owner."""
    (tmp_path / "program").write_bytes(b"x")
    (tmp_path / "program").chmod(0o4755)
    folder = read_folder(tmp_path)
    assert folder.entries["program"].mode == 0o755


@pytest.mark.parametrize("what", ["socket", "pipe"])
def test_special_files_are_refused_by_name(tmp_path: Path, what: str) -> None:
    (tmp_path / "inner").mkdir()
    place = tmp_path / "inner" / "special"
    if what == "pipe":
        os.mkfifo(place)
    else:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(place))
    with pytest.raises(UsageError, match=f"special is a {what}") as caught:
        read_folder(tmp_path)
    assert f"rm {place}" in caught.value.hint


def test_deep_folders_need_no_recursion(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(300):
        deep /= "d"
    deep.mkdir(parents=True)
    (deep / "file").write_bytes(b"x")
    folder = read_folder(tmp_path)
    assert len(folder.entries) == 301
    write_folder(folder, str(tmp_path / "copy"))


@pytest.fixture(params=["exchange", "two steps"])
def outlet(request: pytest.FixtureRequest, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> FolderKeeper:
    """A place for results, where folders can change places in one step, and where they cannot."""
    if request.param == "two steps":
        monkeypatch.setattr(outlets, "_exchanged", lambda _one, _other: False)
    return FolderKeeper(stage.work / "out")


def test_the_last_folder_put_is_what_stands_there(outlet: FolderKeeper) -> None:
    for number in range(4):
        folder = Folder.of({f"{number}.txt": b"x", "closed": Entry(EntryKind.FOLDER, mode=0o500), "closed/a": b"1"})
        outlet.put(folder)
        assert read_folder(outlet.path) == folder
        assert [path.name for path in outlet.path.parent.iterdir()] == ["out"], "nothing is left beside it"
    assert stat.S_IMODE(outlet.path.stat().st_mode) & 0o700 == 0o700


def test_an_empty_folder_may_be_there(outlet: FolderKeeper) -> None:
    outlet.path.mkdir()
    check_place(outlet.path, None)
    outlet.put(FOLDER)
    assert read_folder(outlet.path) == FOLDER


def test_what_was_written_is_known_again_until_somebody_changes_it(outlet: FolderKeeper) -> None:
    outlet.put(FOLDER)
    outlet.put(FOLDER.without("inner"))
    check_place(outlet.path, None)
    assert FolderKeeper(outlet.path).own()
    (outlet.path / "secret").write_bytes(b"mine")
    with pytest.raises(UsageError, match="not as wynot wrote it") as caught:
        check_place(outlet.path, None)
    assert f"rm -r {outlet.path}" in caught.value.hint


def test_a_folder_of_somebody_else_is_refused(stage: Stage) -> None:
    stage.file("mine", "x")
    with pytest.raises(UsageError, match="not as wynot wrote it"):
        check_place(stage.work, None)


@pytest.mark.parametrize("record", [b"", b"{", b"[]", b'{"written": 3}', b'{"written": [3]}'])
def test_a_damaged_record_makes_nothing_ours(outlet: FolderKeeper, record: bytes) -> None:
    outlet.put(FOLDER)
    outlet._record.write_bytes(record)
    assert not FolderKeeper(outlet.path).own()


def test_what_a_killed_run_left_beside_is_removed(outlet: FolderKeeper) -> None:
    outlet.put(FOLDER)
    left = outlet.path.parent / ".out.wynot-left"
    outlet._note(left.name)
    write_folder(FOLDER, str(left))
    other = outlet.path.parent / ".out.wynot-other"
    other.mkdir()
    FolderKeeper(outlet.path).clear()
    assert sorted(path.name for path in outlet.path.parent.iterdir()) == [".out.wynot-other", "out"]
    assert FolderKeeper(outlet.path).own()


def test_a_record_cannot_make_us_remove_other_things(outlet: FolderKeeper) -> None:
    outlet.put(FOLDER)
    victim = outlet.path.parent / "victim"
    victim.mkdir()
    outlet._note("victim")
    FolderKeeper(outlet.path).clear()
    outlet._note(".out.wynot-/../victim")
    FolderKeeper(outlet.path).clear()
    assert victim.is_dir()


def test_writing_that_fails_leaves_the_old_folder(outlet: FolderKeeper) -> None:
    outlet.put(FOLDER)
    impossible = Folder.of({"x" * 300: b""})
    with pytest.raises(PlaceError, match="cannot write"):
        outlet.put(impossible)
    outlet._next = 0
    outlet.offer(impossible)  # on the way, it does not matter
    assert read_folder(outlet.path) == FOLDER
    assert [path.name for path in outlet.path.parent.iterdir()] == ["out"]
    assert FolderKeeper(outlet.path).own()


def test_offers_come_seldom(outlet: FolderKeeper) -> None:
    outlet.offer(FOLDER)
    outlet.offer(FOLDER.without("inner"))
    assert read_folder(outlet.path) == FOLDER


@pytest.mark.parametrize("where", [".", "inner", "..", "new/..", "new"])
def test_the_original_is_never_touched(stage: Stage, where: str) -> None:
    original = stage.work / "original"
    (original / "inner").mkdir(parents=True)
    (original / "new").mkdir()
    with pytest.raises(UsageError, match=r"never (touched|overwritten)"):
        check_place(original / where, original)


def test_a_path_that_is_too_long_only_where_tests_run(tmp_path: Path) -> None:
    """There is room; what is too long is the path."""
    with pytest.raises(PlaceError, match="File name too long") as refused:
        Sandbox(str(tmp_path), 0).lay((("tree", Folder.of({f"{'d/' * 2045}file": b""})),))
    assert "a flatter copy" in refused.value.hint
    assert "make room" not in refused.value.hint
