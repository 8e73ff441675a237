"""The steps of `action.yml`, run by bash as GitHub runs them: from the installed wheel, without a download."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.docs.blocks import ROOT
from tests.release.conftest import lend_dependencies

ACTION: Any = YAML(typ="safe").load(ROOT / "action.yml")


class Runner:
    """A machine that runs jobs: what it gives to each step."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.temp = folder
        self._given = {"GITHUB_ACTION_PATH": str(wheel), "RUNNER_TEMP": str(folder), "CI": "true"}
        self._given |= {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheel.parent)}

    def step(self, name: str, checkout: Path, **inputs: str) -> tuple[int, str]:
        """Run a step of the action with these inputs; gives its exit code and what it prints."""
        (step,) = (step for step in ACTION["runs"]["steps"] if step.get("id") == name)
        values = {f"inputs.{each}": str(of.get("default", "")) for each, of in ACTION["inputs"].items()}
        named = {f"inputs.{each.replace('_', '-')}": value for each, value in inputs.items()}
        assert not named.keys() - values.keys()
        values |= {**named, "steps.python.outputs.python-path": sys.executable}
        given = {
            each: re.sub(r"\$\{\{ (.+?) \}\}", lambda match: values[match[1]], text)
            for each, text in step["env"].items()
        }
        for each in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
            given[each] = str(self.temp / each)
            (self.temp / each).write_text("")
        kept = {each: value for each, value in os.environ.items() if each not in {"PYTHONPATH", "WYNOT_HOME"}}
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "what others write may not become part of a script"
        script = self.temp / "step.sh"
        script.write_text(step["run"])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=checkout, env={**kept, **self._given, **given}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    @property
    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.temp / "GITHUB_OUTPUT").read_text().splitlines())

    @property
    def summary(self) -> str:
        return (self.temp / "GITHUB_STEP_SUMMARY").read_text()


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Runner:
    """A machine on which the action has installed wynot."""
    runner = Runner(tmp_path_factory.mktemp("runner"), wheel)
    code, printed = runner.step("install", runner.temp)
    assert code == 0, printed
    lend_dependencies(runner.temp / "wynot")
    return runner


def test_a_version_can_be_chosen(runner: Runner, tmp_path: Path) -> None:
    code, printed = runner.step("install", tmp_path, version="0.0.1")
    assert code != 0
    assert "wynot==0.0.1" in printed


def test_a_failing_input_is_reduced_and_reported(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "in put.txt").write_text("a\nboom\nb\n")
    code, printed = runner.step("run", tmp_path, input="in put.txt", command="sh -c '! grep boom \"$1\"' x {}")
    assert code == 0, printed
    assert runner.outputs["exit-code"] == "0"
    found = Path(runner.outputs["folder"])
    assert (found / "in put.txt").read_text() == "boom"
    assert (found / "report.html").exists()
    assert "boom" in runner.summary
    assert [path.name for path in tmp_path.iterdir()] == ["in put.txt"], "the checkout stays as it is"


@pytest.mark.parametrize("mode", ["changes", "bisect"])
def test_guilty_changes_are_found_and_reported(runner: Runner, tmp_path: Path, mode: str) -> None:
    git = "git -c user.name=A -c user.email=a@b.c"
    lines = ["git init -q ."]
    for number, state in enumerate(("ok", "ok", "bad"), 1):
        lines.append(
            f"echo {state} > state; echo {number} > n; git add .; {git} commit -qm c{number}; git tag t{number}"
        )
    subprocess.run(["sh", "-ec", "\n".join(lines)], cwd=tmp_path, check=True)
    code, printed = runner.step("run", tmp_path, mode=mode, old="t1", command="grep -q ok state")
    assert code == 0, printed
    assert "+bad" in (Path(runner.outputs["folder"]) / "culprit.patch").read_text()
    assert ("+bad" if mode == "changes" else "c3") in runner.summary


def test_a_budget_that_ends_the_search_is_no_error(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("".join(f"line {number}\n" for number in range(40)) + "boom\n")
    command = "sh -c 'sleep 0.1; ! grep boom \"$1\"' x {}"
    code, printed = runner.step("run", tmp_path, input="in.txt", command=command, budget_time="1s")
    assert code == 0, printed
    assert runner.outputs["exit-code"] == "3"
    assert runner.summary


@pytest.mark.parametrize(
    ("inputs", "code", "says"),
    [
        ({"input": "in.txt", "command": "true {}"}, 1, "in.txt"),
        ({"input": "absent.txt", "command": "false {}"}, 2, "absent.txt"),
        ({"input": "in.txt", "command": "sh -c 'false"}, 2, "No closing quotation"),
        ({"mode": "isolate", "command": "false"}, 2, "it can be reduce, changes or bisect"),
    ],
    ids=["no failure", "no input", "no such command", "no such mode"],
)
def test_what_cannot_be_searched_fails_the_step(
    runner: Runner, tmp_path: Path, inputs: dict[str, str], code: int, says: str
) -> None:
    (tmp_path / "in.txt").write_text("boom\n")
    ended, printed = runner.step("run", tmp_path, **inputs)
    assert ended == code, printed
    assert says in printed + runner.summary


def test_the_page_describes_every_input() -> None:
    page = (ROOT / "docs/howto/ci.md").read_text()
    assert [name for name in ACTION["inputs"] if f"`{name}`" not in page] == []
    assert [name for name in ACTION["outputs"] if f"`{name}`" not in page] == []
