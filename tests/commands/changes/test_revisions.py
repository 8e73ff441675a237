"""Revisions and working trees as folders; the repository is only read."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.repos import Repo
from wynot.commands.changes.repository import Repository
from wynot.commands.changes.revisions import merged_by, revision, worktree
from wynot.core.folder import Entry, EntryKind
from wynot.errors import UsageError


def test_a_revision_is_read_from_any_folder_of_the_repository(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    (repo.path / "run").write_bytes(b"#!/bin/sh\n")
    (repo.path / "run").chmod(0o755)
    (repo.path / "link").symlink_to("run")
    repo.commit("one", {"d/a.txt": b"1\r\n", "b c": b"\0\1"})
    repo.commit("two", {"d/a.txt": b"2"})
    found = revision(Repository(repo.path / "d"), "HEAD~1").folder
    assert found.files == {"b c": b"\0\1", "d/a.txt": b"1\r\n", "run": b"#!/bin/sh\n"}
    assert found.entries["link"] == Entry(EntryKind.LINK, b"run", 0o777)
    assert found.entries["run"].mode == 0o755
    assert revision(Repository(repo.path), "HEAD", "d").folder.files == {"a.txt": b"2"}


def test_a_bare_repository_will_do(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("one", {"a": b"1"})
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    assert revision(Repository(tmp_path / "bare.git"), "main").folder.files == {"a": b"1"}


def test_names_need_not_be_text(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    Path(os.fsdecode(os.fsencode(repo.path) + b"/\xff\n")).write_bytes(b"x")
    repo.commit("one")
    assert revision(Repository(repo.path), "HEAD").folder.files == {"\udcff\n": b"x"}


def test_an_unknown_revision_is_told_and_what_to_do(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("one", {"a": b"1"})
    with pytest.raises(UsageError, match="no revision v9") as caught:
        revision(Repository(repo.path), "v9")
    assert "git log" in caught.value.hint
    with pytest.raises(UsageError, match="no revision --all"):
        revision(Repository(repo.path), "--all")


def test_a_shallow_repository_is_told(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    first = repo.commit("one", {"a": b"1"})
    repo.commit("two", {"a": b"2"})
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(tmp_path / "shallow"))
    with pytest.raises(UsageError, match="shallow") as caught:
        revision(Repository(tmp_path / "shallow"), first)
    assert "--unshallow" in caught.value.hint


def test_no_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not in a git repository"):
        Repository(tmp_path)


def test_a_working_tree_is_what_git_does_not_ignore_and_stays_as_it_is(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("one", {"a": b"1", "b": b"1", "c": b"1", ".gitignore": b"*.o\n"})
    repo.write({"a": b"2", "b": None, "new/d": b"3", "x.o": b"4"})
    (repo.path / "c").chmod(0o755)
    before = repo.state()
    found = worktree(Repository(repo.path)).folder
    assert found.files == {".gitignore": b"*.o\n", "a": b"2", "c": b"1", "new/d": b"3"}
    assert found.entries["c"].mode == 0o755
    assert repo.state() == before


def test_a_file_that_git_writes_in_another_way_counts_as_unchanged(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("one", {".gitattributes": b"*.txt eol=crlf\n", "a.txt": b"1\n"})
    (repo.path / "a.txt").unlink()
    repo.git("checkout", "-q", "a.txt")
    assert (repo.path / "a.txt").read_bytes() == b"1\r\n"
    here = Repository(repo.path)
    assert worktree(here).folder == revision(here, "HEAD").folder


def test_contents_that_are_not_there_are_told(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("one", {"a": b"1"})
    blob = repo.git("rev-parse", "HEAD:a")
    (repo.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UsageError, match="lacks the content"):
        revision(Repository(repo.path), "HEAD")


def test_the_commits_that_a_merge_brought(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("base", {"a": b"1", "b": b"1"})
    repo.git("switch", "-q", "-c", "side")
    repo.commit("side a", {"a": b"2"})
    repo.commit("side b", {"b": b"2"})
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "merged", "side")
    (told,) = merged_by(Repository(repo.path), "HEAD", ["a"])
    assert told.endswith("side a")


def test_reading_starts_no_helper_of_the_user(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("one", {"a": b"1"})
    hook = tmp_path / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    hook.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(hook))
    repo.git("config", "diff.external", str(hook))
    worktree(Repository(repo.path))
    assert not (tmp_path / "started").exists()
    subprocess.run(["git", "status"], cwd=repo.path, check=False, capture_output=True)
    assert (tmp_path / "started").exists()
