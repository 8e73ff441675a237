"""`wynot changes`: two answers, two patches that git takes, and how it ends."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.repos import Repo
from tests.support.stage import Stage, eventually

TEST = ("--test", "./check")
LINES = 60
GUILTY = "grep -q '^6 new' a.txt && grep -q '^30 new' d/b.txt"
"""Two changes that fail only together."""


def text(changed: bool) -> str:
    return "".join(f"{n} {'new' if changed and n % 6 == 0 else 'old'}\n" for n in range(LINES))


@pytest.fixture
def shop(stage: Stage) -> Stage:
    """Two folders with 21 changes between them."""
    for name, changed in (("old", False), ("new", True)):
        (stage.work / name / "d").mkdir(parents=True)
        for path in ("a.txt", "d/b.txt"):
            stage.file(f"{name}/{path}", text(changed))
    stage.file("new/added.txt", "more\n")
    stage.script("check", f"echo run >> {stage.folder}/log; {GUILTY}")
    return stage


@pytest.fixture
def repo(stage: Stage) -> Repo:
    """A repository: each commit has its file, `two` and `four` break it together."""
    repo = Repo(stage.work / "repo")
    repo.commit("start", {"a.txt": b"old\n", "check.sh": b"! (grep -q bad 2.txt && grep -q bad 4.txt) 2>/dev/null\n"})
    for number, subject in enumerate(("one", "two", "three", "four", "five"), 1):
        repo.commit(subject, {f"{number}.txt": b"bad\n"})
    stage.work = repo.path
    return repo


def applied(stage: Stage, tree: str, patch: str) -> bool:
    """Whether a tree fails after a patch, which git must take."""
    copy = stage.folder / f"{tree}.with.{patch}"
    subprocess.run(["cp", "-r", stage.work / tree, copy], check=True)
    subprocess.run(["git", "apply", stage.work / patch], cwd=copy, check=True)
    return subprocess.run(["sh", "-c", GUILTY], cwd=copy, check=False).returncode == 0


def contents(folder: Path) -> list[tuple[str, bytes, float]]:
    return sorted((str(p), p.read_bytes(), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file())


def test_two_folders(shop: Stage) -> None:
    before = contents(shop.work)
    done = shop.here("changes", "old", "new", *TEST)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "2 of 21 changes together break old (1-minimal: none of them can be removed)"
    assert lines[1:5] == ["a.txt", "@@ -4,7 +4,7 @@", " 3 old", " 4 old"]
    assert "-6 old\n+6 new\n" in done.out
    assert "-30 old\n+30 new\n" in done.out
    assert "reverting 1 of 21 changes repairs new\n" in done.out
    assert lines[-3:-1] == [
        "written to culprit.patch; to make old fail: git apply --directory=old culprit.patch",
        "written to repair.patch; to repair new: git apply --directory=new repair.patch",
    ]
    assert "\x1b" not in done.out
    (account,) = [line for line in lines if " baseline" in line]
    total, *parts = map(int, re.findall(r"(\d+) (?:tests|for) ", account))
    assert sum(parts) == total, account
    assert applied(shop, "old", "culprit.patch")
    assert not applied(shop, "new", "repair.patch")
    assert [each for each in contents(shop.work) if not each[0].endswith(".patch")] == before
    for line in lines[-3:-1]:  # what is to be typed can be
        subprocess.run(["sh", "-c", line.rpartition(": ")[2]], cwd=shop.work, check=True)
    assert "6 new\n" in (shop.work / "old" / "a.txt").read_text()
    shop.assert_clean()


def test_a_second_run_runs_no_test_whatever_the_number_of_jobs(shop: Stage) -> None:
    words = ("changes", "old", "new", *TEST, "--json")
    first, runs = shop.here(*words, "-j", "2").json, len(shop.log)
    second = shop.here(*words).json
    assert (second["tests"], second["baseline_tests"]) == (0, 1)
    assert len(shop.log) == runs + 4  # the input, both results, and the latest candidate of another outcome
    for name in ("breaks", "repairs", "run", "outputs", "changes", "minimality"):
        assert second[name] == first[name]
    assert first["breaks"] == [
        {"path": "a.txt", "header": "@@ -7,1 +7,1 @@", "commits": []},
        {"path": "d/b.txt", "header": "@@ -31,1 +31,1 @@", "commits": []},
    ]
    assert (first["command"], first["status"], first["minimality"]) == ("changes", "done", "1-minimal")
    assert (first["changes"], first["set_aside"]["changes"]) == (21, 1)  # nobody reads added.txt
    assert first["needed"] == sum(first["questions"].values()) + 1
    assert first["outputs"] == ["culprit.patch", "repair.patch"]


def test_a_failure_that_is_no_longer_steady_in_the_end_is_searched_again(
    shop: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three runs fail, and the search takes it for steady; later, every second run fails."""
    monkeypatch.setenv("WYNOT_TEST_COUNT", str(tmp_path / "count"))
    test = (
        'grep -q "6 new" a.txt && grep -q "30 new" d/b.txt || exit 0; echo >> "$WYNOT_TEST_COUNT"; '
        'count=$(wc -l < "$WYNOT_TEST_COUNT"); '
        '[ "$count" -gt 8 ] && [ $((count % 2)) = 0 ] && exit 0; echo boom >&2; exit 1'
    )
    found = shop.here("changes", "old", "new", "--breaks", "--no-coverage", "--json", "--", "sh", "-c", test).json
    assert [each["path"] for each in found["breaks"]] == ["a.txt", "d/b.txt"]
    assert 0.3 < found["rate"] < 0.8
    assert found["error"] == 0.01


def test_one_question_one_patch(shop: Stage) -> None:
    done = shop.here("changes", "old", "new", *TEST, "--breaks", "-o", "-")
    assert done.out.startswith("Found by wynot changes: applied to the old one, the failure shows.\n\ndiff --git ")
    assert "2 of 21 changes together break old" in done.err
    done = shop.here("changes", "old", "new", *TEST, "--repairs", "-o", "back.patch", "-q")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert not applied(shop, "new", "back.patch")
    assert sorted(path.name for path in shop.work.glob("*.patch")) == ["back.patch"]


def test_several_causes_several_patches(shop: Stage) -> None:
    """Each patch is enough; --causes 1 says that there are more."""
    shop.script("check", "grep -q '^6 new' a.txt || grep -q '^30 new' d/b.txt")
    words = ("changes", "old", "new", *TEST, "--breaks")
    told = shop.here(*words[:-1]).out
    assert "more than one cause: without a.txt @@ -4,7 +4,7 @@, new still fails\n" in told
    assert "to find all causes, add --causes 2 or more\n" in told
    done = shop.here(*words, "--causes", "3", "--json")
    assert done.code == 0, done.err
    assert [[each["path"] for each in cause] for cause in done.json["causes"]] in (
        [["a.txt"], ["d/b.txt"]], [["d/b.txt"], ["a.txt"]],
    )  # fmt: skip
    assert (done.json["more"], done.json["outputs"]) == (False, ["culprit.patch", "culprit.2.patch"])
    for patch in done.json["outputs"]:
        subprocess.run(["cp", "-r", "old", f"with.{patch}"], cwd=shop.work, check=True)
        subprocess.run(["git", "apply", f"--directory=with.{patch}", patch], cwd=shop.work, check=True)
        assert subprocess.run([shop.work / "check"], cwd=shop.work / f"with.{patch}", check=False).returncode == 0
    told = shop.here(*words, "--causes", "3").out
    assert "another cause: 1 of 21 changes breaks old\n" in told
    assert "written to culprit.2.patch; to make old fail: " in told
    refused = shop.here(*words, "--causes", "2", "--algorithm", "dd")
    assert (refused.code, "--causes goes with the default search" in refused.err) == (2, True)


def test_lines_of_guilty_changes(stage: Stage) -> None:
    for name, word in (("old", "old"), ("new", "new")):
        (stage.work / name).mkdir()
        stage.file(f"{name}/a.txt", "".join(f"{n} {word}\n" for n in range(9)))
    stage.script("check", "grep -q '^4 new' a.txt")
    done = stage.here("changes", "old", "new", *TEST, "--lines")
    assert done.out.startswith("1 line in 1 of 1 change breaks old\n"), done.err
    assert "-4 old\n+4 new\n 5 old\n" in done.out
    assert "+4 new\n 5 old" in (stage.work / "culprit.patch").read_text()


def test_what_dd_isolates_is_what_decides(shop: Stage) -> None:
    done = shop.here("changes", "old", "new", *TEST, "--algorithm", "dd", "--json")
    (found,) = done.json["breaks"]
    assert (found["path"], found["header"]) in {("a.txt", "@@ -7,1 +7,1 @@"), ("d/b.txt", "@@ -31,1 +31,1 @@")}
    assert applied(shop, "old", "culprit.patch")


def test_commits_authors_and_dates(stage: Stage, repo: Repo) -> None:
    before = repo.state()
    target = stage.folder / "found.patch"
    words = ("changes", "HEAD~5", "HEAD", "-o", target, "--", "sh", "check.sh")
    done = stage.here(*words)
    assert done.code == 0, done.err
    shas = [repo.git("rev-parse", f"HEAD~{back}") for back in (3, 1)]
    assert f"  from {shas[0][:12]} 2001-09-12 Ada two\n" in done.out
    assert f"  from {shas[1][:12]} 2001-09-14 Ada four\n" in done.out
    assert done.out.splitlines()[-2] in [f"or revert the whole commit: git revert {sha[:12]}" for sha in shas]
    assert repo.state() == before
    found = stage.here(*words[:-3], "--json", *words[-3:]).json
    assert [each["commits"] for each in found["breaks"]] == [[shas[0]], [shas[1]]]
    assert [each["subject"] for each in found["commits"]] == ["two", "four"]
    assert found["outputs"] == [str(target), str(stage.folder / "found.repair.patch")]


def test_the_working_tree_and_results_that_lie_in_it(stage: Stage, repo: Repo) -> None:
    """What is not committed counts; what an earlier run has written does not."""
    repo.write({"4.txt": b"fine\n", "fresh.txt": b"bad\n", "check.sh": b"! grep -q bad fresh.txt 2>/dev/null\n"})
    words = ("changes", "HEAD", ".", "--test", stage.script("../check", "grep -q bad fresh.txt"), "--json")
    first = stage.here(*words).json
    assert [(each["path"], each["commits"]) for each in first["breaks"]] == [("fresh.txt", [""])]
    assert (stage.work / "repair.patch").exists()
    second = stage.here(*words).json
    assert (second["changes"], second["tests"], second["run"]) == (first["changes"], 0, first["run"])


def test_grouped_by_commit(stage: Stage, repo: Repo) -> None:
    words = ("--group-by", "commit,file", "--no-coverage", "--json", "--", "sh", "check.sh")
    found = stage.here("changes", "HEAD~5", "HEAD", *words).json
    assert [each["path"] for each in found["breaks"]] == ["2.txt", "4.txt"]


def test_a_patch_on_a_folder(shop: Stage) -> None:
    diff = subprocess.run(["git", "diff", "--no-index", "old", "new"], cwd=shop.work, capture_output=True, check=False)
    shop.file("update.diff", diff.stdout.replace(b"a/old", b"a").replace(b"b/new", b"b"))
    done = shop.here("changes", "old", "--patch", "update.diff", "--", "sh", "-c", f"! ({GUILTY})")
    assert done.code == 0, done.err
    assert done.out.startswith("2 of 21 changes together break old ")
    assert "to repair old with the patch: " in done.out


def test_what_does_not_build_is_told_apart(shop: Stage) -> None:
    """Phases of unresolved tests, in words and for machines."""
    build = "! grep -q '^12 new' a.txt || grep -q '^18 new' d/b.txt"
    words = ("changes", "old", "new", *TEST, "--build", build, "--no-coverage", "--algorithm", "ddmin")
    found = shop.here(*words, "--json").json
    assert [each["path"] for each in found["breaks"]] == ["a.txt", "d/b.txt"]
    assert found["phases"]["construction"] == found["outcomes"]["unresolved"] > 0
    assert f"unresolved ({found['phases']['construction']} in construction)" in shop.here(*words, "--fresh").out


def test_coverage_from_a_file(shop: Stage) -> None:
    shop.file("lcov.info", "SF:a.txt\nDA:7,1\nDA:13,0\nDA:19,0\nend_of_record\n")
    done = shop.here("changes", "old", "new", *TEST, "--coverage-from", "lcov.info", "--json")
    assert done.code == 0, done.err
    assert done.json["breaks"][0]["path"] == "a.txt"


@pytest.mark.parametrize(
    ("words", "told", "hint"),
    [
        (("old", "old", *TEST), "nothing has changed from old to old", "name two that differ"),
        (("old", "nowhere", *TEST), "there is no folder nowhere", "ls"),
        (("old", "new"), "what is to be run?", "wynot changes OLD NEW"),
        (("old", *TEST), "NEW is missing", "wynot changes v1.2 HEAD"),
        (("old", "new", "--test", "./nowhere"), "./nowhere: no such test script", "ls -l"),
        (("old", "new", "--", "no-such-program"), "no-such-program: no such program", "command -v"),
        (("old", "new", "--group-by", "taste", *TEST), "--group-by: there are no groups by 'taste'", "folder,file"),
        (("old", "new", "--algorithm", "magic", *TEST), "changes has no algorithm 'magic'", "dd1999"),
        (("old", "new", "--ordered", *TEST), "the order of changes is not known", "revisions"),
        (("old", "new", "--algorithm", "dd", "--repairs", *TEST), "--algorithm and --ordered", "leave out"),
        (("old", "new", "-o", "new/a.txt", *TEST), "new/a.txt exists, and wynot changes has not", "-o "),
        (("old", "new", "-o", "check", *TEST), "check exists, and wynot changes has not", "-o "),
        (("old", "new", "-o", "-", *TEST), "two patches do not fit", "--breaks"),
        (("old", "new", "-o", "old", *TEST), "old is a folder", "old/culprit.patch"),
        (("old", "--patch", "outside.diff", *TEST), "outside.diff does not apply", "git apply --check"),
        (("old", "--patch", "link.diff", *TEST), "link.diff makes a link that leads out", "leave it out"),
        (("old", "new", "--coverage-from", "check", *TEST), "check holds no coverage data", "lcov"),
    ],
)
def test_bad_input_is_2(shop: Stage, words: tuple[str, ...], told: str, hint: str) -> None:
    shop.file("outside.diff", "--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n")
    shop.file(
        "link.diff", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+../../x\n"
    )
    before = contents(shop.work)
    done = shop.here("changes", *words)
    said, then = done.told.splitlines()
    assert (done.code, done.out) == (2, ""), done.err
    assert said.startswith(f"wynot: {told}")
    assert hint in then
    assert contents(shop.work) == before


def test_unknown_revisions(stage: Stage, repo: Repo) -> None:
    done = stage.here("changes", "v9", "HEAD", "--", "true")
    assert done.code == 2
    assert done.err.startswith("wynot: there is no revision v9 here\n  see what there is: git log")
    assert repo.git("status", "--porcelain") == ""


def test_nothing_to_explain_is_1(shop: Stage) -> None:
    done = shop.here("changes", "new", "old", *TEST)
    assert done.code == 1
    assert done.told.splitlines() == [
        "wynot: new fails and old does not: they are the wrong way round",
        "  the one that works comes first: wynot changes old new -- COMMAND",
    ]
    done = shop.here("changes", "old", "new", "--", "true")
    assert done.code == 1
    said, hint = done.told.splitlines()
    assert said.startswith("wynot: the failure does not show on new in 10 runs: ")
    assert hint == "  try it by hand: (cd new && true); echo $?"
    done = shop.here("changes", "old", "new", "--", "false")
    assert done.code == 1
    said, hint = done.told.splitlines()
    assert said.startswith("wynot: old does not pass the test: it also fails (exit 1)")
    assert hint.startswith("  let it use the files of the tree")
    assert not list(shop.work.glob("*.patch"))


def test_new_passes_in_a_repository(stage: Stage, repo: Repo) -> None:
    done = stage.here("changes", repo.git("rev-parse", "HEAD~5"), "HEAD~3", "--", "sh", "check.sh")
    assert done.code == 1
    assert "git worktree add --detach ../try 'HEAD~3'" in done.told.splitlines()[1]


def test_a_patch_on_a_revision(stage: Stage, repo: Repo) -> None:
    (repo.path / "update.patch").write_bytes(b"")
    done = stage.here("changes", "HEAD~1", "--patch", "update.patch", "--", "sh", "check.sh")
    said, hint = done.told.splitlines()
    assert (done.code, said) == (2, "wynot: HEAD~1 is a revision; patches apply to folders only")
    assert hint.startswith("  lay it out: git worktree add --detach ../old 'HEAD~1'; ")


def test_a_budget_is_3(shop: Stage) -> None:
    done = shop.here("changes", "old", "new", *TEST, "--budget-tests", "5", "--no-coverage", "--json")
    assert (done.code, done.json["status"], done.json["minimality"], done.json["needed"]) == (3, "budget", None, 5)
    assert 2 <= len(done.json["breaks"]) <= 21
    assert done.json["repairs"] is None
    assert applied(shop, "old", "culprit.patch")
    assert "the budget of 5 tests is used up" in done.err


def test_interrupted_is_130_and_goes_on(shop: Stage) -> None:
    """Ctrl-C while a test waits: what was found by then is written, and no test is run twice."""
    shop.script("check", f"echo run >> {shop.folder}/log; {GUILTY}; code=$?\n"
                         f'test "$(wc -l < {shop.folder}/log)" = 9 && sleep 1000; exit $code')  # fmt: skip
    words = ("changes", "old", "new", *TEST, "--no-coverage", "--json")
    process = shop.start(*words)
    eventually(lambda: len(shop.log) == 9, "the fifth test of the search")
    process.send_signal(signal.SIGINT)
    done = shop.ended(process)
    assert (done.code, done.json["status"], done.json["needed"]) == (130, "interrupted", 4)
    assert applied(shop, "old", "culprit.patch")
    shop.assert_clean()
    again = shop.here(*words)
    assert (again.code, len(again.json["breaks"])) == (0, 2)
    assert len(shop.log) == 9 + again.json["tests"] + again.json["baseline_tests"] + again.json["after_tests"]
    assert again.json["baseline_tests"] == 1
    assert again.json["cached"] >= 4


def test_an_interruption_lists_suspects_by_file(shop: Stage) -> None:
    """Of changes that nobody has looked at yet no hunk is shown; the patch has them."""
    shop.script("check", f"echo run >> {shop.folder}/log; {GUILTY}; code=$?\n"
                         f'test "$(wc -l < {shop.folder}/log)" = 5 && sleep 1000; exit $code')  # fmt: skip
    process = shop.start("changes", "old", "new", *TEST, "--no-coverage", "--breaks")
    eventually(lambda: len(shop.log) == 5, "the first test of the search")
    process.send_signal(signal.SIGINT)
    done = shop.ended(process)
    assert done.code == 130
    lines = done.out.splitlines()
    assert lines[:4] == [
        "21 of 21 changes together break old (interrupted)",
        "  10 suspects in a.txt",
        "  10 suspects in d/b.txt",
        "  1 suspect in added.txt",
    ]
    assert not [line for line in lines if line.startswith(("+", "-", "@@"))]
    assert applied(shop, "old", "culprit.patch")


def test_a_result_that_an_algorithm_only_supposes_is_not_believed(stage: Stage) -> None:
    """3 fails only with 1 or 2 beside it, whichever: not unambiguous, so dd1999 is led astray."""
    for name, word in (("old", "yesterday"), ("new", "today")):
        (stage.work / name).mkdir()
        for number in "1234":
            stage.file(f"{name}/{number}", f"{word}\n")
    stage.script(
        "check", "kept=$(grep -l today 1 2 3 4 | tr -d '\\n'); case $kept in 13*|23*|123*) exit 0;; esac; exit 1"
    )
    done = stage.here("changes", "old", "new", *TEST, "--algorithm", "dd1999", "--no-coverage", "--json")
    assert done.code == 0, done.err
    copy = stage.work / "old"
    subprocess.run(["git", "apply", "../culprit.patch"], cwd=copy, check=True)
    assert subprocess.run([stage.work / "check"], cwd=copy, check=False).returncode == 0


def test_the_example(stage: Stage) -> None:
    """What the page of the command shows."""
    root = Path(__file__).parents[2]
    subprocess.run([root / "examples" / "changes" / "history.sh", stage.work / "shop"], check=True)
    stage.work /= "shop"
    done = stage.here("changes", "v1.0", "HEAD", "--", "python3", "test_bill.py")
    page = (root / "docs" / "commands" / "changes.md").read_text()
    shown = page.partition("\n3 of 5 changes")[2].partition("\n...\n")[0]
    assert done.out.startswith(f"3 of 5 changes{shown}"), done.err
    subprocess.run(["git", "apply", "repair.patch"], cwd=stage.work, check=True)
    subprocess.run(["python3", "test_bill.py"], cwd=stage.work, check=True)


@pytest.mark.parametrize("stale", [False, True])
def test_a_program_that_the_build_makes(stage: Stage, stale: bool) -> None:
    """Whether there is one here already, which git ignores, or not: it is that of the tree that is tested."""
    repo = Repo(stage.work / "repo")
    make = b"prog: main.in\n\tcp main.in prog\n\tchmod +x prog\n"
    repo.commit("start", {"Makefile": make, "main.in": b"#!/bin/sh\nexit 0\n", ".gitignore": b"prog\n"})
    repo.commit("more", {"other.txt": b"more\n"})
    repo.commit("breaks", {"main.in": b"#!/bin/sh\nexit 3\n"})
    stage.work = repo.path
    if stale:
        subprocess.run(["make", "-s"], cwd=repo.path, check=True)
    for words in (("./prog",), ("sh", "-c", "./prog")):
        done = stage.here("changes", "HEAD~2", "HEAD", "--build", "make", "--no-coverage", "--", *words)
        assert done.code == 0, done.err
        assert done.out.startswith("1 of 2 changes breaks HEAD~2")


@pytest.mark.parametrize("place", [".", "/"])
def test_a_folder_is_no_patch(shop: Stage, place: str) -> None:
    done = shop.here("changes", "old", "new", "-o", place, *TEST)
    assert done.code == 2
    assert "is a folder" in done.err


def test_what_a_build_says_is_shown_if_the_new_one_does_not_build(stage: Stage) -> None:
    for name in ("old", "new"):
        (stage.work / name).mkdir()
        stage.file(f"{name}/a.txt", f"{name}\n")
    words = ("changes", "old", "new", "--build", "echo 'a.c:1: error: no such thing' >&2; false", "-q", "--", "true")
    done = stage.here(*words)
    assert done.code == 1
    assert "  | a.c:1: error: no such thing\n" in done.err


@pytest.mark.parametrize(("old", "new"), [("old", "new"), ("./old", "../sub/new"), ("HEAD~1", "HEAD"), ("HEAD~1", ".")])
def test_below_the_top_of_a_repository_what_is_to_be_typed_works(stage: Stage, old: str, new: str) -> None:
    """Git passes silently over paths that do not start at the top."""
    repo = Repo(stage.work)
    for name in ("old", "new"):
        repo.write({f"sub/{name}/a.txt": f"{name}\n".encode()})
    repo.commit("folders", {"sub/x.txt": b"old\n"})
    repo.commit("worse", {"sub/x.txt": b"new\n"})
    stage.work = repo.path / "sub"
    check = "cd sub 2>/dev/null; ! grep -q new a.txt x.txt 2>/dev/null"
    done = stage.here("changes", old, new, "--no-coverage", "--", "sh", "-c", check)
    assert done.code == 0, done.err
    told = {name: line for line in done.out.splitlines() for name in ("culprit", "repair") if f"to {name}" in line}
    place = Path("x.txt") if "HEAD~1" in old else Path("new/a.txt")
    assert (stage.work / place).read_text() == "new\n"
    subprocess.run(["sh", "-c", told["repair"].rpartition(": ")[2]], cwd=stage.work, check=True)
    assert (stage.work / place).read_text() == "old\n"
    if "HEAD~1" not in old:
        subprocess.run(["sh", "-c", told["culprit"].rpartition(": ")[2]], cwd=stage.work, check=True)
        assert (stage.work / "old" / "a.txt").read_text() == "new\n"
