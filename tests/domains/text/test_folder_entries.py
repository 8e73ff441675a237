"""A folder as deltas."""

from __future__ import annotations

import pytest

from wynot.core.config import Config
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.domains.text.folder_entries import LARGEST, FolderContents, FolderEntries, largest_first, whole_only

FOLDER = Folder.of(
    {
        "a.txt": b"aa",
        "one/b.txt": b"b",
        "one/two/c.txt": b"ccc",
        "one.txt": b"",
        "link": Entry(EntryKind.LINK, b"a.txt"),
        "void": Entry(EntryKind.FOLDER),
    }
)
PATHS = ["", "a.txt", "link", "one", "one/b.txt", "one/two", "one/two/c.txt", "one.txt", "void"]


def test_all_entries_are_the_folder_and_none_is_an_empty_one() -> None:
    domain = FolderEntries(FOLDER)
    assert list(domain.paths) == PATHS
    assert domain.render(Config.full(len(domain))) == FOLDER
    assert domain.render(Config()) == Folder({})


def test_a_folder_takes_all_in_it_along() -> None:
    domain = FolderEntries(FOLDER)
    gone = domain.shape.subtree(PATHS.index("one"))
    assert [domain.paths[node] for node in gone] == ["one", "one/b.txt", "one/two", "one/two/c.txt"]
    left = domain.render(Config.full(len(domain)) - gone)
    assert list(left.entries) == ["a.txt", "link", "one.txt", "void"]


def test_shape_depths_and_weights_follow_the_paths() -> None:
    shape = FolderEntries(FOLDER).shape
    assert shape.depths == [path.count("/") + 1 if path else 0 for path in PATHS]
    assert shape.weights[PATHS.index("one")] == sum(len(data) for data in (b"b", b"ccc")) + 4


def test_protected_files_stay_with_the_folders_they_are_in() -> None:
    domain = FolderEntries(FOLDER, {"one/two/c.txt"})
    stuck = [path for node, path in enumerate(domain.paths) if not domain.cuttable(node)]
    assert stuck == ["", "one", "one/two", "one/two/c.txt"]


def test_contents_are_those_of_files_that_have_some() -> None:
    domain = FolderContents(FOLDER, {"one/b.txt"})
    assert domain.paths == ["a.txt", "one/two/c.txt"]
    assert domain.render(Config.full(2)) == FOLDER
    left = domain.render(Config.of([1]))
    assert left.files == {"a.txt": b"", "one/b.txt": b"b", "one/two/c.txt": b"ccc", "one.txt": b""}
    assert list(left.entries) == list(FOLDER.entries)


def test_the_largest_comes_first_and_empty_files_do_not_come() -> None:
    assert largest_first(FOLDER) == ["one/two/c.txt", "a.txt", "one/b.txt"]


@pytest.mark.parametrize(
    ("data", "whole"),
    [
        (b"x" * (LARGEST + 1), False),
        (b"\xff" * LARGEST, False),
        (b"\xff" * (LARGEST + 1), True),
        (b"", False),
    ],
)
def test_large_files_that_are_no_text_are_not_cut(data: bytes, whole: bool) -> None:
    assert whole_only(data) is whole
