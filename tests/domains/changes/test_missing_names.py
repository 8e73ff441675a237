"""What is supposed before any test, what messages tell after one, and the levels of a search."""

from __future__ import annotations

import pytest

from wynot.commands.changes.patch_files import git_diff
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.domains.changes.change import Change
from wynot.domains.changes.change_index import ChangeIndex
from wynot.domains.changes.diff_folders import changes_between
from wynot.domains.changes.group_levels import group_levels
from wynot.domains.changes.group_tree import grouped
from wynot.domains.changes.missing_names import MissingNames
from wynot.domains.changes.static_dependencies import shown, stem, supposed, taken

OLD = {
    "pkg/a.py": b"import os\n\n\ndef gone():\n    return os\n\n\ndef stays():\n    return 1\n",
    "pkg/b.py": b"from pkg.a import gone, stays\n\n\ndef use():\n    x = 1\n\n    return gone()\n",
    "main.c": b'#include "lib.h"\nint main(void) {\n  return 0;\n}\n',
    "lib.h": b"int one(void);\n",
}
NEW = {
    "pkg/a.py": b"import os\n\n\ndef stays():\n    return 1\n\n\ndef fresh():\n    return 2\n",
    "pkg/b.py": b"from pkg.a import fresh, stays\n\n\ndef use():\n    x = 1\n\n    return fresh()\n",
    "main.c": b'#include "lib.h"\nint main(void) {\n  return twice(0);\n}\n',
    "lib.h": b"int one(void);\nint twice(int);\n",
    "pkg/c.py": b"VALUE = 1\n",
}


def between(old: dict[str, bytes], new: dict[str, bytes]) -> tuple[tuple[Change, ...], Folder, Folder]:
    before, after = Folder.of(old), Folder.of(new)
    return changes_between(before, after, git_diff(before, after)), before, after


def number(changes: tuple[Change, ...], path: str, text: bytes) -> int:
    return next(n for n, c in enumerate(changes) if c.path == path and text in c.added + c.removed)


def test_who_imports_a_new_name_needs_it_and_who_removes_one_needs_its_users_to_go() -> None:
    changes, old, new = between(OLD, NEW)
    needs = supposed(changes, old, new)
    imports, defines = number(changes, "pkg/b.py", b"import fresh"), number(changes, "pkg/a.py", b"def fresh")
    removes, uses = number(changes, "pkg/a.py", b"def gone"), number(changes, "pkg/b.py", b"return fresh")
    assert defines in needs[imports]
    assert imports in needs[uses]
    assert {imports, uses} <= set(needs[removes])


def test_a_new_file_is_needed_by_those_who_import_it() -> None:
    changes, old, new = between({"a.py": b"x = 1\n"}, {"a.py": b"from b import y\nx = 1\n", "b.py": b"y = 2\n"})
    imports, file = number(changes, "a.py", b"import y"), number(changes, "b.py", b"y")
    assert supposed(changes, old, new) == {imports: Config.of([file])}


def test_c_knows_functions_by_their_names() -> None:
    changes, _, _ = between(OLD, NEW)
    reader = MissingNames(changes, ChangeIndex(changes))
    call, declares = number(changes, "main.c", b"twice"), number(changes, "lib.h", b"twice")
    message = "main.c: In function 'main':\nmain.c:3:10: error: implicit declaration of function 'twice'"
    assert reader.pulled(Config.of([call]), message) == (Config.of([declares]), Config.of([call]))
    assert reader.dropped(Config.of([call]), message) == Config.of([call])


MESSAGES = [
    ("ImportError: cannot import name 'fresh' from 'pkg.a' (/tmp/w/tree/pkg/a.py)", b"def fresh"),
    ("NameError: name 'fresh' is not defined", b"import fresh"),
]


@pytest.mark.parametrize(("line", "expected"), MESSAGES)
def test_a_traceback_tells_which_change_is_missing(line: str, expected: bytes) -> None:
    changes, _, _ = between(OLD, NEW)
    path = "pkg/a.py" if b"def" in expected else "pkg/b.py"
    message = f'Traceback (most recent call last):\n  File "/tmp/w/tree/pkg/b.py", line 7, in use\n{line}\n'
    uses = number(changes, "pkg/b.py", b"return fresh")
    added, _ = MissingNames(changes, ChangeIndex(changes)).pulled(Config.of([uses]), message)
    assert number(changes, path, expected) in added


def test_a_name_may_stand_in_the_notes_behind_an_error() -> None:
    old = {"A.java": b"class A {\n  int x;\n\n\n  int y;\n}\n"}
    new = {"A.java": b"class A {\n  int x = foo();\n\n\n  int y;\n  static int foo() { return 1; }\n}\n"}
    changes, _, _ = between(old, new)
    call, defines = number(changes, "A.java", b"x = foo"), number(changes, "A.java", b"static int foo")
    message = "A.java:2: error: cannot find symbol\n  int x = foo();\n  symbol:   method foo()\n  location: class A"
    assert MissingNames(changes, ChangeIndex(changes)).pulled(Config.of([call]), message)[0] == Config.of([defines])


def test_without_a_name_what_is_near_the_place_is_pulled_in() -> None:
    changes, _, _ = between(OLD, NEW)
    message = 'Traceback (most recent call last):\n  File "/x/pkg/b.py", line 1, in <module>\nTypeError: no\n'
    added, needing = MissingNames(changes, ChangeIndex(changes)).pulled(Config(), message)
    assert number(changes, "pkg/b.py", b"import fresh") in added
    assert not needing


def test_nothing_is_pulled_in_for_nothing() -> None:
    changes, _, _ = between(OLD, NEW)
    reader = MissingNames(changes, ChangeIndex(changes))
    whole = Config.full(len(changes))
    assert reader.pulled(whole, MESSAGES[0][0]) == (Config(), Config())
    assert reader.pulled(Config(), "") == (Config(), Config())
    assert reader.dropped(Config(), "") == Config()


def test_what_is_shown_and_taken_in_several_languages() -> None:
    assert shown("a.js", b"exports.run = 1;\nfunction go() {}\nclass C {}\n") == {b"run", b"go", b"C"}
    assert b"sum" in shown("a.c", b"static int sum(int a) {\n  return a;\n}\n")
    assert (b"x", b"y") in [(t.name, t.source) for t in taken(b"import {x} from './lib/y.js';\n")]
    assert stem("pkg/__init__.py") == b"pkg"


def test_levels_go_from_folders_to_single_changes() -> None:
    old = {f"{top}/{name}.py": b"a\nb\nc\nd\ne\nf\n" for top in "abcd" for name in "wxyz"}
    new = dict.fromkeys(old, b"A\nb\nc\nD\ne\nF\n")
    changes, before, after = between(old, new)
    groups = grouped(changes, before, after)
    whole = Config.full(len(changes))
    levels = group_levels(groups, range(len(changes)), whole)
    counts = [len(level.units(whole)) for level in levels]
    assert counts[:2] == [4, 16]
    assert counts[-1] == len(changes)
    for level in levels:
        assert Config.of(each for unit in level.units(whole) for each in unit) == whole


def test_levels_of_some_of_the_changes() -> None:
    changes, old, new = between(OLD, NEW)
    numbers = [0, 2, 3]
    groups = grouped([changes[each] for each in numbers], old, new)
    kept = Config.of(numbers)
    for level in group_levels(groups, numbers, kept):
        assert Config.of(each for unit in level.units(kept) for each in unit) == kept
