"""Files of the user: a change is seen and can be undone."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from wynot.engine.files.file_states import UserFiles, changed_by_killed, restore_after


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


@pytest.mark.parametrize("change", [replaced, Path.unlink, linked])
def test_a_link_that_was_replaced_is_put_back(file: Path, change: object) -> None:
    """As `sed -i` does it: the link becomes a file, and what it led to stays as it was."""
    link = file.with_name("link")
    link.symlink_to("mine.py")
    os.utime(link, ns=(3, 4), follow_symlinks=False)
    files = UserFiles([link])
    change(link)  # type: ignore[operator]
    assert files.changed() == [str(link)]
    assert files.restore() == []
    assert (link.readlink(), link.lstat().st_mtime_ns, file.read_bytes()) == (Path("mine.py"), 4, b"x = 1\n")


def test_the_time_of_a_file_that_was_written_again_is_put_back(file: Path) -> None:
    files = UserFiles([file])
    file.write_bytes(b"x = 1\n")
    assert files.restore() == []
    assert file.stat().st_mtime_ns == 2_000_000_000


def killed_while_on_disk(file: Path) -> int:
    """A process that is killed after it has changed a file and a link."""
    link = file.with_name("link")
    child = os.fork()
    if child == 0:
        with UserFiles([file, link]).on_disk():
            file.write_bytes(b"changed\n")
            replaced(link)
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    return child


def test_what_a_killed_process_has_changed_is_put_back(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to("mine.py")
    child = killed_while_on_disk(file)
    assert (file.read_bytes(), link.is_symlink()) == (b"changed\n", False)
    restore_after(child + 1)
    assert file.read_bytes() == b"changed\n"
    restore_after(child)
    assert (file.read_bytes(), link.readlink()) == (b"x = 1\n", Path("mine.py"))
    assert (file.stat().st_mode & 0o777, file.stat().st_mtime_ns) == (0o640, 2_000_000_000)
    assert changed_by_killed() == []


def test_a_later_start_leaves_files_as_they_are(file: Path) -> None:
    """The user may have edited them since."""
    file.with_name("link").symlink_to("mine.py")
    killed_while_on_disk(file)
    file.write_bytes(b"edited since\n")
    found = dict(changed_by_killed())
    assert file.read_bytes() == b"edited since\n"
    assert Path(found[str(file)]).read_bytes() == b"x = 1\n"
    assert changed_by_killed() == []


def test_what_a_process_that_is_alive_keeps_is_left_to_it(file: Path) -> None:
    with UserFiles([file]).on_disk():
        file.write_bytes(b"changed\n")
        assert changed_by_killed() == []
        restore_after(os.getpid())
        assert file.read_bytes() == b"changed\n"
    assert file.read_bytes() == b"x = 1\n"


def test_a_pack_that_was_not_written_to_its_end_is_not_used(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to("mine.py")
    killed_while_on_disk(file)
    (pack,) = (file.parent / "home" / "first-runs").iterdir()
    for size in (pack.stat().st_size - 1, 10, 0):
        os.truncate(pack, size)
        copy = pack.with_name("copy")
        copy.write_bytes(pack.read_bytes())
        copy.replace(pack)
        kept = pack.read_bytes()
        assert changed_by_killed() == []
        assert file.read_bytes() == b"changed\n"
        pack.write_bytes(kept)


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
