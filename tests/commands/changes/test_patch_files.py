"""Patches on a private copy; none reaches outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.repos import Repo
from wynot.commands.changes.patch_files import patched, series
from wynot.core.folder import Folder
from wynot.errors import UsageError

OLD = Folder.of({"a": b"1\n"})


def _patch(path: Path, text: str) -> list[Path]:
    path.write_text(text)
    return [path]


def test_a_patch_is_applied_and_the_folder_left_as_it_is(tmp_path: Path) -> None:
    patches = _patch(tmp_path / "x.patch", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n")
    (new,) = patched(OLD, patches)
    assert new.files == {"a": b"2\n"}


def test_a_mailbox_is_a_patch(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("base", {"a": b"1\n"})
    repo.commit("two", {"a": b"2\n", "bin": b"\0\1\2"})
    (tmp_path / "mbox").write_text(repo.git("format-patch", "--stdout", "--binary", "HEAD~1") + "\n")
    assert patched(OLD, [tmp_path / "mbox"])[-1].files == {"a": b"2\n", "bin": b"\0\1\2"}


def test_each_message_of_a_mailbox_is_a_patch(tmp_path: Path) -> None:
    """A plain patch before the first message is applied, too, and a message without a diff changes nothing."""
    repo = Repo(tmp_path / "repo")
    repo.commit("base", {"a": b"1\n"})
    two, long = repo.commit("two", {"a": b"2\n"}), repo.commit(f"three {'word ' * 20}", {"a": b"3\n"})
    letter = "From " + "0" * 40 + " Mon Sep 17 00:00:00 2001\nSubject: [PATCH 0/2] A letter\n\nFrom here on\n\n"
    mails = repo.git("format-patch", "--stdout", "HEAD~2")
    (tmp_path / "mbox").write_text(f"{_new('b', '100644', 'x')}{letter}{mails}\n")
    assert [each.files for each in patched(OLD, [tmp_path / "mbox"])] == [
        {"a": b"1\n", "b": b"x\n"},
        {"a": b"2\n", "b": b"x\n"},
        {"a": b"3\n", "b": b"x\n"},
    ]
    names = [each.names for each in series([tmp_path / "mbox"])]
    assert names[1:] == [(two, "two"), (long, f"three {'word ' * 20}".strip())]


def _new(name: str, mode: str, line: str) -> str:
    return f"diff --git a/{name} b/{name}\nnew file mode {mode}\n--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+{line}\n"


NO_END = "\\ No newline at end of file\n"
OUTSIDE = [
    _new("../out", "100644", "x"),
    _new("l", "120000", "/tmp") + NO_END,
    _new("l", "120000", "..") + NO_END + _new("l/out", "100644", "x"),
    _new("l", "120000", "a/../../..") + NO_END,
]


@pytest.mark.parametrize("text", OUTSIDE)
def test_a_patch_that_reaches_outside_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"does not apply|leads out"):
        patched(OLD, _patch(tmp_path / "x.patch", text))
    assert not (tmp_path / "out").exists()


def test_a_patch_that_does_not_apply_is_told(tmp_path: Path) -> None:
    patches = _patch(tmp_path / "x.patch", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-9\n+2\n")
    with pytest.raises(UsageError, match=r"x\.patch does not apply: patch failed: a:1") as caught:
        patched(OLD, patches)
    assert "git apply --check" in caught.value.hint


def test_missing_patches_are_told(tmp_path: Path) -> None:
    (tmp_path / "series").write_text("none.patch\n")
    with pytest.raises(UsageError, match="not there"):
        patched(OLD, [tmp_path / "series"])
    with pytest.raises(UsageError, match="there is no patch"):
        patched(OLD, [tmp_path / "none.patch"])


THERE = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n"
BACK = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-2\n+1\n"


@pytest.mark.parametrize(
    "line",
    [
        "x.patch",
        "x.patch -p1 # it's a comment",
        "x.patch -pab",
        "x.patch -p 1\r",
        "it's.patch",
        "back.patch -R",
        "#1.patch",
    ],
)
def test_a_line_of_a_series_is_read_as_quilt_reads_it(tmp_path: Path, line: str) -> None:
    for name, text in (("x.patch", THERE), ("it's.patch", THERE), ("back.patch", BACK), ("none.patch", "")):
        (tmp_path / name).write_text(text)
    (tmp_path / "series").write_text(f"# all's well\nnone.patch\n\n{line}\n")
    found = patched(OLD, [tmp_path])
    assert [each.files["a"] for each in found] == ([b"1\n"] if line.startswith("#") else [b"1\n", b"2\n"])


@pytest.mark.parametrize(
    ("line", "says"), [("x.patch -p²", "not a number"), ("x.patch -p-1", "not a number"), ("'", "not there")]
)
def test_a_line_of_a_series_that_cannot_be_read(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "x.patch").write_text(THERE)
    (tmp_path / "series").write_text(line)
    with pytest.raises(UsageError, match=says):
        patched(OLD, [tmp_path / "series"])


def test_a_series_that_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "series")
    with pytest.raises(UsageError, match="series is not a file"):
        patched(OLD, [tmp_path / "series"])


def test_a_folder_in_place_of_a_patch(tmp_path: Path) -> None:
    (tmp_path / "fixes").mkdir()
    with pytest.raises(UsageError, match="fixes is a folder") as refused:
        patched(OLD, [tmp_path / "fixes"])
    assert refused.value.hint.endswith("fixes/*")
