"""One command for all benchmarks: what it would run, going on after a stop, and parts that fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import parts
from tests.benchmarks.scripts import script
from tests.docs.blocks import ROOT


def test_the_list_names_every_part() -> None:
    done = script("all.py", "--list", "--cases", "/nowhere")
    assert done.returncode == 0, done.stderr
    assert [line.split(" | ")[0].strip("| ") for line in done.stdout.splitlines()[2:]] == [p.name for p in parts.PARTS]
    assert "cluster.py scaling --slots 1,4,16,64,256" in done.stdout


@pytest.mark.parametrize("part", parts.PARTS, ids=lambda part: part.name)
def test_every_script_is_there(part: parts.Part) -> None:
    assert (ROOT / "benchmarks" / part.script).exists()


def test_parts_that_are_done_are_not_run_again(tmp_path: Path) -> None:
    words = ("--out", tmp_path / "out", "--quick", "--only", "record")
    first, second, third = (
        script("all.py", *words),
        script("all.py", *words),
        script("all.py", *words, "--again=record"),
    )
    assert [done.returncode for done in (first, second, third)] == [0, 0, 0], first.stderr
    assert [done.stderr.count("done before") for done in (first, second, third)] == [0, 1, 0]
    found = json.loads((tmp_path / "out" / "all.json").read_text())["parts"]["record"]
    assert (found["exit"], set(found["figures"]["figures"])) == (0, {"journal alone", "with the record"})
    assert "microseconds a test" in (tmp_path / "out" / "README.md").read_text()


def test_a_part_that_fails_does_not_keep_others_from_running(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    words = ("--out", tmp_path / "out", "--quick", "--cases", tmp_path / "cases", "--only", "passes,record")
    done = script("all.py", *words, "--again", "record")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "failed: passes; the same command runs just these again"
    assert "no cases" in (tmp_path / "out" / "passes.log").read_text()
    ended = {name: part["exit"] for name, part in json.loads((tmp_path / "out" / "parts.json").read_text()).items()}
    assert ended == {"record": 0, "passes": 1}


def test_unknown_parts_are_refused(tmp_path: Path) -> None:
    done = script("all.py", "--out", tmp_path, "--only", "overheads")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "there are growth," in done.stderr


def test_comparisons_go_on_where_they_were_stopped(tmp_path: Path) -> None:
    part = next(part for part in parts.PARTS if part.name == "compare-j2")
    assert "--keep" not in part.outputs(tmp_path)
    (tmp_path / "compare-j2.json").write_text("{}")
    assert part.outputs(tmp_path)[-1] == "--resume"
    assert part.outputs(tmp_path, again=True)[-2:] == ["--keep", str(tmp_path / "compare-j2.json")]
