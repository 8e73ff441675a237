"""What a report says is to be typed to see the failure: it can be, where the run was."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.repos import Repo
from tests.support.stage import Stage
from wynot.engine.record.read import all_runs
from wynot.report.page.report_data import page_of

CHECK = "grep -q new a.txt && exit 5; true"


def shown(stage: Stage, kind: str) -> str:
    (run,) = (each for each in all_runs(stage.home / "runs") if each.kind == kind)
    return page_of(run).by_hand


def typed(stage: Stage, text: str) -> int:
    return subprocess.run(["sh", "-e", "-c", text], cwd=stage.work, check=False, capture_output=True).returncode


@pytest.mark.parametrize(
    "words", [("changes", "HEAD~2", "HEAD"), ("changes", "sub/old", "sub/new"), ("bisect", "HEAD~2", "HEAD")]
)
@pytest.mark.parametrize("below", [".", "below"])
def test_trees(stage: Stage, words: tuple[str, ...], below: str) -> None:
    repo = Repo(stage.work)
    (repo.path / "below").mkdir()
    stage.work = repo.path / below
    folders = {f"{below}/sub/{name}/a.txt": f"{name}\n".encode() for name in ("old", "new")}
    repo.commit("start", {"a.txt": b"old\n", **folders})
    repo.commit("other", {"b.txt": b"other\n"})
    repo.commit("worse", {"a.txt": b"new\n"})
    done = stage.wynot(*words, "--no-coverage", "--", "sh", "-c", CHECK)
    assert done.code == 0, done.err
    assert typed(stage, shown(stage, words[0])) == 5


def test_a_call(stage: Stage) -> None:
    stage.script("tool", 'for word; do test "$word" = "b d" && exit 7; done; exit 0')
    done = stage.wynot("options", "--", "./tool", "-a", "b d", "-c")
    assert done.code == 0, done.err
    assert typed(stage, shown(stage, "options")) == 7


def test_what_only_prevents_a_failure_does_not_show_it(stage: Stage) -> None:
    stage.script("tool", 'for word; do test "$word" = -b && exit 0; done; exit 7')
    done = stage.wynot("options", "--preventing", "--", "./tool", "-a", "-b", "-c")
    assert done.code == 0, done.err
    assert shown(stage, "options") == ""
