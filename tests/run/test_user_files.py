"""Files of the user: a change is seen and can be undone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wynot.run.user_files import UserFiles


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WYNOT_HOME", str(tmp_path / "home"))
    path = tmp_path / "mine.py"
    path.write_bytes(b"x = 1\n")
    path.chmod(0o640)
    os.utime(path, ns=(1_000_000_000, 2_000_000_000))
    return path


def replaced(path: Path) -> None:
    """As `sed -i` does it: another file of the same name."""
    other = path.with_name("other")
    other.write_bytes(b"x = 2\n")
    other.replace(path)


def truncated(path: Path) -> None:
    path.write_bytes(b"")


def same_size_and_time(path: Path) -> None:
    path.write_bytes(b"y = 1\n")


def same_size_and_times(path: Path) -> None:
    """A file system does not let anybody set the time of the last change of state."""
    before = path.stat()
    path.write_bytes(b"y = 1\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def linked(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/passwd")


@pytest.mark.parametrize("change", [truncated, replaced, Path.unlink, same_size_and_time, same_size_and_times, linked])
def test_a_changed_file_is_put_back_as_it_was(file: Path, change: object) -> None:
    before = file.stat()
    files = UserFiles([file, file.parent, "/dev/null"])
    assert (len(files), files.changed()) == (1, [])
    change(file)  # type: ignore[operator]
    assert files.changed() == [str(file)]
    assert files.restore() == []
    assert (files.changed(), file.read_bytes(), file.is_symlink()) == ([], b"x = 1\n", False)
    after = file.stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


def test_rights_are_put_back(file: Path) -> None:
    files = UserFiles([file])
    file.chmod(0o777)
    assert files.changed() == [str(file)]
    assert files.restore() == []
    assert file.stat().st_mode & 0o777 == 0o640


def test_the_same_bytes_written_again_are_no_change(file: Path) -> None:
    files = UserFiles([file])
    file.write_bytes(b"x = 1\n")
    assert files.changed() == []


def test_a_link_is_followed_to_the_file_that_would_be_changed(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file)
    files = UserFiles([link])
    link.write_bytes(b"")
    assert files.changed() == [str(file)]
    assert files.restore() == []
    assert link.is_symlink()
    assert file.read_bytes() == b"x = 1\n"


def test_a_file_that_is_too_large_to_be_kept_is_watched(file: Path) -> None:
    files = UserFiles([file], room=3)
    truncated(file)
    assert files.changed() == files.restore() == [str(file)]


def test_a_file_that_was_not_there_is_reported_as_created(file: Path) -> None:
    files = UserFiles([file.with_name("a.out")])
    assert files.created() == []
    file.with_name("a.out").write_bytes(b"")
    assert files.created() == [str(file.with_name("a.out"))]


def test_what_the_user_has_written_meanwhile_is_not_lost(file: Path) -> None:
    """Nobody can see who changed the file: a test, or the user in an editor."""
    files = UserFiles([file])
    file.write_bytes(b"x = 1\nmine = 2\n")
    assert files.restore() == []
    assert file.read_bytes() == b"x = 1\n"
    saved = Path(files.kept_in)
    assert (saved.read_bytes(), saved.name.partition("-")[2]) == (b"x = 1\nmine = 2\n", "mine.py")
    assert saved.stat().st_mode & 0o777 == 0o600
    file.write_bytes(b"")  # nothing of anybody's
    assert files.restore() == []
    assert len(list(saved.parent.iterdir())) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_put_back(file: Path) -> None:
    os.chown(file, 1234, 1234)
    files = UserFiles([file])
    replaced(file)
    assert files.restore() == []
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 1234)
