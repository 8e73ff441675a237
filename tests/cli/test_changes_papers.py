"""The tables of Zeller 1999 by `wynot changes`: two folders, a script as the test, and what is run in which order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.repos import Repo
from tests.support.stage import Stage

EIGHT = range(1, 9)
PLAIN = ("--group-by", "none", "--no-resolve", "--no-coverage")
"""Nothing but the algorithm."""
KEPT = 'kept=$(for i in 1 2 3 4 5 6 7 8; do grep -q today $i.txt && printf $i; done); echo "$kept" >> "$LOG"'
IMPLIED = 'case $(echo "$kept" | tr -cd 237) in ""|237) ;; *) exit 125;; esac'
"""Tables 5 and 6: changes 2, 3 and 7 imply each other."""


def table(stage: Stage, test: str, *words: str, ends: tuple[str, str] = ("old", "new")) -> tuple[str, Any]:
    """What is run between the first looks at both folders and the last look at the result; and the summary."""
    stage.changed["LOG"] = str(stage.folder / "log")
    stage.script("check", f"{KEPT}\n{test}")
    done = stage.here("changes", *ends, "--test", "./check", "--json", *PLAIN, *words)
    assert done.code == 0, done.err
    runs = stage.log
    assert runs[:4] == ["12345678"] * 3 + [""]
    return " ".join(runs[4 : 4 + done.json["questions"]["breaks"]]), done.json


def guilty(found: Any) -> list[str]:
    return [change["path"].removesuffix(".txt") for change in found["breaks"]]


@pytest.fixture
def eight(stage: Stage) -> Stage:
    for name, word in (("old", "yesterday"), ("new", "today")):
        (stage.work / name).mkdir()
        for number in EIGHT:
            stage.file(f"{name}/{number}.txt", f"{word}\n")
    return stage


def test_table_1(eight: Stage) -> None:
    """Change 7 alone fails: five runs."""
    runs, found = table(eight, 'case "$kept" in *7*) exit 0;; *) exit 1;; esac', "--algorithm", "dd1999")
    assert runs == "1234 5678 56 78 7"
    assert (guilty(found), found["needed"]) == (["7"], 5)


def test_table_2(eight: Stage) -> None:
    """3 and 6 fail together: eight runs as algorithm 11 is written (the table shows seven), and one to verify it."""
    runs, found = table(eight, 'case "$kept" in *3*6*) exit 0;; *) exit 1;; esac', "--algorithm", "dd1999")
    assert runs == "1234 5678 125678 345678 35678 123456 12345 12346"
    assert (guilty(found), found["needed"]) == (["3", "6"], 9)
    assert eight.log[-1] == "36"


def test_table_3(eight: Stage) -> None:
    """All eight are needed: 14 runs."""
    runs, found = table(eight, 'test "$kept" = 12345678', "--algorithm", "dd1999")
    halves = "1234 5678 125678 345678 1345678 2345678 1235678 1245678"
    assert runs == f"{halves} 123456 123478 1234578 1234678 1234567 1234568"
    assert (guilty(found), found["needed"]) == (list("12345678"), 14)


def test_table_4(eight: Stage) -> None:
    """A half is unresolved, the other passes: the first is preferred, and the other remains applied."""
    test = 'case "$kept" in 1234) exit 125;; *3*) exit 0;; *) exit 1;; esac'
    runs, found = table(eight, test, "--algorithm", "ddplus")
    assert runs.startswith("1234 5678 125678 ")
    assert guilty(found) == ["3"]


def test_tables_5_and_6(eight: Stage) -> None:
    """8 fails; 2, 3, 7 only go together: 16 runs."""
    test = f'{IMPLIED}\ncase "$kept" in *8*) exit 0;; *) exit 1;; esac'
    runs, found = table(eight, test, "--algorithm", "ddplus")
    assert runs == "1234 5678 12 34 56 78 345678 125678 123478 123456 156 256 356 456 567 568"
    assert (guilty(found), found["questions"]["breaks"]) == (["8"], 16)
    assert found["outcomes"]["unresolved"] >= 11


def test_tables_5_and_6_when_nothing_is_said(eight: Stage) -> None:
    """The default search finds it, too, and what to take back."""
    test = f'{IMPLIED}\ncase "$kept" in *8*) exit 0;; *) exit 1;; esac'
    eight.changed["LOG"] = str(eight.folder / "log")
    eight.script("check", f"{KEPT}\n{test}")
    found = eight.here("changes", "old", "new", "--test", "./check", "--json").json
    assert guilty(found) == ["8"]
    assert [change["path"] for change in found["repairs"]] == ["8.txt"]
    assert found["needed"] <= 16


def test_table_7(stage: Stage) -> None:
    """Eight commits, each implies all earlier ones, 7 is guilty: three runs, the other outcomes are predicted."""
    repo = Repo(stage.work)
    repo.commit("0", {f"{number}.txt": b"yesterday\n" for number in EIGHT})
    shas = [repo.commit(str(number), {f"{number}.txt": b"today\n"}) for number in EIGHT]
    test = 'case "$kept" in *7*) exit 0;; *) exit 1;; esac'
    runs, found = table(stage, test, "--algorithm", "ddplus", "--ordered", ends=("HEAD~8", "HEAD"))
    assert runs == "1234 123456 1234567"
    assert (guilty(found), found["needed"]) == (["7"], 3)
    assert found["breaks"][0]["commits"] == [shas[6]]
    patch = (stage.work / "culprit.patch").read_text()
    assert patch.count("diff --git") == 7  # it takes the earlier ones to fail


def test_order_makes_it_a_binary_search(stage: Stage) -> None:
    """40 commits in an order that is not that of their files: at most ceil(log2 40) runs."""
    repo = Repo(stage.work)
    repo.commit("0", {f"{number}.txt": b"yesterday\n" for number in range(40)})
    for number in range(40):
        repo.commit(str(number), {f"{number * 17 % 40}.txt": b"today\n"})
    stage.script("check", "grep -q today 28.txt")  # the fifth commit
    done = stage.here("changes", "HEAD~40", "HEAD", "--test", "./check", "--json", "--ordered", "--no-coverage")
    assert done.code == 0, done.err
    assert [change["path"] for change in done.json["breaks"]] == ["28.txt"]
    assert done.json["needed"] <= 6
