"""What a command makes itself when it runs as typed is no input of it, and is not laid beside candidates."""

from __future__ import annotations

import pytest

from tests.support.stage import Stage

SUMMARY = """
import json, os, sys
limit = json.load(open("limits.json"))["most"]
if os.path.exists("summary.json"):
    found = json.load(open("summary.json"))
else:
    found = [line for line in open(sys.argv[1]) if line.strip() == "7"]
    json.dump(found, open("summary.json", "w"))
if found and limit < 7:
    raise ValueError("over the limit")
"""


@pytest.mark.parametrize("before", [False, True], ids=["new", "stale"])
def test_a_program_that_the_command_builds_and_runs(stage: Stage, before: bool) -> None:
    """A candidate that does not compile would run the program that was built from the original."""
    stage.file("n.h", "#define N 4\n")
    stage.file(
        "bug.c", '#include "n.h"\nint main(void) {\n    int x = N;\n    x += 3;\n    return x == 7 ? 9 : 0;\n}\n'
    )
    if before:
        stage.script("prog", "exit 9")
    done = stage.here("reduce", "bug.c", "--json", "--", "sh", "-c", "gcc -w -o prog {} 2> log; ./prog")
    assert done.code == 0, done.err
    assert "also reads n.h beside bug.c" in done.err
    assert b"main" in (stage.work / "bug.reduced.c").read_bytes()
    assert (stage.work / "prog").exists() == before


def test_a_cache_that_the_command_makes_for_itself(stage: Stage) -> None:
    stage.file("in.txt", "".join(f"{number}\n" for number in range(1, 31)))
    stage.file("limits.json", '{"most": 6}')
    stage.python("run.py", SUMMARY)
    for _ in range(2):
        done = stage.here("reduce", "in.txt", "-o", "out.txt", "--fresh", "--", "python3", "run.py", "{}")
        assert done.code == 0, done.err
        assert (stage.work / "out.txt").read_text().strip() == "7"
        assert not (stage.work / "summary.json").exists()


def test_a_program_that_opens_the_input_by_its_own_name(stage: Stage) -> None:
    stage.file("config.json", '{"a": 1, "mode": "bad", "b": [1, 2]}')
    stage.python(
        "app.py", 'import json\nif json.load(open("config.json")).get("mode") == "bad":\n    raise TypeError(1)\n'
    )
    done = stage.here("reduce", "config.json", "--", "python3", "app.py")
    assert done.code == 0, done.err
    assert (stage.work / "config.reduced.json").read_text() == '{"mode": "bad"}'
