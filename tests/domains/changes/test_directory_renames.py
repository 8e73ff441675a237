"""A folder that has moved is one change, and what has changed in its files are changes of their own."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import count

import pytest

from wynot.commands.changes.patch_files import git_diff
from wynot.core.config import Config
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.domains.changes import diff_folders
from wynot.domains.changes import diff_folders as module
from wynot.domains.changes.change import Change
from wynot.domains.changes.change_index import ChangeIndex
from wynot.domains.changes.diff_folders import changes_between, relocated
from wynot.domains.changes.git_patch import patch
from wynot.domains.changes.patched_folder import PatchedFolder

TEXT = b"".join(b"line %d\n" % number for number in range(12))
FLAT = {f"shop/{name}.py": name.encode() + b"\n" + TEXT for name in ("till", "stock", "bill")} | {
    "shop/__init__.py": b""
}


def _moved(files: Mapping[str, bytes], above: str = "src/") -> dict[str, bytes]:
    return {above + path: data for path, data in files.items()}


def _between(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> tuple[PatchedFolder, tuple[Change, ...]]:
    before, after = Folder.of(old), Folder.of(new)
    changes = changes_between(before, after, git_diff(before, after))
    return PatchedFolder(before, after, changes), changes


def _edited(text: bytes) -> bytes:
    """So many lines are others that nobody would take the file for the same by its content alone."""
    return text.replace(b"line 1", b"row 1").replace(b"line 2", b"row 2")


def test_a_folder_that_has_moved_is_one_change_and_hunks_that_go_without_it() -> None:
    new = {path: _edited(data) for path, data in FLAT.items()}
    domain, changes = _between(FLAT, _moved(new))
    assert [change.header for change in changes if change.moved] == ["4 files moved from shop"]
    assert changes[0].path == "src/shop"
    assert all(change.header.startswith("@@") for change in changes[1:])
    assert domain.render(Config.of([0])).files == _moved(FLAT)
    assert domain.render(Config.of(range(1, len(changes)))).files == new
    assert domain.render(Config.full(len(changes))).files == _moved(new)
    assert domain.render(Config()).files == FLAT


def test_a_link_moves_with_its_folder() -> None:
    link, other = (Entry(EntryKind.LINK, target, 0o777) for target in (b"till.py", b"bill.py"))
    before = Folder.of({**FLAT, "shop/a": link, "shop/b": link})
    after = Folder.of({**_moved(FLAT), "src/shop/a": link, "src/shop/b": other})
    changes = changes_between(before, after, git_diff(before, after))
    assert [change.header for change in changes] == ["6 files moved from shop", "changed link"]
    domain = PatchedFolder(before, after, changes)
    assert domain.render(Config.of([0])).entries["src/shop/b"] == link
    assert domain.render(Config.of([1])).entries["shop/b"] == other
    assert domain.render(Config.full(2)) == after


def test_its_patch_names_each_file() -> None:
    domain, changes = _between(FLAT, _moved(FLAT))
    assert len(changes) == 1
    text = patch(changes, Config.full(1), domain.old)
    assert text.count(b"rename from shop/") == 4
    assert b"rename to src/shop/till.py\n" in text
    back = patch([changes[0].back], Config.full(1), domain.new)
    assert b"rename to shop/till.py\n" in back


def test_a_message_about_one_of_its_files_is_about_it() -> None:
    _, changes = _between(FLAT, _moved(FLAT))
    assert ChangeIndex(changes).known("src/shop/till.py") == "src/shop/till.py"
    assert ChangeIndex(changes).at("src/shop/till.py", 7, Config()) == Config.of([0])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a/x": TEXT, "a/y": TEXT}, {"b/x": _edited(TEXT), "b/y": _edited(TEXT)}),
        ({f"a/{each}": b"%d\n" % each for each in range(4)}, {f"b/{each}": b"x%d\n" % each for each in range(4)}),
        ({f"a/{each}/__init__.py": b"" for each in range(4)}, {f"b/{each}/__init__.py": b"" for each in range(4)}),
    ],
    ids=["too few", "others of the same names", "nothing in them"],
)
def test_what_does_not_look_like_it_has_not_moved(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> None:
    paths = sorted({*old, *new})
    assert not relocated(Folder.of(old), Folder.of(new), {}, paths)


def test_a_small_file_does_not_become_a_large_one() -> None:
    old = {**FLAT, "shop/shop.py": b"from till import till\n"}
    new = _moved({**{path: _edited(data) for path, data in FLAT.items()}, "shop/shop.py": TEXT * 100})
    _, changes = _between(old, new)
    assert ("src/shop/shop.py", "added file") in [(change.path, change.header) for change in changes]
    assert changes[0].header == "4 files moved from shop"


def _calls(groups: int) -> int:
    """How many calls it takes to find what has moved: in each group ten folders with files of the same names."""
    names = [(group, part, name) for group in range(groups) for part in range(10) for name in range(4)]
    old = {f"old{group}/{part}/{group}-{name}": TEXT + b"%d" % part for group, part, name in names}
    new = {f"new{group}/{part}x/{group}-{name}": TEXT + b"new %d" % part for group, part, name in names}
    before, after, paths = Folder.of(old), Folder.of(new), sorted({*old, *new})
    calls = count()
    sys.setprofile(lambda _frame, event, _arg: next(calls) if event == "call" else None)
    try:
        found = relocated(before, after, {}, paths)
    finally:
        sys.setprofile(None)
    assert len(found) == len(old)
    return next(calls)


def test_twice_as_many_files_take_twice_as_long() -> None:
    assert _calls(8) < 2.2 * _calls(4)


def test_folders_that_have_not_moved_are_not_compared_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    old = {f"old{part}/{name}": b"%d\n" % part for part in range(10) for name in range(4)}
    new = {f"new{part}/{name}": b"new %d\n" % part for part in range(10) for name in range(4)}
    asked = count()
    monkeypatch.setattr(module, "alike", lambda _one, _other: 0.0 * next(asked))
    monkeypatch.setattr(module, "VAIN", 5)
    assert not relocated(Folder.of(old), Folder.of(new), {}, sorted({*old, *new}))
    assert next(asked) == 5 * 4


def test_names_that_many_files_have_move_with_the_others() -> None:
    parts = {f"shop/{number}/index.py": b"%d\n" % number for number in range(30)}
    _, changes = _between({**FLAT, **parts}, _moved({**{path: _edited(data) for path, data in FLAT.items()}, **parts}))
    assert changes[0].header == "34 files moved from shop"


def test_moves_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = count()
    monkeypatch.setattr(diff_folders, "relocated", lambda *_: dict.fromkeys((), next(asked)))
    diff_folders.all_moves.cache_clear()
    _between(FLAT, _moved(FLAT))
    diff_folders.all_moves.cache_clear()
    assert next(asked) == 1
