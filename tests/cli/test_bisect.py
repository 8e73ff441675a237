"""`wynot bisect`: since when, and which commits together."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.repos import Repo
from tests.support.stage import Stage, eventually

MANY, FIRST, SECOND = 500, 100, 400
PLACES = {FIRST: "d1/f1.txt", SECOND: "d3/f13.txt"}
CHECK = f"! (grep -q guilty {PLACES[FIRST]} && grep -q guilty {PLACES[SECOND]})\n"


def long_history(stage: Stage) -> Repo:
    """500 commits, each changes a line in one of twenty files; two of them fail only together."""
    repo = Repo(stage.work)
    rows = [f"commit refs/heads/main\ncommitter Ada <a@example.com> {10**9} +0000\ndata 5\nstart\n"]
    files = {f"d{number % 5}/f{number}.txt": "".join(f"line {n}\n" for n in range(90)) for number in range(20)}
    files["check.sh"] = CHECK
    rows += [f"M 644 inline {path}\ndata {len(text)}\n{text}\n" for path, text in files.items()]
    for number in range(1, MANY + 1):
        path = PLACES.get(number, f"d{number % 5}/f{number % 20}.txt")
        lines = files[path].splitlines()
        place = 89 if number in PLACES else number // 20 * 3
        lines[place] = "guilty" if number in PLACES else f"line {place} of {number}"
        files[path] = "\n".join(lines) + "\n"
        subject = f"commit {number}"
        rows.append(f"commit refs/heads/main\ncommitter Ada <a@example.com> {10**9 + number * 3600} +0000\n")
        rows.append(f"data {len(subject)}\n{subject}\nM 644 inline {path}\ndata {len(files[path])}\n{files[path]}\n")
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repo.path, input="".join(rows).encode(), check=True)
    repo.git("reset", "-q", "--hard")
    return repo


def test_two_commits_of_500_that_fail_only_together(stage: Stage) -> None:
    """Both are found; `git bisect run` names the later one only."""
    repo = long_history(stage)
    good, bad = f"HEAD~{MANY}", "HEAD"
    shas = [repo.git("rev-parse", f"HEAD~{MANY - number}") for number in (FIRST, SECOND)]
    before = repo.state()
    words = ("bisect", good, bad, "-o", stage.folder / "found.patch", "--no-coverage", "--json", "--", "sh", "check.sh")
    done = stage.here(*words)
    assert done.code == 0, done.err
    assert repo.state() == before
    found = done.json
    assert [each["sha"] for each in found["suspects"]] == [shas[1]]
    assert [each["sha"] for each in found["guilty"]] == shas
    assert [each["path"] for each in found["breaks"]] == list(PLACES.values())
    assert (found["revisions"], found["minimality"]) == (MANY, "1-minimal")
    assert found["along"]["needed"] <= 10  # the last one without the commit that was found
    assert found["needed"] <= 40
    clone = Repo(stage.folder / "clone")
    clone.git("pull", "-q", str(repo.path), "main")
    clone.git("bisect", "start", bad, good)
    said = clone.git("bisect", "run", "sh", "check.sh")
    assert f"{shas[1]} is the first" in said
    assert shas[0] not in said


def test_skips_merges_and_what_is_said(stage: Stage) -> None:
    """Two revisions cannot be tested; what a merge brought is one commit, with its own commits named."""
    repo = Repo(stage.work)
    repo.commit("start", {"a": b"1\n", "check.sh": b"test -e broken && exit 125; grep -q bad a && exit 1; exit 0\n"})
    repo.commit("fine", {"b": b"1\n"})
    repo.commit("breaks the build", {"broken": b""})
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    guilty = repo.commit("side work", {"a": b"bad\n"})
    repo.commit("more side work", {"c": b"2\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    repo.commit("mends the build", {"broken": None})
    words = ("bisect", "HEAD~3", "HEAD", "--fail-if-exit", "1", "--", "sh", "check.sh")
    done = stage.here(*words)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "the first failing commit is one of 3: those before the last end in another way"
    assert [line.split(" Ada ")[1] for line in lines[1:4]] == ["breaks the build", "Merge side", "mends the build"]
    assert lines[4] == f"the first that does not pass is {repo.git('rev-parse', 'HEAD~2')[:12]}: exit 125"
    assert lines[5] == "  1 other: exit 125"
    assert "-1\n+bad\n" in done.out
    merge = repo.git("rev-parse", "HEAD~1")
    assert f"  from {merge[:12]} " in done.out
    assert f"\n    merged {guilty[:7]} Ada " in done.out
    assert "more side work" not in done.out  # it did not touch the file
    assert repo.git("status", "--porcelain") == "?? culprit.patch"


@pytest.fixture
def short(stage: Stage) -> Repo:
    repo = Repo(stage.work)
    repo.commit("0", {"a": b"0\n"})
    for number in range(1, 17):
        repo.commit(str(number), {"a": f"{number}\n".encode()})
    return repo


@pytest.mark.usefixtures("short")
def test_a_budget_is_3(stage: Stage) -> None:
    words = ("bisect", "HEAD~16", "HEAD", "--json", "--", "sh", "-c", "test $(cat a) -lt 11")
    done = stage.here(*words[:3], "--budget-tests", "2", *words[3:])
    assert (done.code, done.json["status"], len(done.json["suspects"])) == (3, "budget", 4)
    done = stage.here(*words)
    assert (done.code, [each["subject"] for each in done.json["suspects"]]) == (0, ["11"])
    assert done.json["along"]["tests"] == 2  # two were known
    again = stage.here(*words[:3], "-j", "2", "--fresh", *words[3:])
    assert (again.code, again.json["guilty"]) == (0, done.json["guilty"]), again.err


@pytest.mark.parametrize(("command", "looks"), [("sleep 1000", 1), ("test $(cat a) -lt 11 || sleep 1000", 2)])
@pytest.mark.usefixtures("short")
def test_interrupted_before_both_ends_are_known_it_blames_nobody(stage: Stage, command: str, looks: int) -> None:
    """GOOD hangs, which is looked at first; or GOOD passes, and then BAD hangs."""
    words = ("bisect", "HEAD~16", "HEAD", "--timeout", "1000s", "--", "sh", "-c")
    process = stage.start(*words, f"echo seen >> {stage.folder}/log; {command}")
    eventually(lambda: len(stage.log) == looks, "a test hangs")
    process.send_signal(signal.SIGINT)
    done = stage.ended(process)
    assert done.code == 130
    first, run = done.out.splitlines()
    assert first == "nothing is known yet: HEAD and HEAD~16 themselves come first"
    assert run.startswith("run ")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("HEAD~3", "--", "true"), 2, "BAD is missing"),
        (("HEAD", "HEAD", "--", "true"), 2, "there is no commit from HEAD to HEAD"),
        (("HEAD", "HEAD~3", "--", "true"), 2, "HEAD is not among the ancestors of HEAD~3"),
        (("HEAD", "HEAD~3", "--", "true"), 2, "HEAD is not among the ancestors of HEAD~3, but HEAD~3 is among those"),
        (("HEAD~3", ".", "--", "true"), 2, ". is a folder, and bisect goes along commits"),
        (
            ("HEAD~3", "HEAD", "--", "grep", "16", "a"),
            1,
            "HEAD~3 fails and HEAD does not: the range repairs the failure",
        ),
        (("v9", "HEAD", "--", "true"), 2, "there is no revision v9 here"),
        (("HEAD~3", "HEAD"), 2, "what is to be run?"),
        (("HEAD~3", "HEAD", "--", "true"), 1, "the failure does not show on HEAD"),
        (("HEAD~3", "HEAD", "--", "false"), 1, "HEAD~3 does not pass the test"),
    ],
)
@pytest.mark.usefixtures("short")
def test_bad_input(stage: Stage, words: tuple[str, ...], code: int, told: str) -> None:
    done = stage.here("bisect", *words)
    said, hint = done.told.splitlines()
    assert (done.code, done.out) == (code, "")
    assert said.startswith(f"wynot: {told}")
    assert hint.startswith("  ")


@pytest.mark.parametrize("name", ["changes", "bisect"])
def test_a_test_that_is_newer_than_the_good_one(stage: Stage, name: str) -> None:
    """It is said what to do, and that works."""
    repo = Repo(stage.work)
    repo.commit("start", {"a": b"1\n"})
    repo.commit("guilty", {"a": b"2\n", "test.sh": b"grep -q 1 a\n"})
    done = stage.here(name, "HEAD~1", "HEAD", "--", "sh", "test.sh")
    said, *_, hint = done.told.splitlines()
    assert done.code == 1
    assert said.startswith("wynot: HEAD~1 does not pass the test")
    assert hint == "  test.sh is newer than HEAD~1: copy it out of the tree, and name the copy: cp test.sh /tmp"
    copy = stage.folder / "copy.sh"
    copy.write_bytes((repo.path / "test.sh").read_bytes())
    assert stage.here(name, "HEAD~1", "HEAD", "--", "sh", copy).code == 0


def test_lines_are_those_of_their_own_commits(stage: Stage) -> None:
    """Two commits have made one hunk; only one of them made the line that matters. A submodule is told of."""
    repo = Repo(stage.work)
    start = repo.commit("start", {"a": b"1\n2\n3\n"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{start},other")
    repo.git("commit", "-q", "-m", "submodule")
    guilty = repo.commit("guilty", {"a": b"bad\n2\n3\n"})
    repo.commit("beside it", {"a": b"bad\nnew\n3\n"})
    repo.commit("calls", {"b": b"call\n"})
    words = ("bisect", "HEAD~3", "HEAD", "--json", "--fail-if-exit", "3", "--", "sh", "-c")
    check = "grep -q bad a && test -e b && exit 3; exit 0"
    whole = stage.here(*words, check)
    assert [each["subject"] for each in whole.json["guilty"]] == ["guilty", "calls"]
    assert "the failure needs changes of 2 commits:" in stage.here(*words[:3], *words[4:], check).out
    fine = stage.here(*words[:4], "--lines", "--apart", "2", *words[4:], check)
    assert fine.code == 0, fine.err
    assert [each["subject"] for each in fine.json["guilty"]] == ["guilty", "calls"]
    assert [each["commits"] for each in fine.json["breaks"] if each["path"] == "a"] == [[guilty]]
    assert "other is a submodule" in fine.err


def test_two_causes_in_one_commit(stage: Stage) -> None:
    repo = Repo(stage.work)
    repo.commit("start", {"a": b"1\n", "b": b"1\n"})
    repo.commit("guilty twice", {"a": b"bad\n", "b": b"bad\n"})
    words = ("bisect", "HEAD~1", "HEAD", "--causes", "2", "--json", "--", "sh", "-c", "! grep -q bad a b")
    done = stage.here(*words)
    assert done.code == 0, done.err
    assert sorted(each["path"] for cause in done.json["causes"] for each in cause) == ["a", "b"]
    assert done.json["more"] is False
    assert done.json["outputs"] == ["culprit.patch", "culprit.2.patch"]


@pytest.fixture
def undone(stage: Stage) -> Repo:
    """The first commit breaks it, the third undoes that, the fifth breaks it again."""
    repo = Repo(stage.work)
    repo.commit("start", {"base": b"1\n", "fix": b"0\n", "scale": b"1\n", "check.sh": UNDONE})
    for subject, path in (("base", "base"), ("x", "x"), ("repair", "fix"), ("y", "y"), ("scale", "scale")):
        repo.commit(subject, {path: b"9\n"})
    return repo


UNDONE = b"test $(cat scale) = 1 && { test $(cat base) = 1 || test $(cat fix) = 9; }\n"
AGAIN = ("bisect", "HEAD~5", "HEAD")


@pytest.mark.usefixtures("undone")
def test_another_cause_after_the_first_commit_that_fails(stage: Stage) -> None:
    done = stage.here(*AGAIN, "--", "sh", "check.sh")
    assert done.code == 0, done.err
    said = done.out.splitlines()
    assert said[0] == "it fails at this commit, and does not fail before it:"
    assert said[1].endswith(" base")
    assert said[2:4] == [
        "HEAD still fails with that commit reverted: there is another cause",
        "to find the causes of HEAD, add --causes 2 or more",
    ]
    run = stage.here(*AGAIN, "--json", "--", "sh", "check.sh").json
    assert run["others"] is True
    assert run["along"]["needed"] <= 4
    assert stage.here("verify", run["along"]["run"]).code == 0


@pytest.mark.usefixtures("undone")
def test_causes_of_the_last_revision(stage: Stage) -> None:
    done = stage.here(*AGAIN, "--causes", "3", "--json", "--", "sh", "check.sh")
    assert done.code == 0, done.err
    causes = [[each["path"] for each in cause] for cause in done.json["causes"]]
    assert causes == [["scale"]]
    assert done.json["more"] is False
    told = stage.here(*AGAIN, "--causes", "3", "--", "sh", "check.sh").out
    assert "add --causes" not in told
    assert "\n1 cause, found in turn; without it, the rest does not fail\n" in told


def test_a_first_commit_that_is_the_only_cause(stage: Stage) -> None:
    """It is why the last revision fails; where a revert is a conflict, nothing is said of that."""
    repo = Repo(stage.work)
    repo.commit("start", {"a": b"1\n"})
    repo.commit("guilty", {"a": b"bad\n"})
    repo.commit("beside", {"b": b"2\n"})
    command = ("--json", "--", "sh", "-c", "! grep -q bad a")
    assert stage.here("bisect", "HEAD~2", "HEAD", *command).json["others"] is False
    repo.commit("over it", {"a": b"very bad\n"})
    assert stage.here("bisect", "HEAD~3", "HEAD", *command).json["others"] is False


def test_no_repository(stage: Stage, tmp_path: Path) -> None:
    done = stage.here("bisect", "a", "b", "--", "true")
    assert (done.code, done.err.splitlines()[0]) == (2, f"wynot: {stage.work} is not in a git repository")
    assert tmp_path.exists()


@pytest.fixture
def four(stage: Stage) -> Stage:
    """Four commits, of which the third breaks it."""
    repo = Repo(stage.work)
    for number in range(4):
        repo.commit(f"commit {number}", {f"{number}.txt": b"bad\n" if number == 2 else b"good\n"})
    return stage


CHECKED = ("--no-coverage", "--", "sh", "-c", "! grep -q bad *.txt")


def test_the_run_that_is_named_is_the_one_along_the_revisions(four: Stage) -> None:
    done = four.here("bisect", "HEAD~3", "HEAD", *CHECKED)
    assert done.code == 0, done.err
    for name in (done.out.split()[-1], "last"):
        text = four.here("report", name, "--format", "md", "-o", "-").out
        assert text.startswith("# Since when it fails: HEAD\n")
        assert "**Fails since:**\n\n- " in text
        assert " commit 2\n" in text


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (
            ("HEAD~3", "HEAD~2", *CHECKED),
            "BAD is to be the one that fails; try it by hand, in a copy: git worktree add",
        ),
        (("HEAD~3", "HEAD", "--", "sh", "nosuch.sh"), "neither tree has nosuch.sh: is that its name?"),
    ],
)
def test_hints_that_help(four: Stage, words: tuple[str, ...], hint: str) -> None:
    done = four.here("bisect", *words)
    assert done.code == 1
    assert done.err.splitlines()[-1].strip().startswith(hint)


def test_outside_of_a_repository_the_hint_is_about_bisect(stage: Stage) -> None:
    done = stage.here("bisect", "a", "b", "--", "true")
    assert (done.code, "wynot bisect GOOD BAD" in done.err) == (2, True)
