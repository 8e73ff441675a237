"""Changes between folders, one by one; what needs what; how much work it takes."""

from __future__ import annotations

import tracemalloc

import pytest

from wynot.commands.changes.patch_files import git_diff
from wynot.core.config import Config
from wynot.core.folder import Entry, Folder
from wynot.core.folder import EntryKind as What
from wynot.domains.changes.change import Change, ChangedFile, ChangeKind
from wynot.domains.changes.diff_folders import changes_between
from wynot.domains.changes.git_patch import pieces
from wynot.domains.changes.patched_folder import PatchedFolder, lines_of
from wynot.domains.changes.static_dependencies import needs


def _changes(old: Folder, new: Folder, **more: int) -> tuple[Change, ...]:
    return changes_between(old, new, git_diff(old, new), **more)


def _headers(changes: tuple[Change, ...]) -> list[tuple[str, str]]:
    return [(change.path, change.header) for change in changes]


LINK = Entry(What.LINK, b"a", 0o777)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": b"1\n2\n"}, {"a": b"1\n3\n"}, [("a", "@@ -2,1 +2,1 @@")]),
        ({"a": b"1\n2\n3\n4\n"}, {"a": b"x\n2\ny\n4\n"}, [("a", "@@ -1,3 +1,3 @@")]),
        ({"a": b"1\n2\n3\n4\n"}, {"a": b"x\n2\n3\ny\n"}, [("a", "@@ -1,1 +1,1 @@"), ("a", "@@ -4,1 +4,1 @@")]),
        ({"a": b"1"}, {"a": b"1\n"}, [("a", "@@ -1,1 +1,1 @@")]),
        ({"a": b""}, {"a": b"1\n"}, [("a", "@@ -0,0 +1,1 @@")]),
        ({}, {"a": b"1\n"}, [("a", "added file")]),
        ({"a": b""}, {}, [("a", "deleted file")]),
        ({"a": b"x\n"}, {"d/a": b"x\n"}, [("d/a", "renamed from a")]),
        ({"a": b"\0x"}, {"b": b"\0x"}, [("b", "renamed from a")]),
        ({"a": b""}, {"b": b""}, [("a", "deleted file"), ("b", "added file")]),
        ({"a": b"\0x"}, {"a": b"\0y"}, [("a", "binary file")]),
        ({"a": b"x"}, {"a": b"\0y"}, [("a", "binary file")]),
        ({"a": Entry(What.FILE, b"")}, {"a": Entry(What.FILE, b"", 0o755)}, [("a", "mode 644 -> 755")]),
        ({"a": LINK}, {"a": Entry(What.LINK, b"b", 0o777)}, [("a", "changed link")]),
        ({"a": b"x"}, {"a": LINK}, [("a", "file became link")]),
        ({}, {"a": LINK}, [("a", "added link")]),
        ({"a": b"x"}, {"a/b": b"x"}, [("a", "file became folder"), ("a/b", "added file")]),
        ({}, {"a": Entry(What.FOLDER, mode=0o755)}, [("a", "added folder")]),
        ({"a/b": b"1"}, {"a": Entry(What.FOLDER, mode=0o755)}, [("a/b", "deleted file")]),
    ],
)
def test_what_has_changed(
    old: dict[str, Entry | bytes], new: dict[str, Entry | bytes], expected: list[tuple[str, str]]
) -> None:
    before, after = Folder.of(old), Folder.of(new)
    changes = _changes(before, after)
    assert _headers(changes) == expected
    domain = PatchedFolder(before, after, changes)
    assert domain.render(Config()) == before
    assert domain.render(Config.full(len(domain))) == after


def test_a_renamed_file_that_has_changed_a_little_is_a_rename_and_hunks_that_go_without_it() -> None:
    lines = [b"line %d\n" % each for each in range(40)]
    old = Folder.of({"a": b"".join(lines)})
    lines[7] = b"other\n"
    new = Folder.of({"b": b"".join(lines)})
    changes = _changes(old, new)
    assert _headers(changes) == [("b", "renamed from a"), ("b", "@@ -8,1 +8,1 @@")]
    domain = PatchedFolder(old, new, changes)
    assert domain.render(Config.of([1])).files == {"a": new.files["b"]}
    assert domain.render(Config.of([0])).files == {"b": old.files["a"]}
    assert len(changes_between(old, new, git_diff(old, new, alike=101))) == 2


def test_how_far_apart_hunks_must_be_can_be_told() -> None:
    old, new = Folder.of({"a": b"1\n2\n3\n4\n5\n"}), Folder.of({"a": b"x\n2\ny\n4\n5\nz\n"})
    assert [len(_changes(old, new, apart=apart)) for apart in (0, 1, 2, 3)] == [3, 3, 2, 1]


def test_settings_of_the_user_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"diff.noprefix": "true", "diff.renames": "copies", "diff.context": "9", "core.quotePath": "false"}
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
    for number, (key, value) in enumerate(settings.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    old = Folder.of({"a": b"1\n2\n3\n", ".gitattributes": b"* diff=x\n"})
    new = Folder.of({"a": b"1\n2\n4\n", ".gitattributes": b"* -diff eol=crlf\n"})
    assert _headers(_changes(old, new)) == [(".gitattributes", "@@ -1,1 +1,1 @@"), ("a", "@@ -3,1 +3,1 @@")]


def test_a_file_that_becomes_a_folder_goes_before_what_is_in_it() -> None:
    old, new = Folder.of({"a": b"1", "b/c": b"2"}), Folder.of({"a/x": b"3", "b": b"4"})
    changes = _changes(old, new)
    assert _headers(changes) == [
        ("a", "file became folder"),
        ("a/x", "added file"),
        ("b", "folder became file"),
        ("b/c", "deleted file"),
    ]
    known = needs(changes)
    assert known.closed(Config.of([1])) == Config.of([0, 1])
    assert known.closed(Config.of([2])) == Config.of([2, 3])
    assert not known.consistent(Config.of([1, 3]))
    assert PatchedFolder(old, new, changes).render(Config.of([1, 2])).files == {"a/x": b"3", "b/c": b"2"}


def test_the_lines_of_a_new_file_need_the_file() -> None:
    old, new = Folder.of({}), Folder.of({"a": b"1\n2\n3"})
    (change,) = _changes(old, new)
    lines = lines_of(change)
    assert [each.header for each in lines] == ["added file", "@@ -0,0 +1,1 @@", "@@ -0,0 +2,1 @@", "@@ -0,0 +3,1 @@"]
    assert needs(lines).closed(Config.of([2])) == Config.of([0, 2])
    domain = PatchedFolder(old, new, lines)
    assert domain.render(Config.of([0, 1, 3])).files == {"a": b"1\n3"}
    assert domain.render(Config.of([2])).files == {}


def test_a_line_without_an_end_gets_one_before_another() -> None:
    old, new = Folder.of({"a": b"1\nend"}), Folder.of({"a": b"1\nend\nmore"})
    (change,) = _changes(old, new)
    lines = lines_of(change)
    assert [each.added for each in lines] == [b"end\n", b"more"]
    assert PatchedFolder(old, new, lines).render(Config.of([1])).files == {"a": b"1\nend\nmore"}
    assert PatchedFolder(old, new, lines).render(Config.of([0])).files == {"a": b"1\nend\n"}


def test_in_a_total_order_each_change_needs_all_earlier_ones() -> None:
    """Table 7 of the 1999 paper."""
    order = needs((), range(1, 9))
    assert not order.consistent(Config((4, 8)))
    assert not order.consistent(Config((0, 4, 6, 8)))
    assert all(order.consistent(Config.full(count)) for count in range(9))


def _large() -> tuple[Folder, Folder]:
    """A thousand files with ten hunks each, and as many files that are the same."""
    before, after = {}, {}
    for file in range(1000):
        lines = [b"line %d of %d\n" % (line, file) for line in range(60)]
        before[f"d{file % 20}/f{file}"] = before[f"same/{file}"] = after[f"same/{file}"] = b"".join(lines)
        for line in range(0, 60, 6):
            lines[line] = b"other %d\n" % line
        after[f"d{file % 20}/f{file}"] = b"".join(lines)
    return Folder.of(before), Folder.of(after)


def test_only_files_whose_own_changes_differ_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand changes: what a step of the search does not touch costs nothing."""
    old, new = _large()
    changes = _changes(old, new)
    assert len(changes) == 10_000
    domain = PatchedFolder(old, new, changes)
    half = domain.render(Config.full(5_000))
    calls = 0
    fate = ChangedFile.fate

    def counted(self: ChangedFile, applied: object) -> object:
        nonlocal calls
        calls += 1
        return fate(self, applied)  # type: ignore[arg-type]

    monkeypatch.setattr(ChangedFile, "fate", counted)
    tracemalloc.start()
    smaller = domain.render(Config.full(4_993))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert calls == 1
    assert peak < 4_000_000
    assert sum(entry is not half.entries[path] for path, entry in smaller.entries.items()) == 1
    assert domain.digest(smaller) != domain.digest(half)


def test_a_large_binary_file_is_never_copied() -> None:
    size = 20_000_000
    old, new = Folder.of({"big": b"\0" * size, "a": b"1\n"}), Folder.of({"big": b"\0" * size + b"x", "a": b"2\n"})
    tracemalloc.start()
    changes = _changes(old, new)
    domain = PatchedFolder(old, new, changes)
    assert domain.render(Config.full(2)) == new
    assert domain.render(Config.of([0])).entries["big"] is old.entries["big"]
    written = sum(len(piece) for piece in pieces(changes, Config.full(2), old))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [change.header for change in changes] == ["@@ -1,1 +1,1 @@", "binary file"]
    assert written < 1_000_000
    assert peak < 5_000_000
    assert changes[1].kind is ChangeKind.BINARY
