"""Groups of changes: by place, by syntax, by words, by commit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.domains.changes.trees import pairs
from wynot.commands.changes.patch_files import git_diff
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.diff_folders import changes_between
from wynot.domains.changes.group_tree import Definitions, GroupTree, grouped


def _tree(groups: GroupTree, node: int = 0) -> object:
    """A group as nested lists of the numbers of changes."""
    if groups.kinds[node] == "hunk":
        return groups.below(node)[0]
    return [groups.labels[node], *(_tree(groups, child) for child in groups.shape.children(node))]


def _hunk(path: str, line: int, text: bytes = b"x\n") -> Change:
    return Change(path, path, ChangeKind.HUNK, line, 1, line, 1, b"", text)


EMPTY = Folder.of({})


def test_folders_and_files() -> None:
    changes = [_hunk("a", 1), _hunk("a", 5), _hunk("d/b", 1), _hunk("d/e/c", 1), _hunk("d/e/c", 9), _hunk("f/g/h", 1)]
    assert _tree(grouped(changes, EMPTY, EMPTY, ["folder", "file"])) == ["", ["a", 0, 1], ["d", 2, ["d/e/c", 3, 4]], 5]


def test_functions_and_classes() -> None:
    method = b"    def %s(self):\n        x\n        y\n        z\n\n"
    text = b"import a\n\nclass A:\n" + method % b"f" + method % b"g" + b"v\n"
    folder = Folder.of({"m.py": text})
    changes = [_hunk("m.py", line) for line in (1, 5, 7, 10, 14)]
    assert _tree(grouped(changes, EMPTY, folder, ["function"])) == ["", 0, ["A", ["f", 1, 2], 3], 4]


def test_words_that_few_share() -> None:
    changes = [_hunk("a", 1, b"use(alpha)\n"), _hunk("a", 5, b"use(beta)\n"), _hunk("a", 9, b"use(alpha)\n")]
    changes += [_hunk("a", each, b"use(it)\n") for each in range(20, 40, 5)]
    assert _tree(grouped(changes, EMPTY, EMPTY, ["file", "words"])) == ["", ["alpha", 0, 2], 1, 3, 4, 5, 6]


def test_commits_and_days() -> None:
    changes = [_hunk("a", 1), _hunk("a", 5), _hunk("b", 1), _hunk("c", 1)]
    origins = [["one"], ["one", "two"], ["two"], []]
    assert _tree(grouped(changes, EMPTY, EMPTY, ["commit"], origins)) == ["", 0, ["two", 1, 2], 3]
    days = ["2024-01-01", "2024-01-01", "2024-01-02", "2024-01-02"]
    assert _tree(grouped(changes, EMPTY, EMPTY, ["date"], dates=days)) == [
        "",
        ["2024-01-01", 0, 1],
        ["2024-01-02", 2, 3],
    ]


@settings(max_examples=30, deadline=None)
@given(pairs())
def test_each_change_is_one_leaf_and_groups_hold_what_is_below(pair: tuple[Folder, Folder]) -> None:
    old, new = pair
    changes = changes_between(old, new, git_diff(old, new))
    groups = grouped(changes, old, new)
    assert sorted(groups.order) == list(range(len(changes)))
    assert groups.members(0) == Config.full(len(changes))
    assert [groups.below(leaf)[0] for leaf in groups.leaf_of] == list(range(len(changes)))
    for node in range(len(groups.shape)):
        below = Config()
        for child in groups.shape.children(node):
            below |= groups.members(child)
        if groups.kinds[node] != "hunk":
            assert groups.members(node) == below
            assert node == 0 or len(list(groups.shape.children(node))) > 1


@pytest.mark.parametrize(
    ("name", "text", "word", "expected"),
    [
        ("a.c", b"static int *sum(int x)\n{\n  return here;\n}\n", b"here", ("sum",)),
        ("a.c", b"struct s {\n  int here;\n};\n", b"here", ("s",)),
        ("a.cpp", b"namespace n {\nclass A {\n  void f() { here(); }\n};\n}\n", b"here", ("n", "A", "f")),
        ("a.js", b"Lexer.prototype.token = function(src) {\n  here();\n};\n", b"here", ("Lexer.prototype.token",)),
        ("a.js", b"const f = (x) => {\n  here();\n};\n", b"here", ("f",)),
        ("a.ts", b"class A {\n  f(): void { here(); }\n}\n", b"here", ("A", "f")),
        ("a.rs", b"impl A {\n  fn f(&self) { here(); }\n}\n", b"here", ("A", "f")),
        ("a.go", b"package a\nfunc (s *S) F() {\n\there()\n}\n", b"here", ("F",)),
        ("A.java", b"class A {\n  void f() { here(); }\n}\n", b"here", ("A", "f")),
        ("a.py", b"@here\ndef f():\n    pass\n", b"here", ("f",)),
        ("a.py", b"@d\ndef f():\n    here\n", b"here", ("f",)),
        ("a.json", b'{"here": 1}\n', b"here", ()),
    ],
)
def test_definitions_of_many_languages(name: str, text: bytes, word: bytes, expected: tuple[str, ...]) -> None:
    at = text.index(word)
    assert Definitions(name, text).around(at, at + len(word)) == expected
