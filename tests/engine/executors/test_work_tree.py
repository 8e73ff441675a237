"""Trees that last: each test finds the tree it was given, and as little as possible is written for that."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wynot.commands.changes.coverage_filter import notes_reading
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.engine.executors.work_tree import BYTECODE, WorkTree
from wynot.engine.files.folder_io import read_folder

BASE = Folder.of(
    {"a.txt": b"one", "src/b.c": b"two", "src/deep/c.c": b"three", "run.sh": Entry(EntryKind.FILE, b"x", 0o755)}
)


@pytest.fixture
def at(tmp_path: Path) -> Path:
    return tmp_path / "place" / "tree"


@pytest.fixture
def tree(at: Path) -> WorkTree:
    at.parent.mkdir()
    return WorkTree(str(at))


def times(at: Path) -> dict[str, int]:
    return {str(path.relative_to(at)): path.lstat().st_mtime_ns for path in at.rglob("*") if not path.is_dir()}


NAMES = st.sampled_from(["a", "b", "d/a", "d/b", "d/e/a", "f", "f/g", "d"])
ENTRIES = st.one_of(
    st.binary(max_size=3),
    st.builds(Entry, st.just(EntryKind.FILE), st.binary(max_size=2), st.sampled_from([0o644, 0o755, 0o600])),
    st.builds(Entry, st.just(EntryKind.LINK), st.sampled_from([b"a", b"d", b"nowhere", b"/dev/null"]), st.just(0o777)),
    st.builds(Entry, st.just(EntryKind.FOLDER), st.just(b""), st.sampled_from([0o755, 0o700])),
)


@st.composite
def folders(draw: st.DrawFn) -> Folder:
    """Folders in which nothing lies below a file or a link."""
    chosen = draw(st.dictionaries(NAMES, ENTRIES, max_size=6))
    fine: dict[str, Entry | bytes] = {}
    for path in sorted(chosen):
        above = [path[:at] for at, sign in enumerate(path) if sign == "/"]
        if all(
            isinstance(e := fine.get(each, Entry(EntryKind.FOLDER)), Entry) and e.kind is EntryKind.FOLDER
            for each in above
        ):
            fine[path] = chosen[path]
    return Folder.of(fine)


def vandalise(at: Path, draw: st.DataObject) -> None:
    """What a test might do to its tree."""
    for path in sorted(at.rglob("*"), reverse=True):
        deed = draw.draw(st.sampled_from(["", "", "", "write", "remove", "mode", "link", "beside"]))
        if deed == "write" and path.is_file() and not path.is_symlink():
            path.write_bytes(b"spoilt")
        elif deed == "remove":
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        elif deed == "mode" and not path.is_symlink():
            path.chmod(0o711)
        elif deed == "link" and not path.is_dir():
            path.unlink()
            path.symlink_to(at.parent / "outside")
        elif deed == "beside":
            path.with_name(f"{path.name}.new").write_bytes(b"litter")


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(folders(), min_size=1, max_size=4), data=st.data())
def test_a_tree_is_what_it_was_told_to_become(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Folder], data: st.DataObject
) -> None:
    """Whatever it was before, and whatever tests have done to it in between; and nothing else is ever written to."""
    place = tmp_path_factory.mktemp("place")
    at, outside = place / "tree", place / "outside"
    outside.write_bytes(b"precious")
    tree = WorkTree(str(at))
    for folder in steps:
        tree.become(folder)
        assert read_folder(at) == folder
        vandalise(at, data)
    assert outside.read_bytes() == b"precious"


def test_only_what_differs_is_written(tree: WorkTree, at: Path) -> None:
    tree.become(BASE)
    before, written = times(at), tree.written
    tree.become(BASE.replaced("src/b.c", b"TWO"))
    after = times(at)
    assert tree.written == written + 1
    assert {path for path in after if after[path] != before[path]} == {"src/b.c"}
    tree.become(BASE.replaced("src/b.c", b"TWO"))
    assert tree.written == written + 1
    assert times(at) == after


def test_what_is_written_is_newer_than_all_that_was_made_before(tree: WorkTree, at: Path) -> None:
    """Also if it is made at the very moment, and even if it says that it was made in the future."""
    for number in range(20):
        tree.become(BASE.replaced("a.txt", b"%d" % number))
        made = at / f"made{number}"
        made.write_bytes(b"")
        tree.keep()
        tree.become(BASE.replaced("a.txt", b"x%d" % number))
        assert (at / "a.txt").lstat().st_mtime_ns > made.lstat().st_mtime_ns
    future = (at / "a.txt").lstat().st_mtime_ns + 10**12
    os.utime(made, ns=(future, future))
    tree.keep()
    tree.become(BASE)
    assert (at / "a.txt").lstat().st_mtime_ns > future


def test_what_is_made_after_is_not_older(tree: WorkTree, at: Path) -> None:
    for number in range(20):
        tree.become(BASE.replaced("a.txt", b"%d" % number))
        (at / "made").write_bytes(b"")
        assert (at / "made").lstat().st_mtime_ns >= (at / "a.txt").lstat().st_mtime_ns


def test_all_that_is_written_at_once_has_one_time(tree: WorkTree, at: Path) -> None:
    """Otherwise `make` would find a configure older than its configure.ac, by some microseconds."""
    tree.become(BASE)
    assert len(set(times(at).values())) == 1


def test_what_builds_make_stays_and_what_tests_leave_does_not(tree: WorkTree, at: Path) -> None:
    tree.become(BASE)
    (at / "src/b.o").write_bytes(b"object")
    (at / "build/x").mkdir(parents=True)
    (at / "build/x/all.a").write_bytes(b"archive")
    tree.keep()
    before = times(at)
    (at / "src/deep/litter").write_bytes(b"")
    (at / "build/x/litter").write_bytes(b"")
    (at / "left").mkdir()
    (at / "left/more").write_bytes(b"")
    tree.become(BASE)
    assert times(at) == before
    assert not (at / "left").exists()


def test_what_a_test_changes_of_a_build_is_made_anew(tree: WorkTree, at: Path) -> None:
    """It is removed: then the next build has to make it."""
    tree.become(BASE)
    for name in ("kept", "changed"):
        (at / name).write_bytes(b"made")
    tree.keep()
    (at / "changed").write_bytes(b"MADE")
    tree.become(BASE)
    assert (at / "kept").exists()
    assert not (at / "changed").exists()


def test_a_build_that_was_killed_leaves_nothing(tree: WorkTree, at: Path) -> None:
    """Nobody has said that what it made may be kept: half of a file looks as new as a whole one."""
    tree.become(BASE)
    for name in ("a.o", "b.o"):
        (at / name).write_bytes(b"whole")
    tree.keep()
    tree.become(BASE)
    (at / "a.o").write_bytes(b"hal")  # alone, it does not even change the folder's time
    tree.become(BASE)
    assert not (at / "a.o").exists()
    (at / "b.o").write_bytes(b"hal")
    (at / "c.o").write_bytes(b"hal")
    tree.become(BASE.replaced("a.txt", b""))
    assert sorted(p.name for p in at.iterdir()) == ["a.txt", "run.sh", "src"]


@pytest.mark.parametrize("deed", ["write", "same size", "remove", "mode", "link", "folder", "hard link", "rename"])
def test_what_a_test_does_to_a_file_is_put_right(tree: WorkTree, at: Path, deed: str) -> None:
    tree.become(BASE)
    victim, elsewhere = at / "src/b.c", at.parent / "elsewhere"
    elsewhere.write_bytes(b"precious")
    if deed == "write":
        victim.write_bytes(b"something else")
    elif deed == "same size":
        with victim.open("r+b") as file:  # within the same tick of the file system's clock, most likely
            file.write(b"TWO")
    elif deed == "hard link":
        os.link(victim, at.parent / "second")
        (at.parent / "second").write_bytes(b"TWO")
    elif deed == "rename":
        victim.rename(at / "src/moved.c")
    elif deed == "mode":
        victim.chmod(0o600)
    else:
        victim.unlink()
    if deed == "link":
        victim.symlink_to(elsewhere)
    if deed == "folder":
        (victim / "below").mkdir(parents=True)
    tree.become(BASE)
    assert read_folder(at) == BASE
    assert elsewhere.read_bytes() == b"precious"


def test_a_folder_that_became_a_link_is_not_followed(tree: WorkTree, at: Path) -> None:
    """Neither for looking nor for writing."""
    tree.become(BASE)
    moved = at.parent / "moved"
    (at / "src").rename(moved)
    (at / "src").symlink_to(moved)
    tree.become(BASE.replaced("src/b.c", b"new"))
    assert (moved / "b.c").read_bytes() == b"two"
    assert stat.S_ISDIR((at / "src").lstat().st_mode)


@pytest.mark.parametrize("other", ["link", "pipe", "file"])
def test_something_else_in_place_of_the_tree_is_removed(other: str, tree: WorkTree, at: Path) -> None:
    """A link is not followed."""
    tree.become(BASE)
    moved = at.parent / "moved"
    at.rename(moved)
    if other == "link":
        at.symlink_to(moved)
    elif other == "pipe":
        os.mkfifo(at)
    else:
        at.write_bytes(b"file")
    changed = BASE.replaced("src/b.c", b"new")
    tree.become(changed)
    assert read_folder(at) == changed
    assert not at.is_symlink()
    assert read_folder(moved) == BASE


def test_bytecode_stays_but_that_of_rewritten_sources(tree: WorkTree, at: Path) -> None:
    """Python takes bytecode for fresh if the source has the same size and was written in the same second."""
    old = Folder.of({"p/__init__.py": b"", "p/a.py": b"x = 1", "p/b.py": b"x = 1", "p/a.b.py": b""})
    tree.become(old)
    cache = at / "p" / BYTECODE
    cache.mkdir()
    for name in ("__init__", "a", "b", "a.b"):
        (cache / f"{name}.cpython-311.pyc").write_bytes(b"")
        (cache / f"{name}.cpython-311-pytest-8.3.pyc").write_bytes(b"")
    tree.become(old.replaced("p/a.py", b"x = 2"))
    assert not list(cache.glob("a.cpython*"))
    assert {path.name.partition(".cpy")[0] for path in cache.iterdir()} == {"__init__", "b"}  # one too many is removed
    tree.become(old.without("p/b.py"))
    assert not list(cache.glob("b.cpython*"))


def test_what_is_read_shows(tree: WorkTree, at: Path) -> None:
    if not notes_reading(str(at.parent)):
        pytest.skip("the file system does not note when files are read")
    tree.become(BASE)
    (at / "a.txt").stat()
    list(at.rglob("*"))
    assert tree.reads() == frozenset()
    (at / "src/b.c").read_bytes()
    assert tree.reads() == {"src/b.c"}


def test_a_fresh_start_forgets_what_was_made(tree: WorkTree, at: Path) -> None:
    tree.become(BASE)
    (at / "made").write_bytes(b"")
    tree.keep()
    tree.forget()
    tree.become(BASE)
    assert read_folder(at) == BASE
