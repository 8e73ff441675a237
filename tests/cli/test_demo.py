"""`wynot demo`: what it shows, and what it leaves behind."""

from __future__ import annotations

import re

from tests.support.stage import Stage


def test_it_shows_three_commands_and_keeps_its_files(stage: Stage) -> None:
    done = stage.wynot("demo", "--keep", "try")
    assert done.code == 0
    shown = re.findall(r"^\$ wynot (\w+)", done.out, re.MULTILINE)
    assert shown == ["reduce", "isolate", "changes"]
    assert r"""All that is left, with the tab made visible: '"rack 2,\tslot 1""" in done.out
    assert "1 character between them (1-minimal)" in done.out
    assert "reverting 1 of 5 changes repairs shop/today" in done.out
    kept = {path.name for path in (stage.work / "try").iterdir()}
    assert {"settings.json", "small.json", "pair", "shop", "culprit.patch", "repair.patch"} <= kept
    assert [path.name for path in stage.work.iterdir()] == ["try"]
    stage.assert_clean()


def test_a_folder_of_yours_is_not_touched(stage: Stage) -> None:
    stage.file("mine", "precious")
    done = stage.wynot("demo", "--keep", "mine")
    assert done.code == 2
    assert done.err == "wynot: mine exists\n  name a new folder: --keep mine.2\n"
