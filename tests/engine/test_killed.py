"""`kill -9` at random moments, again and again: the same result, and no outcome in the journal is found out twice."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.stage import Stage
from wynot.core.artifact import digest

KILLS = 20
BODY = """b2sum -l 256 < "$1" >> {log}
sleep 0.01
grep -q '^int main' "$1" || exit 1
test $(grep -c '^ *{{' "$1") = $(grep -c '^ *}}' "$1") || exit 125
test $(grep -c 'odd' "$1") -ge 32 || exit 1
grep -q 'return x7;' "$1"
"""


def source() -> str:
    rng = random.Random(5)
    lines = [
        rng.choice(["  x{0} = odd(x{1});", "  {{", "  }}", "  x{0}++;", "  return x{0};", "// {0}"]) for _ in range(700)
    ]
    filled = [line.format(rng.randrange(10), rng.randrange(10)) for line in lines]
    braces = [line for line in filled if line.strip() not in ("{", "}")]
    for place in range(0, len(braces) - 10, 23):
        braces[place : place + 10] = ["  {", *braces[place : place + 10], "  }"]
    return "\n".join(["int main()", *braces, "  return x7;"]) + "\n"


def journalled(stage: Stage) -> set[str]:
    """The digests of the outcomes on disk, read from a copy so that nothing is changed.

    The input itself is looked at several times; before the last of them there is no outcome of it.
    """
    copy = stage.folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(stage.home, copy)
    found: set[str] = set()
    for path in copy.glob("runs/*.db"):
        with closing(sqlite3.connect(path)) as db:
            if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'facts'").fetchall():  # else killed before that
                found |= {key.hex() for (key,) in db.execute("SELECT digest FROM tests")}
                if not db.execute("SELECT 1 FROM facts WHERE name = 'baseline'").fetchall():
                    assert found <= {own(stage)}
                    found.clear()
    return found


def own(stage: Stage) -> str:
    """The digest of the input itself."""
    return digest((stage.work / "bug.c").read_bytes()).hex()


def run(stage: Stage, jobs: int, output: str, **more: object) -> subprocess.Popen[bytes]:
    return stage.start(
        "reduce", "bug.c", "--test", "./check", "-j", jobs, "--atoms", "lines", "--json", "-o", output, **more
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_twenty_times_in_a_row(stage: Stage, jobs: int) -> None:
    stage.file("bug.c", source())
    stage.script("check", BODY.format(log=stage.folder / "log"))
    whole = stage.ended(run(stage, jobs, "whole.c"))
    assert whole.code == 0, whole.err
    assert whole.json["tests"] > 150
    shutil.rmtree(stage.home)
    stage.home.mkdir()
    (stage.folder / "log").unlink()

    rng = random.Random(jobs)
    known, progress = set[str](), []
    for _ in range(KILLS):
        before = len(stage.log)
        wanted = before + rng.choice((0, 1, 1, 2, 3, 5, 8, 13))
        process = run(stage, jobs, "killed.c")
        while process.poll() is None and len(stage.log) < wanted:
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.05))  # a moment that has nothing to do with the tests
        process.kill()
        ended = stage.ended(process)
        assert ended.code == -9, ended.err
        assert known.isdisjoint(line.split()[0] for line in stage.log[before:])
        known = journalled(stage) - {own(stage)}  # which each start runs again
        progress.append(len(known))
    assert len(set(progress)) > KILLS / 3, "kills came in the middle of the work"

    before = len(stage.log)
    last = stage.ended(run(stage, jobs, "killed.c"))
    assert last.code == 0, last.err
    assert known.isdisjoint(line.split()[0] for line in stage.log[before:])
    assert (stage.work / "killed.c").read_bytes() == (stage.work / "whole.c").read_bytes()
    assert last.json["minimality"] == "1-minimal"
    others = [line for line in stage.log if line.split()[0] != own(stage)]
    lost = len(others) - len(set(others))
    assert lost <= KILLS * (jobs + 1), "a kill costs the tests under way, no more"
    assert {path.name for path in stage.work.glob("[!.]*")} == {"bug.c", "check", "killed.c", "whole.c"}


def test_a_kill_leaves_the_result_so_far_whole(stage: Stage) -> None:
    """What is read at any time is a candidate that fails, never a part of one."""
    body = "".join(f"{number:06}{' odd' if number % 333 == 0 else ''}\n" for number in range(20_000))
    stage.file("big.txt", f"head\n{body}tail\n")
    ends = 'test "$(head -n 1 "$1")" = head && test "$(tail -n 1 "$1")" = tail'
    stage.script("check", f'sleep 0.01; {ends} && test $(grep -c odd "$1") -ge 60')
    process = stage.start("reduce", "big.txt", "--test", "./check", "--atoms", "lines", "-o", "out.txt")
    target = stage.work / "out.txt"
    seen: set[bytes] = set()
    while process.poll() is None and len(seen) < 4:
        seen |= {read(target)}
    process.kill()
    stage.ended(process)
    seen = (seen | {read(target)}) - {b""}
    assert seen
    for content in seen:
        assert content.startswith(b"head\n")
        assert content.endswith(b"tail\n")


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
