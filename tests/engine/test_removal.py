"""Clean-up stays on one file system, reaches any depth, and reports what it leaves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.stage import Stage
from wynot.engine.files.removal import remove_tree

IN_NAMESPACE = ("unshare", "-m", "--propagation", "private")
"""Mounts that are made by such a command are gone when it ends, and nobody else sees them."""


def _mounting() -> str | None:
    """Why no test can mount here; None: it can."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("unshare") is None:
        return "only root can mount"
    tried = subprocess.run(
        [*IN_NAMESPACE, "mount", "--bind", "/usr", "/usr"], capture_output=True, text=True, check=False
    )
    return tried.stderr.strip() or None if tried.returncode else None


_why = _mounting()
mounting = pytest.mark.skipif(_why is not None, reason=f"cannot mount: {_why}")


@mounting
@pytest.mark.parametrize("lasting", [False, True], ids=["file", "folder"])
@pytest.mark.parametrize("at", ["mnt", "deep/a b"])
def test_what_a_test_leaves_mounted_is_not_emptied(stage: Stage, at: str, lasting: bool) -> None:
    users = stage.folder / "users"
    (users / "sub").mkdir(parents=True)
    (users / "sub" / "thesis.txt").write_text("years of work")
    mount = f"mkdir -p '{at}' && mount --bind {users} '{at}'"
    if lasting:
        (stage.work / "src").mkdir()
        stage.file("src/in.txt", "a\nbug\nb\n")
        stage.script("check", f"cd \"$1\" && {{ [ -e '{at}' ] && exit 125; {mount}; grep -q bug in.txt; }}")
        words = ("reduce", "src", "--test", "./check", "-o", "out")
    else:
        stage.file("in.txt", "a\nbug\nb\n")
        stage.script("check", f"[ -e '{at}' ] && exit 125; {mount} && grep -q bug \"$1\"")
        words = ("reduce", "in.txt", "--test", "./check", "-o", "out.txt")
    stage.before = IN_NAMESPACE
    done = stage.wynot(*words)
    assert (users / "sub" / "thesis.txt").read_text() == "years of work"
    assert done.code == 0, done.err
    result = stage.work / ("out/in.txt" if lasting else "out.txt")
    assert result.read_text().strip() == "bug"  # each test found a clean folder: no outcome is 125
    [root] = stage.tmp.iterdir()
    told = [line for line in done.err.splitlines() if "a test has left" in line]
    [line] = told  # though many tests do so
    assert f"{root}/" in line
    assert "is a mount point" in line
    assert "umount" in line
    [more] = [line for line in done.err.splitlines() if "more of this kind (umount " in line]
    assert f"{root}/left-*/" in more
    assert not [path for path in root.rglob("*") if path.is_file()]  # all else is gone


@mounting
def test_what_is_mounted_over_the_work_folder_ends_the_run(stage: Stage) -> None:
    users = stage.folder / "users"
    users.mkdir()
    (users / "thesis.txt").write_text("years of work")
    stage.file("in.txt", "a\nbug\nb\n")
    stage.script("check", f'grep -q bug "$1" && mount --bind {users} "$PWD"')
    stage.before = IN_NAMESPACE
    done = stage.wynot("reduce", "in.txt", "--test", "./check")
    assert (users / "thesis.txt").read_text() == "years of work"
    assert done.code == 2
    assert "is a mount point" in done.err
    assert "umount" in done.err


@mounting
def test_another_file_system_and_a_mounted_file_are_left(tmp_path: Path) -> None:
    script = """
import subprocess, sys
from pathlib import Path
from wynot.engine.files.removal import remove_tree
root, users = Path(sys.argv[1]), Path(sys.argv[2])
for name in ("tree/fs", "tree/x/y"):
    (root / name).mkdir(parents=True)
(root / "tree/x/y/file").write_text("")
run = lambda *words: subprocess.run(words, check=True)
run("mount", "-t", "tmpfs", "none", root / "tree/fs")
(root / "tree/fs/mine").write_text("kept")
run("mount", "--bind", users, root / "tree/x/y/file")
left = remove_tree(str(root / "tree"))
assert (root / "tree/fs/mine").read_text() == "kept"
print(*sorted((each.path, each.mounted) for each in left), sep="\\n")
"""
    users = tmp_path / "thesis.txt"
    users.write_text("years of work")
    done = subprocess.run(
        [*IN_NAMESPACE, sys.executable, "-c", script, tmp_path, users], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [str((f"{tmp_path}/tree/{at}", True)) for at in ("fs", "x/y/file")]
    assert users.read_text() == "years of work"


@mounting
def test_a_mount_point_that_is_not_listed_keeps_its_mode(tmp_path: Path) -> None:
    """It may be mounted after the list was read; the number of the file system tells."""
    script = """
import subprocess, sys
from pathlib import Path
from wynot.engine.files import removal
fs = Path(sys.argv[1], "tree", "fs")
fs.mkdir(parents=True)
subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0500", "none", fs], check=True)
removal.mounts_at = lambda path: []
print(*(each.path for each in removal.remove_tree(str(fs.parent))), oct(fs.stat().st_mode & 0o777))
"""
    done = subprocess.run(
        [*IN_NAMESPACE, sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.split() == [f"{tmp_path}/tree/fs", "0o500"]


def test_deep_folders_and_closed_ones_are_removed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    here = os.open(root, os.O_RDONLY)
    for _ in range(2500):
        os.mkdir("folder", dir_fd=here)
        below = os.open("folder", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    closed = root / "closed" / "inner"
    closed.mkdir(parents=True)
    (closed / "file").write_text("")
    for path in (closed, closed.parent):
        path.chmod(0)
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "link").symlink_to(outside)
    assert remove_tree(str(root)) == []
    assert not root.exists()
    assert outside.is_dir()


def test_what_cannot_be_removed_is_named(commoner: Stage) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make what others cannot remove")
    roots = commoner.work / "roots"
    roots.mkdir()
    (roots / "file").write_text("")
    script = (
        "import sys; from wynot.engine.files.removal import remove_tree; print(*remove_tree(sys.argv[1]), sep='\\n')"
    )
    words = [*commoner.before, sys.executable, "-c", script, str(roots)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert str(roots / "file") in done.stdout
    assert "Permission denied" in done.stdout
