"""The changes of the corpus: as many hunks as are known, and the guilty ones among them."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.corpus.test_corpus import CORPUS, NEEDED
from wynot.commands.changes.old_and_new import sources
from wynot.core.config import Config
from wynot.domains.changes.change import ChangeKind
from wynot.domains.changes.patched_folder import PatchedFolder

TOOLS = Path(os.environ.get("CORPUS_TOOLS", Path.home() / ".cache" / "corpus-tools"))
COUNTED = {"click": -1, "docutils": 0, "marked": 0, "sqlite": 0, "sqlparse": 0}
"""How many hunks more (or fewer) git finds than `diff`, by which those of the corpus were counted."""


@pytest.mark.corpus
@pytest.mark.parametrize("name", COUNTED)
def test_the_hunks_are_those_that_are_known(name: str) -> None:
    case, trees = CORPUS / f"changes-{name}" / "case.toml", TOOLS / f"changes-{name}"
    if NEEDED and case.is_file():
        subprocess.run(["bash", case.parent / "install"], capture_output=True, check=True)
    if not case.is_file() or not (trees / "new").is_dir():
        (pytest.fail if NEEDED else pytest.skip)(f"changes-{name} is not installed")
    known = tomllib.loads(case.read_text())
    found = sources("./old", "./new", here=trees)
    files = [change for change in found.changes if change.kind is not ChangeKind.MODE]
    assert len(files) == known["hunks_merged"] + COUNTED[name]
    headers = {(change.path, change.header) for change in found.changes}
    assert {tuple(each) for each in known["guilty"] + known.get("guilty_also", [])} <= headers
    domain = PatchedFolder(found.old, found.new, found.changes)
    assert domain.render(Config.full(len(domain))) == found.new
