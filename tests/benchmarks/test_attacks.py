"""The attacks: how many there are, that a part of them holds, and that one that does not is found."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

import attacks
import common
from tests.benchmarks.scripts import script


def test_there_are_at_least_300_of_seven_kinds() -> None:
    paths = script("attacks.py", "--list").stdout.splitlines()
    assert len(set(paths)) == len(paths) >= 300
    kinds = {path.split("/")[0] for path in paths}
    assert kinds == {"signal", "journal", "disk", "test", "name", "input", "streams"}


def test_the_parts_are_all_of_them() -> None:
    parts = [script("attacks.py", "--list", "--part", f"{number}/3").stdout.splitlines() for number in (1, 2, 3)]
    assert sorted(itertools.chain(*parts)) == sorted(script("attacks.py", "--list").stdout.splitlines())


def test_a_part_of_them_holds(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    done = script("attacks.py", "-j", "2", "--part", "7/67", "--json", figures)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(figures.read_text())
    assert found["broken"] == {}
    assert found["kinds"][-1]["cases"] >= 10
    assert {row["kind"] for row in found["kinds"]} >= {"signal", "journal", "disk", "test", "streams"}


FAKE = """#!/bin/sh
{body}
"""


@pytest.mark.parametrize(
    ("body", "broken"),
    [
        ("exit 7", "reduce -j 1: exit 7"),
        ("echo 'Traceback (most recent call last)' >&2", "traceback"),
        ("printf '\\033[31m'", "escape byte"),
        ("echo more >> in.txt", "original changed: here/in.txt"),
        ('mkdir "$WYNOT_TMP/left"', "left in WYNOT_TMP: left"),
        ("setsid -f sleep 300 > /dev/null 2>&1", "process left: sleep 300"),
        ("echo other > in.reduced.txt", "another result than undisturbed: here/in.reduced.txt"),
    ],
)
def test_what_is_broken_is_found(body: str, broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in place of wynot, with one fault each."""
    fake = common.write_script(tmp_path / "fake", FAKE.format(body=body))
    monkeypatch.setattr(common, "program", lambda _: str(fake))
    monkeypatch.setattr(attacks, "undisturbed", lambda _: {})
    monkeypatch.setattr(attacks, "PATIENT", 0.1)
    monkeypatch.setattr(attacks.SHARED, "parent", tmp_path)
    attack = next(each for each in attacks.every() if each.path == "test/reduce/closes-streams/j1")
    found = attack.broken()
    assert broken in found[0]
    assert len(found) == 1 + (body == "exit 7")  # an attacked test does not end with another exit code, either
    assert [path.name for path in tmp_path.iterdir()] == ["fake"]
