"""Replays that go on from a checkpoint do what replays from the first statement on do."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.commands.trace.inside import Stage
from tests.commands.trace.random_programs import program
from tests.support.stage import Stage as Folder
from wynot.commands.trace.checkpointed_replay import Checkpoints, possible
from wynot.commands.trace.record_run import RecordingFolder, RunSettings, studio
from wynot.commands.trace.tracers import program_of
from wynot.core.config import Config
from wynot.domains.traces.trace_tree import TraceTree, plan_of
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.executors.sandbox import Limits
from wynot.oracles.script import Script

PROGRAMS, PLANS = 8, 8


@contextmanager
def recorded(path: Path, *, stdin: bytes = b"") -> Iterator[tuple[RecordingFolder, TraceTree, Checkpoints]]:
    """A recorded program with checkpoints wherever one can be."""
    setting = RunSettings(program_of((sys.executable, str(path))), stdin, str(path.parent))
    with studio(setting) as place:
        whole, _ended = place.record()
        if not possible(place):
            pytest.skip("no checkpoints on this system")
        place.option("spacing", [0, 1])
        with (
            closing(LocalExecutor(Script("/bin/true"), "plan", 1, Limits())) as executor,
            closing(Checkpoints(place, executor)) as posts,
        ):
            posts.improve(plan_of(Config.full(len(whole))))
            yield place, whole, posts


def plans(whole: int, random: Random) -> Iterator[tuple[Config, bool]]:
    """Plans as a search has them: each is a part of the best one, which gets smaller from time to time."""
    best = Config.full(whole)
    for _ in range(PLANS):
        events = list(best)
        low = random.randrange(len(events) + 1)
        less = best - Config.of(events[low : low + random.choice((1, 1, 3, whole))])
        better = random.random() < 0.4 and len(less) > 2
        yield less, better
        best = less if better else best


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_the_same_with_and_without(seed: int, tmp_path: Path) -> None:
    source = program(seed)
    (tmp_path / "prog.py").write_text(source)
    inside, random = Stage(source), Random(seed)
    with recorded(tmp_path / "prog.py") as (place, whole, posts):
        assert len(whole) == len(inside.trace)
        for number, (plan, better) in enumerate(plans(len(whole), random)):
            out, error = inside.replay(plan)
            ended = place._ran(plan_of(plan), posts)
            assert ended.stdout.decode() == out, f"program {seed}, plan {number}: {plan}"
            assert (ended.exit, error.partition("(")[0] in ended.stderr.decode()) == (1 if error else 0, True)
            if better:
                posts.improve(plan_of(plan))
        assert posts.forked == PLANS
        assert posts.spared > 0, "at least one did not begin at the beginning"


OUTSIDE = """import sys
first = sys.stdin.readline()
print("read", first.strip())
print("and told", file=sys.stderr)
with open("log", "a") as log:
    log.write("x")
second = sys.stdin.readline()
print("read", second.strip(), len(open("log").read()) > 0)
1 / 0
"""


def test_what_is_outside_of_the_process(tmp_path: Path) -> None:
    """What was printed and read so far belongs to the checkpoint; after a file was written there are none."""
    path = tmp_path / "prog.py"
    path.write_text(OUTSIDE)
    with recorded(path, stdin=b"one\ntwo\n") as (place, whole, posts):
        last = len(whole) - 1
        for gone in (last, last - 1, last, 4, 3, 3):
            plan = Config.full(len(whole)) - Config.of([gone])
            fresh, forked = (place._ran(plan_of(plan), *how) for how in ((), (posts,)))
            assert (forked.stdout, forked.stderr, forked.exit) == (fresh.stdout, fresh.stderr, fresh.exit)
        assert 0 < posts.spared <= 6 * 4, "the first four events only"


def test_results_are_the_same_and_nothing_is_left_behind(stage: Folder) -> None:
    loop = "total = 0\nfor i in range(150):\n    total += i\n    d = {total: i}\nprint(d[0])\n"
    stage.file("prog.py", loop)
    found, looks = [], []
    with TemporaryDirectory(prefix="w") as short:  # the path of a socket has to be
        stage.changed["WYNOT_TMP"] = short
        for words in ((), ("--no-checkpoints",)):
            done = stage.wynot("trace", "--json", "-q", "--fresh", *words, "--", sys.executable, "prog.py")
            assert done.code == 0, done.err
            column = json.loads(done.out)["columns"][0]
            found.append((column["events"], column["minimality"], column["looked_for"]))
            looks.append(column["baseline_tests"])
        assert list(Path(short).iterdir()) == []
    assert found[0] == found[1]
    assert looks[0] == looks[1] + 1, "what was found by way of checkpoints is run once without them"
    stage.assert_clean()


def test_a_place_that_no_socket_can_have(tmp_path: Path) -> None:
    """The path of a socket has 108 bytes at the most: replays are started as ever then."""
    (tmp_path / "prog.py").write_text("x = 1\nprint(x)\n")
    with recorded(tmp_path / "prog.py") as (place, whole, posts):
        posts._address = tmp_path / ("x" * 120)
        ended = place._ran(plan_of(Config.full(len(whole))), posts)
        assert (ended.stdout, posts.forked, posts.over) == (b"1\n", 0, True)


def test_a_proof_does_without(stage: Folder) -> None:
    """Each process says who has started it."""
    log = stage.work / "log"
    body = f"import os\nx = open({str(log)!r}, 'a').write(f'{{os.getppid()}}\\n')\nprint(1 / (x - x))\n"
    stage.file("prog.py", body)
    assert stage.wynot("trace", "-q", "--", sys.executable, "prog.py").code == 0
    log.unlink()
    assert stage.wynot("verify", "last").code == 0
    assert len(set(log.read_text().split())) == 1


def test_what_was_killed_before_it_was_confirmed_is_confirmed_later(stage: Folder) -> None:
    """The journal of a process that was killed after the search, before its last test: that one is run by the next."""
    stage.file("prog.py", "total = 0\nfor i in range(9):\n    total += i\nprint({}[total])\n")
    words = ("trace", "--json", "-q", "--", sys.executable, "prog.py")
    with TemporaryDirectory(prefix="w") as short:
        stage.changed["WYNOT_TMP"] = short
        first = stage.wynot(*words).json["columns"][0]
        (path,) = (stage.home / "runs").glob("*.db")
        looks = []
        for killed in (False, True, False):
            if killed:
                with closing(sqlite3.connect(path, isolation_level=None)) as db:
                    db.execute("DELETE FROM facts WHERE name = 'confirmed'")
            again = stage.wynot(*words).json["columns"][0]
            assert (again["tests"], again["events"]) == (0, first["events"])
            looks.append(again["baseline_tests"])
    assert looks == [1, 2, 1]
