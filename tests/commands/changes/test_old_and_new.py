"""Where old and new come from, and which commits changes come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repos import Repo
from wynot.commands.changes.old_and_new import Sources, patch_sources, sources
from wynot.core.config import Config
from wynot.domains.changes.patched_folder import PatchedFolder
from wynot.errors import UsageError


def _written(root: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def _headers(found: Sources) -> list[tuple[str, str]]:
    return [(change.path, change.header) for change in found.changes]


def _subjects(found: Sources) -> list[list[str]]:
    assert found.history is not None
    return [[found.history.commits[each].subject for each in origin] for origin in found.history.origins]


def test_two_folders(tmp_path: Path) -> None:
    _written(tmp_path / "old", {"a": b"1\n", ".git/x": b"", "sub/.git": b"gitdir: elsewhere"})
    _written(tmp_path / "new", {"a": b"2\n", "b": b""})
    (tmp_path / "new" / "a").chmod(0o664)
    found = sources("old", "new", here=tmp_path)
    assert _headers(found) == [("a", "@@ -1,1 +1,1 @@"), ("b", "added file"), ("sub", "deleted folder")]
    assert found.history is None


def test_two_revisions_and_their_commits(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    lines = [b"%d\n" % each for each in range(20)]
    repo.commit("base", {"a": b"".join(lines), "old": b"x\n" * 30, "gone": b""})
    before = repo.state()
    lines[3] = b"three\n"
    repo.commit("three", {"a": b"".join(lines)})
    del lines[10]
    repo.commit("without ten", {"a": b"".join(lines), "gone": None})
    lines[3] = b"THREE\n"
    lines.insert(15, b"new\n")
    repo.commit("loud", {"a": b"".join(lines), "fresh": b"1\n"})
    (repo.path / "old").rename(repo.path / "moved")
    repo.commit("moved")
    (repo.path / "a").chmod(0o755)
    repo.commit("mode")
    found = sources("HEAD~5", "HEAD", here=repo.path)
    assert list(zip(_headers(found), _subjects(found), strict=True)) == [
        (("a", "mode 644 -> 755"), ["mode"]),
        (("a", "@@ -4,1 +4,1 @@"), ["three", "loud"]),
        (("a", "@@ -11,1 +10,0 @@"), ["without ten"]),
        (("a", "@@ -16,0 +16,1 @@"), ["loud"]),
        (("fresh", "added file"), ["loud"]),
        (("gone", "deleted file"), ["without ten"]),
        (("moved", "renamed from old"), ["moved"]),
    ]
    assert found.history is not None
    assert found.history.ages == (4, 2, 1, 2, 2, 1, 3)
    assert found.history.commits[0].author == "Ada"
    assert found.history.days[2:4] == ("2001-09-12", "2001-09-13")
    assert found.history.names[1] == tuple(found.history.commits[each].sha for each in (0, 2))
    assert found.history.commits[0].date.startswith("2001-09-")
    assert before[0] != repo.state()[0]


def test_a_merge_counts_as_one_commit(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("base", {"a": b"1\n", "b": b"1\n"})
    repo.git("switch", "-q", "-c", "side")
    repo.commit("side", {"a": b"2\n"})
    repo.git("switch", "-q", "main")
    repo.commit("main", {"b": b"2\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "merged", "side")
    assert _subjects(sources("HEAD~2", "HEAD", here=repo.path)) == [["merged"], ["main"]]


def test_a_dirty_working_tree_may_be_new(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("base", {"a": b"1\n2\n3\n4\n5\n", ".gitignore": b"build\n"})
    repo.commit("five", {"a": b"1\n2\n3\n4\nfive\n"})
    repo.write({"a": b"one\n2\n3\n4\nfive\n", "build/x": b"", "new": b""})
    before = repo.state()
    found = sources("HEAD~1", ".", here=repo.path)
    assert _headers(found) == [("a", "@@ -1,1 +1,1 @@"), ("a", "@@ -5,1 +5,1 @@"), ("new", "added file")]
    assert _subjects(found) == [["not committed yet"], ["five"], ["not committed yet"]]
    assert repo.state() == before


def test_a_folder_of_the_working_tree_is_compared_with_the_same_one_of_a_revision(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("base", {"d/a": b"1\n", "e": b"1\n"})
    repo.commit("two", {"d/a": b"2\n", "e": b"2\n"})
    found = sources("HEAD~1", ".", here=repo.path / "d")
    assert _headers(found) == [("a", "@@ -1,1 +1,1 @@")]
    assert _subjects(found) == [["two"]]


def test_what_could_be_both_is_a_revision_unless_there_is_a_slash(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("base", {"v1/a": b"folder\n", "a": b"1\n"})
    repo.git("tag", "v1")
    repo.commit("two", {"a": b"2\n"})
    assert _headers(sources("v1", "HEAD", here=repo.path)) == [("a", "@@ -1,1 +1,1 @@")]
    _written(tmp_path / "other", {"a": b"plain\n"})
    assert _headers(sources("./v1", "../other", here=repo.path)) == [("a", "@@ -1,1 +1,1 @@")]


def test_branches_with_a_slash_are_revisions(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("base", {"a": b"1\n"})
    repo.git("branch", "feature/x")
    repo.commit("two", {"a": b"2\n"})
    assert len(sources("feature/x", "HEAD", here=repo.path).changes) == 1


def test_revisions_on_two_branches_have_no_commits_in_between(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("base", {"a": b"1\n"})
    repo.git("switch", "-q", "-c", "side")
    repo.commit("side", {"a": b"2\n"})
    repo.git("switch", "-q", "main")
    repo.commit("main", {"a": b"3\n"})
    assert sources("side", "main", here=repo.path).history is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("one", "one", "nothing has changed"),
        ("one", "none", "no folder none"),
        ("file", "one", "is a file"),
    ],
)
def test_bad_names_are_told_in_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    _written(tmp_path, {"one/a": b"", "file": b""})
    with pytest.raises(UsageError, match=message) as caught:
        sources(old, new, here=tmp_path)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_ends_of_lines_and_odd_names_survive(tmp_path: Path) -> None:
    _written(tmp_path / "old", {"\udcff x": b"1\r\n2\r\n3", "crlf": b"a\r\nb\r\n"})
    _written(tmp_path / "new", {"\udcff x": b"1\r\n2\r\n3\r\n4", "crlf": b"a\nb\n"})
    found = sources("old", "new", here=tmp_path)
    assert _headers(found) == [("crlf", "@@ -1,2 +1,2 @@"), ("\udcff x", "@@ -3,1 +3,2 @@")]
    assert PatchedFolder(found.old, found.new, found.changes).render(Config.of([0, 1])) == found.new


def test_a_series_of_patches_counts_as_commits(tmp_path: Path) -> None:
    _written(tmp_path / "old", {"a": b"1\n2\n3\n4\n5\n"})
    one = b"--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n"
    two = b"--- a/a\n+++ b/a\n@@ -4,2 +4,2 @@\n 4\n-5\n+five\n"
    _written(tmp_path, {"p/1.patch": one, "p/2.patch": two, "p/series": b"# two\n1.patch -p1\n2.patch\n"})
    found = patch_sources(str(tmp_path / "old"), [tmp_path / "p" / "series"])
    assert _headers(found) == [("a", "@@ -1,1 +1,1 @@"), ("a", "@@ -5,1 +5,1 @@")]
    assert _subjects(found) == [["1"], ["2"]]
