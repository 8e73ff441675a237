"""`wynot bisect`: merges are searched within, and what cannot be tested is reported with its message."""

from __future__ import annotations

from tests.support.repos import Repo
from tests.support.stage import Stage

CHECK = b"""\
import os
assert not (os.path.exists('half') and os.path.exists('other')), 'bad'
import shop
assert shop.PRICE == 1
"""
START: dict[str, bytes | None] = {"shop.py": b"PRICE = 1\n", "check.py": CHECK}


def merged(repo: Repo, branch: str) -> str:
    repo.git("merge", "-q", "--no-ff", "-m", f"Merge {branch}", branch)
    return repo.git("rev-parse", "HEAD")


def test_a_merge_in_a_merge(stage: Stage) -> None:
    """The guilty commit is on a side of a side."""
    repo = Repo(stage.work)
    repo.commit("start", START)
    repo.git("tag", "good")
    repo.git("checkout", "-q", "-b", "outer")
    repo.commit("outer work", {"b": b"1\n"})
    repo.git("checkout", "-q", "-b", "inner")
    repo.commit("inner work", {"c": b"1\n"})
    guilty = repo.commit("guilty", {"shop.py": b"PRICE = 2\n"})
    repo.commit("more inner work", {"shop.py": b"PRICE = 2\n\n"})
    repo.git("checkout", "-q", "outer")
    repo.commit("more outer work", {"b": b"2\n"})
    merged(repo, "inner")
    repo.git("checkout", "-q", "main")
    repo.commit("main work", {"d": b"1\n"})
    last = merged(repo, "outer")
    repo.commit("after", {"d": b"2\n"})
    done = stage.here("bisect", "good", "HEAD", "--no-coverage", "--", "python3", "check.py")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[:2] == ["first failing commit:", lines[1]]
    assert lines[1].startswith(f"  {last[:12]} ")
    assert lines[2:6:2] == ["within that merge, first failing commit:"] * 2
    assert lines[3].endswith(" Merge inner")
    assert lines[5].startswith(f"  {guilty[:12]} ")
    found = stage.here("bisect", "good", "HEAD", "--no-coverage", "--json", "--", "python3", "check.py").json
    assert [[each["sha"] for each in side["suspects"]] for side in found["merged"]][-1] == [guilty]
    assert found["along"]["needed"] <= 10


def test_a_merge_of_two_sides_that_pass(stage: Stage) -> None:
    repo = Repo(stage.work)
    repo.commit("start", START)
    repo.git("tag", "good")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("half", {"half": b""})
    repo.git("checkout", "-q", "main")
    repo.commit("other", {"other": b""})
    merge = merged(repo, "side")
    done = stage.here("bisect", "good", "HEAD", "--no-coverage", "--", "python3", "check.py")
    lines = done.out.splitlines()
    assert lines[1].startswith(f"  {merge[:12]} ")
    assert lines[2] == "within that merge, no single commit is the cause: each side passes, their combination fails"


def test_a_merge_of_a_side_that_cannot_be_tested(stage: Stage) -> None:
    """The test is newer than the side, or is made on it: the message says so, and nothing is said of its commits."""
    repo = Repo(stage.work)
    repo.commit("start", {"shop.py": b"PRICE = 1\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("guilty", {"shop.py": b"PRICE = 2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("test", {"check.py": CHECK})
    repo.git("tag", "good")
    merged(repo, "side")
    words = ("--no-coverage", "--", "python3", "check.py")
    lines = stage.here("bisect", "good", "HEAD", *words).out.splitlines()
    side = "within that merge, the commit is not known: the side that it has merged cannot be tested"
    assert lines[2].startswith(f"{side} (")
    assert "open file" in lines[2]

    repo.git("checkout", "-q", "-b", "tested", "good~1")
    repo.commit("guilty and its test", {"shop.py": b"PRICE = 2\n", "check.py": CHECK})
    repo.git("checkout", "-q", "-B", "main", "good")
    merged(repo, "tested")
    lines = stage.here("bisect", "good", "HEAD", *words).out.splitlines()
    begin = "within that merge, the commit is not known: the commit from which the merged side starts cannot be tested"
    assert lines[2].startswith(f"{begin} (")
    assert "open file" in lines[2]


def test_how_revisions_end_that_show_another_failure(stage: Stage) -> None:
    """The first that does not pass is named with its message, though it is not the failure."""
    repo = Repo(stage.work)
    repo.commit("start", START)
    repo.commit("fine", {"b": b"1\n"})
    first = repo.commit("renames it", {"shop.py": b"COST = 2\n"})
    repo.commit("works on", {"shop.py": b"COST = 2\n\n"})
    repo.commit("breaks it otherwise", {"shop.py": b"1 / 0\n"})
    last = repo.commit("names it as before", {"shop.py": b"PRICE = 2\n"})
    words = ("bisect", "HEAD~5", "HEAD", "--no-coverage", "--", "python3", "check.py")
    done = stage.here(*words)
    lines = done.out.splitlines()
    assert done.code == 0, done.err
    assert lines[0] == "the first failing commit is one of 4: those before the last end in another way"
    assert lines[4].startswith(f"  {last[:12]} ")
    message = "AttributeError: module 'shop' has no attribute 'PRICE'"
    assert lines[5].startswith(f"the first that does not pass is {first[:12]}: {message}")
    assert lines[6].startswith(f"  1 other: {message}")
    assert lines[7].startswith("  1 other: ZeroDivisionError: division by zero")
    again = stage.here(*words[:3], "--json", *words[3:]).json  # from the journal
    assert [each["how"].partition(":")[0] for each in again["untested"]] == ["AttributeError"] * 2 + [
        "ZeroDivisionError"
    ]
