"""A folder as a value: order, equality, sizes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wynot.core.artifact import Artifact, digest, simplicity, size
from wynot.core.folder import Entry, EntryKind, Folder, parents

NAMES = st.text("ab-/. é\udcff", min_size=1, max_size=6)


def clean(path: str) -> str:
    return "/".join(part for part in path.split("/") if part not in {"", ".", ".."})


@st.composite
def folders(draw: st.DrawFn) -> Folder:
    """Folders in which no file has anything below it."""
    files = draw(st.dictionaries(NAMES.map(clean).filter(bool), st.binary(max_size=3), max_size=8))
    inner = {above for path in files for above in parents(path)}
    return Folder.of({path: data for path, data in files.items() if path not in inner})


@given(folders())
def test_what_is_in_a_folder_stands_right_behind_it(folder: Folder) -> None:
    paths = list(folder.entries)
    assert paths == sorted(paths, key=lambda path: path.split("/"))
    for path in paths:
        assert all(folder.entries[above].kind is EntryKind.FOLDER for above in parents(path))
        below = [each.startswith(f"{path}/") for each in paths[paths.index(path) + 1 :]]
        assert below == sorted(below, reverse=True), "one stretch"


@given(folders(), folders())
def test_the_digest_tells_folders_apart(one: Folder, other: Folder) -> None:
    same = dict(one.entries) == dict(other.entries)
    assert (one == other) == (digest(one) == digest(other)) == same


@given(folders())
def test_changes_give_what_building_anew_gives(folder: Folder) -> None:
    for path in folder.files:
        changed = folder.replaced(path, b"other")
        assert changed == Folder.of({**folder.entries, path: Entry(EntryKind.FILE, b"other")})
        assert folder.emptied([path]).files[path] == b""
        left = folder.without(path)
        assert left == Folder(dict(left.entries))
        assert set(folder.entries) - set(left.entries) == {path}


def test_name_mode_kind_and_content_all_count() -> None:
    entries = [
        Folder.of({"a": Entry(EntryKind.FILE, b"x", 0o644)}),
        Folder.of({"a": Entry(EntryKind.FILE, b"x", 0o755)}),
        Folder.of({"a": Entry(EntryKind.LINK, b"x", 0o644)}),
        Folder.of({"b": Entry(EntryKind.FILE, b"x", 0o644)}),
        Folder.of({"a": Entry(EntryKind.FILE, b"y", 0o644)}),
        Folder.of({"a": Entry(EntryKind.FOLDER, b"", 0o644)}),
        Folder.of({}),
    ]
    assert len({digest(folder) for folder in entries}) == len(set(entries)) == len(entries)


def test_links_and_folders_have_no_size() -> None:
    folder = Folder.of({"a/b": b"12", "link": Entry(EntryKind.LINK, b"a/b"), "empty": Entry(EntryKind.FOLDER)})
    assert (size(folder), folder.count) == (2, 2)
    assert folder.files == {"a/b": b"12"}


def test_fewer_bytes_are_simpler_then_fewer_entries() -> None:
    folders = [Folder.of({"a": b"1"}), Folder.of({"a": b""}), Folder.of({}), Folder.of({"a/b": b""})]
    assert [list(folder.entries) for folder in sorted(folders, key=simplicity)] == [[], ["a"], ["a", "a/b"], ["a"]]


def test_an_artifact_has_the_files_in_it() -> None:
    folder = Artifact("project", Folder.of({"src/main.c": b""}))
    assert folder.has("main.c")
    assert not folder.has("project")
    assert not folder.has("other.c")
    assert Artifact("main.c", b"").has("main.c")
