"""`git revert` is advised only where it was tried: it applies, and the failure is gone."""

from __future__ import annotations

import subprocess

from tests.support.repos import Repo
from tests.support.stage import Done, Stage

LINES = [f"line {number}" for number in range(9)]
CHECK = ("--no-coverage", "--", "sh", "-c", "test -e helper || exit 7; if grep -q bad a.txt; then exit 3; fi")


def text(**lines: str) -> bytes:
    return "".join(f"{lines.get(line.replace(' ', '_'), line)}\n" for line in LINES).encode()


def start(stage: Stage) -> Repo:
    repo = Repo(stage.work)
    repo.commit("start", {"a.txt": text(), "helper": b"1\n"})
    repo.git("tag", "v1")
    return repo


def advice(done: Done) -> str:
    assert done.code == 0, done.err
    return "\n".join(line for line in done.out.splitlines() if line.startswith("or revert"))


def test_what_is_advised_works(stage: Stage) -> None:
    repo = start(stage)
    guilty = repo.commit("guilty", {"a.txt": text(line_4="bad"), "b.txt": b"1\n"})
    repo.commit("later", {"a.txt": text(line_4="bad", line_8="new")})
    before = repo.git("for-each-ref")
    done = stage.here("changes", "v1", "HEAD", *CHECK)
    assert advice(done) == f"or revert the whole commit: git revert {guilty[:12]}"
    assert (repo.git("for-each-ref"), repo.git("status", "--porcelain", "-uno")) == (before, "")
    repo.git("revert", "--no-edit", guilty[:12])
    assert subprocess.run(CHECK[2:], cwd=repo.path, check=False).returncode == 0
    repo.git("checkout", "-q", "v1")
    done = stage.here("changes", "v1", "main~1", "--json", *CHECK)
    assert done.json["reverts"] == [guilty]
    assert advice(stage.here("changes", "v1", "main~1", *CHECK)).startswith("or revert the whole commit, on main~1: ")


def test_one_that_would_end_in_a_conflict_is_not(stage: Stage) -> None:
    repo = start(stage)
    guilty = repo.commit("guilty", {"a.txt": text(line_4="bad", line_6="other")})
    repo.commit("goes on with it", {"a.txt": text(line_4="bad", line_6="another")})
    assert advice(stage.here("changes", "v1", "HEAD", "--apart", "1", *CHECK)) == ""
    tried = subprocess.run(["git", "revert", "--no-commit", guilty], cwd=repo.path, capture_output=True, check=False)
    assert b"CONFLICT" in tried.stdout + tried.stderr


def test_one_that_takes_back_what_is_needed_is_not(stage: Stage) -> None:
    """The commit brings the failure, and a file that later ones need."""
    repo = start(stage)
    repo.git("rm", "-q", "helper")
    repo.git("commit", "-q", "--amend", "-m", "without")
    repo.write({"helper": b"1\n"})
    repo.git("add", "helper")
    repo.commit("guilty", {"a.txt": text(line_4="bad")})
    done = stage.here("changes", "v1", "HEAD", *CHECK)
    assert advice(done) == ""
    assert "repairs HEAD" in done.out


def test_a_working_tree_that_is_not_committed(stage: Stage) -> None:
    repo = start(stage)
    guilty = repo.commit("guilty", {"a.txt": text(line_4="bad")})
    assert guilty[:12] in advice(stage.here("changes", "v1", ".", *CHECK))
    repo.write({"a.txt": text(line_4="bad", line_6="edited")})
    assert advice(stage.here("changes", "v1", ".", *CHECK)) == ""
