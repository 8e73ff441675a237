"""What the pages promise to those who come from elsewhere, and to CI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.docs.blocks import ROOT, Reader

OF_LITHIUM = """\
python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import interesting
sys.exit(not interesting.interesting(sys.argv[2:], "t"))' "$(dirname "$0")" "$1"
"""
WORKFLOW = ROOT / "examples/ci/reduce-on-red.yml"


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    folder = tmp_path / "work"
    folder.mkdir()
    return Reader(folder)


@pytest.mark.parametrize(
    "script",
    [
        "grep -q guilty input.txt",  # creduce, cvise: by its own name, in the working folder
        'grep -q guilty "$1"',  # shrinkray, picire: by its path
        OF_LITHIUM,  # what its page says to write around a condition
    ],
    ids=["name", "path", "lithium"],
)
def test_scripts_of_other_reducers(reader: Reader, script: str) -> None:
    (reader.folder / "input.txt").write_text(
        "".join(f"{word}\n" for word in ("some", "lines", "guilty", "and", "more"))
    )
    (reader.folder / "interesting.py").write_text(
        "def interesting(args, prefix):\n    return 'guilty' in open(args[-1]).read()\n"
    )
    check = reader.folder / "check.sh"
    check.write_text(f"#!/bin/sh\n{script}\n")
    check.chmod(0o755)
    code, out = reader.type("wynot reduce input.txt --test ./check.sh -q")
    assert code == 0, out
    assert (reader.folder / "input.reduced.txt").read_text() == "guilty"


def test_scripts_of_git_bisect(reader: Reader) -> None:
    """Exit 0 is good, 125 is skipped, anything else is bad: behind `--`, as it is."""
    git = "git -c user.name=A -c user.email=a@b.c"
    commits = [("0", "ok"), ("1", "ok"), ("2", "odd"), ("3", "bad"), ("4", "bad")]
    lines = [
        f"echo {state} > state; echo {n} > n; git add .; {git} commit -qm c{n}; git tag t{n}" for n, state in commits
    ]
    assert reader.type("set -e; git init -q repo; cd repo\n" + "\n".join(lines))[0] == 0
    check = reader.folder / "check.sh"
    check.write_text("#!/bin/sh\ncase $(cat state) in ok) exit 0;; odd) exit 125;; *) exit 1;; esac\n")
    check.chmod(0o755)
    code, out = reader.type("wynot bisect t0 t4 -- ./check.sh")
    assert code == 0, out
    assert "c3" in out


def step(name: str) -> str:
    """What a step of the workflow runs."""
    workflow: Any = YAML(typ="safe").load(WORKFLOW)
    return str(next(step["run"] for step in workflow["jobs"]["tests"]["steps"] if step.get("id") == name))


def test_the_page_shows_the_workflow_as_it_is() -> None:
    assert f"```yaml\n{WORKFLOW.read_text()}```" in (ROOT / "docs/howto/ci.md").read_text()


def test_the_workflow_finds_the_guilty_changes(reader: Reader) -> None:
    """Its steps, run in a project whose test is red."""
    assert reader.type(f"sh {ROOT}/examples/since/make_history.sh project && cd project")[0] == 0
    reader.environment |= {"GOOD": "v1", "GITHUB_STEP_SUMMARY": str(reader.home / "summary")}
    reader.environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p wynot.pytest_plugin"}  # quicker
    crashes = reader.folder / "crashes"
    crashes.mkdir()
    (crashes / "one.txt").write_text("a\nboom\nb\n")
    (crashes / "run").write_text("#!/bin/sh\n! grep boom $1\n")
    (crashes / "run").chmod(0o755)
    assert reader.type(step("tests"))[0] == 1
    for name in ("changes", "inputs"):
        code, out = reader.type(step(name))
        assert code == 0, out
    found = reader.folder / "wynot-found"
    patch = (found / "culprit.patch").read_text()
    assert "return 2" in patch, (found / "changes.txt").read_text()
    assert "return 3" in patch
    assert "scale by two" in (reader.home / "summary").read_text()
    assert (found / "one.txt").read_text() == "boom"
    assert (found / "order.txt").exists()
