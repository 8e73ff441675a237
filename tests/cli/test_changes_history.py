"""`wynot changes` and `wynot bisect` on histories: whole commits are tried first."""

from __future__ import annotations

import subprocess
from random import Random

import pytest

from tests.support.repos import DAY, Repo
from tests.support.stage import Stage

FILES = ("client.txt", "server.txt", "wire.txt")
APART = 4
"""Lines from one field to the next, so that each is a hunk of its own."""
CHECK = "cmp -s client.txt server.txt && cmp -s client.txt wire.txt || exit 125\n"


def all_or_nothing(stage: Stage, count: int, commits_per_day: int = 1) -> tuple[Repo, list[int]]:
    """A history in which each commit changes the same field in three files; which field, by commit.

    A tree in which the files differ cannot be tested, and no message says why.
    """
    repo = Repo(stage.work)
    order = list(range(count))
    Random(1).shuffle(order)
    lines = [f"field {n // APART} v1" if n % APART == 0 else "" for n in range(count * APART)]
    rows: list[str] = []
    for number in range(count + 1):
        if number:
            lines[order[number - 1] * APART] = f"field {order[number - 1]} v2"
        date, subject, text = 10**9 + number // commits_per_day * DAY, f"commit {number}", "\n".join([*lines, ""])
        rows.append(f"commit refs/heads/main\ncommitter Ada <a@example.com> {date} +0000\n")
        rows.append(f"data {len(subject)}\n{subject}\n")
        rows += [f"M 644 inline {path}\ndata {len(text)}\n{text}\n" for path in FILES]
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repo.path, input="".join(rows).encode(), check=True)
    repo.git("reset", "-q", "--hard")
    return repo, order


@pytest.mark.parametrize("commits_per_day", [1, 12])
def test_commits_that_are_all_or_nothing(stage: Stage, commits_per_day: int) -> None:
    """348 changes of 116 commits, and no message that says what is missing: groups by commit or date find it."""
    repo, order = all_or_nothing(stage, 116, commits_per_day)
    commit = order.index(57) + 1
    sha = repo.git("rev-parse", f"HEAD~{116 - commit}")
    test = stage.script("../check", f"{CHECK}grep -q 'field 57 v2' wire.txt")
    found = stage.here("changes", "HEAD~116", "HEAD", "--test", test, "--json").json
    assert found["changes"] == 348
    assert [each["path"] for each in found["breaks"]] == [each["path"] for each in found["repairs"]] == list(FILES)
    assert {*map(tuple, (each["commits"] for each in found["breaks"]))} == {(sha,)}
    assert found["minimality"] == "1-minimal"
    assert found["needed"] <= 20
    only = stage.here("changes", "HEAD~116", "HEAD", "--test", test, "--repairs", "--json", "--fresh").json
    assert [each["path"] for each in only["repairs"]] == list(FILES)
    assert only["needed"] <= 16


def test_two_such_commits_that_fail_only_together(stage: Stage) -> None:
    repo, order = all_or_nothing(stage, 60)
    places = sorted(order.index(field) + 1 for field in (7, 50))
    shas = [repo.git("rev-parse", f"HEAD~{60 - place}") for place in places]
    test = stage.script("../check", f"{CHECK}grep -q 'field 7 v2' wire.txt && grep -q 'field 50 v2' wire.txt")
    found = stage.here("changes", "HEAD~60", "HEAD", "--test", test, "--json").json
    assert [each["sha"] for each in found["commits"]] == shas
    assert (len(found["breaks"]), len(found["repairs"])) == (6, 3)
    assert found["needed"] <= 40


def test_bisect_begins_with_the_commit_that_it_has_found(stage: Stage) -> None:
    """The search along the revisions has shown that it is needed; by itself it is enough."""
    repo, order = all_or_nothing(stage, 116)
    sha = repo.git("rev-parse", f"HEAD~{116 - order.index(57) - 1}")
    test = stage.script("../check", f"{CHECK}grep -q 'field 57 v2' wire.txt")
    found = stage.here("bisect", "HEAD~116", "HEAD", "--test", test, "--json").json
    assert [each["sha"] for each in found["guilty"]] == [sha]
    assert [each["path"] for each in found["breaks"]] == list(FILES)
    assert found["needed"] <= 6


def test_many_changes_come_with_a_hint(stage: Stage) -> None:
    """Between two folders no commits are known: none of the changes can be left out alone."""
    repo, _ = all_or_nothing(stage, 10)
    for name, commit in (("old", "HEAD~10"), ("new", "HEAD")):
        repo.git("worktree", "add", "-q", "--detach", str(stage.folder / name), commit)
    test = stage.script("../check", f"{CHECK}grep -q 'field 7 v2' wire.txt")
    done = stage.here("changes", f"{stage.folder}/old", f"{stage.folder}/new", "--test", test)
    assert done.code == 0, done.err
    assert "30 of 30 changes together break " in done.out
    assert "30 changes is a large answer; choose an OLD closer to NEW: between two git revisions" in done.out
    done = stage.here("changes", "HEAD~10", "HEAD", "--test", test, "--group-by", "none", "--no-coverage")
    assert "30 changes of 10 commits is a large answer; to find the commit: wynot bisect 'HEAD~10' HEAD" in done.out
    assert "large answer" not in stage.here("changes", "HEAD~10", "HEAD", "--test", test).out
