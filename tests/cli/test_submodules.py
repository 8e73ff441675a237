"""Submodules are laid out from the objects that are here; where these are not here, that is said."""

from __future__ import annotations

import sys

import pytest

from tests.support.repos import Repo
from tests.support.stage import Stage

CHECK = ("--", "sh", "-c", "! grep -q bad libs/sub/deep/x.txt")
BOTH = pytest.mark.parametrize("command", ["changes", "bisect"])


@pytest.fixture
def repo(stage: Stage) -> Repo:
    """Takes three commits of its submodule, which has one of its own; the second brings the failure."""
    deep, inner, repo = Repo(stage.folder / "deep"), Repo(stage.folder / "inner"), Repo(stage.work)
    deep.commit("good", {"x.txt": b"good\n"})
    inner.git("submodule", "--quiet", "add", str(deep.path), "deep")
    inner.commit("good", {"y.txt": b"1\n"})
    repo.git("submodule", "--quiet", "add", "--name", "other name", str(inner.path), "libs/sub")
    repo.git("submodule", "--quiet", "update", "--init", "--recursive")
    repo.commit("start", {"a.txt": b"1\n"})
    repo.git("tag", "v1")
    for subject, text in (("innocent", b"good\nmore\n"), ("guilty", b"bad\n"), ("calm", b"bad\nmore\n")):
        head = deep.commit(subject, {"x.txt": text})
        inner.git("-C", "deep", "pull", "-q", str(deep.path), "main")
        assert inner.git("-C", "deep", "rev-parse", "HEAD") == head
        inner.commit(subject, {"y.txt": subject.encode()})
        repo.git("-C", "libs/sub", "pull", "-q", str(inner.path), "main")
        repo.git("-C", "libs/sub/deep", "pull", "-q", str(deep.path), "main")
        repo.commit(f"{subject} outside", {"a.txt": subject.encode()})
    return repo


@BOTH
def test_a_change_in_a_submodule(stage: Stage, repo: Repo, command: str) -> None:
    before = repo.git("for-each-ref")
    done = stage.here(command, "v1", "HEAD", "--json", *CHECK)
    assert done.code == 0, done.err
    assert repo.git("for-each-ref") == before
    (change,) = done.json["breaks"]
    assert change["path"] == "libs/sub/deep/x.txt"
    subjects = [repo.git("show", "-s", "--format=%s", sha) for sha in change["commits"]]
    assert subjects[-1] == ("calm outside" if command == "changes" else "guilty outside")
    if command == "bisect":
        assert [each["subject"] for each in done.json["suspects"]] == ["guilty outside"]


def test_a_submodule_of_the_working_tree(stage: Stage, repo: Repo) -> None:
    """As it is now, with what is not committed."""
    repo.git("-C", "libs/sub/deep", "checkout", "-q", "HEAD~2")
    (repo.path / "libs/sub/deep/x.txt").write_bytes(b"very bad\n")
    done = stage.here("changes", "v1", ".", *CHECK)
    assert done.code == 0, done.err
    assert "breaks v1\nlibs/sub/deep/x.txt\n" in done.out
    assert "+very bad\n" in done.out


@BOTH
def test_a_commit_of_a_submodule_that_is_not_here(stage: Stage, repo: Repo, command: str) -> None:
    repo.git("clone", "-q", str(repo.path), str(stage.folder / "clone"))
    clone = Repo(stage.folder / "clone")
    clone.git("submodule", "--quiet", "update", "--init")
    module = clone.path / ".git" / "modules" / "other name"
    needed = clone.git("rev-parse", "v1:libs/sub")
    for path in module.rglob(needed[2:]):
        path.unlink()
    (module / "packed-refs").write_text("")
    stage.work = clone.path
    done = stage.here(command, "v1", "HEAD", *CHECK)
    said, hint = done.err.splitlines()[-2:]
    assert done.code == 2
    assert said.endswith(
        f"libs/sub is a submodule, and its repository here lacks the commit {needed[:12]} that is needed"
    )
    assert hint == f"  fetch it: git -C libs/sub fetch origin {needed}; then the same command again"


@BOTH
def test_a_submodule_that_was_never_initialised(stage: Stage, repo: Repo, command: str) -> None:
    repo.git("clone", "-q", str(repo.path), str(stage.folder / "clone"))
    stage.work = stage.folder / "clone"
    done = stage.here(command, "v1", "HEAD", "--", "sh", "-c", "! grep -q guilty a.txt")
    note = "warning: libs/sub is a submodule that is not here: it is left out; to have it: git submodule update --init"
    assert done.err.count(note) == 1


@pytest.fixture
def clone(stage: Stage) -> Repo:
    """A clone without its submodule, in which two commits differ; a test needs it."""
    inner, repo = Repo(stage.folder / "inner"), Repo(stage.folder / "repo")
    inner.commit("good", {"s.py": b"BAD = False\n"})
    repo.git("submodule", "--quiet", "add", str(inner.path), "lib")
    test = b"import sys\nsys.path.insert(0, 'lib')\nimport s\nassert not s.BAD\n"
    repo.commit("start", {"t.py": test})
    inner.commit("bad", {"s.py": b"BAD = True\n"})
    repo.git("-C", "lib", "pull", "-q", str(inner.path), "main")
    repo.commit("take it")
    repo.git("clone", "-q", str(repo.path), str(stage.folder / "clone"))
    stage.work = stage.folder / "clone"
    return Repo(stage.work)


def test_a_submodule_that_is_not_here_is_all_that_differs(stage: Stage, clone: Repo) -> None:
    taken = [clone.git("rev-parse", f"{name}:lib")[:12] for name in ("HEAD~1", "HEAD")]
    done = stage.here("changes", "HEAD~1", "HEAD", "--", sys.executable, "t.py")
    said, hint = done.err.splitlines()[-2:]
    assert done.code == 2
    assert said.endswith(f"but lib, a submodule that is not here: {taken[0]} -> {taken[1]}")
    assert hint == "  git submodule update --init lib; then the same command again"


@BOTH
def test_a_module_that_may_be_in_a_submodule_that_is_not_here(stage: Stage, clone: Repo, command: str) -> None:
    clone.commit("another", {"a.txt": b"1\n"})
    done = stage.here(command, "HEAD~1", "HEAD", "--", sys.executable, "t.py")
    assert done.code == 1
    assert "the Python module s is not there" in done.err
    assert "in a submodule that is not here: git submodule update --init lib" in done.err
    assert "install" not in done.err
