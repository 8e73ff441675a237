"""A patch as people read it."""

from __future__ import annotations

from wynot.commands.changes.patch_files import git_diff
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.domains.changes.diff_folders import changes_between
from wynot.domains.changes.git_patch import patch
from wynot.report.escape import safe
from wynot.report.patch_text import MANY, PatchLine, painted, patch_lines


def shown(old: dict[str, bytes], new: dict[str, bytes]) -> list[str]:
    before, after = Folder.of(old), Folder.of(new)
    changes = changes_between(before, after, git_diff(before, after))
    return [line.text for line in patch_lines(patch(changes, Config.full(len(changes)), before))]


def test_hunks_file_by_file() -> None:
    lines = [f"{number}\n".encode() for number in range(20)]
    changed = [*lines[:1], b"-- one\n", *lines[2:15], b"++ two\n", *lines[16:]]
    found = shown({"a b": b"".join(lines), "c": b"-- x\n"}, {"a b": b"".join(changed), "c": b"y\n"})
    assert found[:6] == ["a b", "@@ -1,5 +1,5 @@", " 0", "-1", "+-- one", " 2"]
    assert found[found.index("@@ -13,7 +13,7 @@") :][:6] == ["@@ -13,7 +13,7 @@", " 12", " 13", " 14", "-15", "+++ two"]
    assert found[-4:] == ["c", "@@ -1,1 +1,1 @@", "--- x", "+y"]


def test_files_that_are_no_text_come_and_go() -> None:
    found = shown({"bin": b"\0@@ -1 +1 @@", "gone": b"x\n"}, {"bin": b"\0y", "neu": b""})
    assert found == [
        "bin", "  (a binary file)",
        "gone", "  deleted file mode 100644", "@@ -1,1 +0,0 @@", "-x",
        "neu", "  new file mode 100644",
    ]  # fmt: skip


def test_long_hunks_and_lines_are_cut() -> None:
    found = shown({}, {"a": b"x\n" * (MANY + 7), "b": b"y" * 10_000})
    assert "  … 7 more lines" in found
    assert max(map(len, found)) < 500
    assert "\\ No newline at end of file" in found


def test_a_terminal_is_told_nothing_by_a_file() -> None:
    found = shown({"a": b"1\n"}, {"a": b"\x1b[31m\xff\x07\n"})
    assert found[-1] == "+\\x1b[31m\\xff\\x07"


def test_colours() -> None:
    lines = [PatchLine("+a [b]", "green"), PatchLine("c" * 500)]
    assert painted(lines, colour=False) == "+a [b]\n" + "c" * 500
    assert safe(painted(lines, colour=True)) == "\x1b[32m+a [b]\x1b[0m\n" + "c" * 500
