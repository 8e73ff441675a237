"""`wynot changes` on real regressions: sets no larger than the known ones, in few tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.test_changes_hunks import TOOLS
from tests.corpus.test_corpus import CORPUS, NEEDED, wynot

pytestmark = pytest.mark.corpus
MOST = {"marked": 60, "sqlparse": 60, "docutils": 60, "click": 289}
"""So many tests may both questions take together."""


def trees(name: str) -> tuple[Path, Path, Path]:
    """The two releases, and the check."""
    folder, tools = CORPUS / f"changes-{name}", TOOLS / f"changes-{name}"
    if NEEDED and folder.is_dir():
        subprocess.run(["bash", folder / "install"], capture_output=True, check=True)
    if not (tools / "new").is_dir() or not folder.is_dir():
        (pytest.fail if NEEDED else pytest.skip)(f"changes-{name} is not installed")
    return tools / "old", tools / "new", folder / "check"


def checked(check: Path, tree: Path, patch: Path, place: Path) -> int:
    """What check says of a release with a patch, applied by git."""
    shutil.copytree(tree, place, symlinks=True)
    env = {**os.environ, "GIT_DIR": "/nonexistent"}
    subprocess.run(["git", "apply", patch], cwd=place, check=True, capture_output=True, env=env)
    return subprocess.run([check, place], capture_output=True, check=False).returncode


@pytest.mark.parametrize("name", MOST)
def test_a_regression_is_explained(name: str, tmp_path: Path) -> None:
    old, new, check = trees(name)
    known = tomllib.loads((check.parent / "case.toml").read_text())
    said: dict[str, Any] = wynot("changes", old, new, "-o", tmp_path / "a.patch", "--test", check, home=tmp_path)
    found = {(each["path"], each["header"]) for each in said["breaks"]}
    assert len(found) <= known["guilty_hunks"]
    assert found in ({tuple(e) for e in known["guilty"]}, {tuple(e) for e in known.get("guilty_also", [])})
    assert said["minimality"] == "1-minimal"
    assert said["needed"] <= MOST[name]
    breaks, repairs = (Path(each) for each in said["outputs"])
    assert checked(check, old, breaks, tmp_path / "broken") == 0
    assert checked(check, new, repairs, tmp_path / "repaired") == 1
