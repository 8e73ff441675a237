"""What large inputs cost: tests, memory, and the engine's own work, in calls of functions: the same on any machine."""

from __future__ import annotations

import cProfile
import json
import random
import sys
from typing import Any, NamedTuple

import pytest

import wynot
from tests.support.stage import Stage
from wynot.core.outcome import FAIL

MILLION = 10**6
MEASURED = """
import cProfile, json, sys
from pathlib import Path
from wynot.cli.main import main
profile = cProfile.Profile()
try:
    profile.runcall(main)
finally:
    lines = Path("/proc/self/status").read_text().splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    calls = sum(each.callcount for each in profile.getstats())
    Path(sys.argv[0]).with_name("spent").write_text(json.dumps([peak, calls]))
"""

KINDS = {
    "one line": b"abcdefghijklmnopqrstuvwxyz 0123456789",
    "lines": b"abcdefghijklmnopqrstuvwxyz 0123456789\n",
    "binary": bytes(byte for byte in range(256) if byte != ord("~")),
}


def haystack(letters: bytes) -> bytes:
    rng = random.Random(7)
    data = bytearray(rng.choices(letters, k=MILLION))
    data[rng.randrange(MILLION)] = ord("~")
    return bytes(data)


class Spent(NamedTuple):
    """What a `wynot` has taken, its tests not counted."""

    peak: int
    """Kilobytes."""
    calls: int


def measured(stage: Stage, *args: str) -> tuple[Any, Spent]:
    """The JSON of a `wynot`, and what it took."""
    wrapper = stage.folder / "measured.py"
    wrapper.write_text(MEASURED)
    done = stage.ended(stage.program(sys.executable, wrapper, *args))
    assert done.code == 0, done.err
    return done.json, Spent(*json.loads((stage.folder / "spent").read_text()))


@pytest.mark.parametrize("atoms", ["auto", "bytes"])
@pytest.mark.parametrize("letters", KINDS.values(), ids=KINDS)
def test_one_guilty_byte_in_a_million(stage: Stage, letters: bytes, atoms: str) -> None:
    """reduce: 2 log2 n tests at most; isolate: log2 n; 150 MB; less than a call for each byte."""
    stage.file("hay", haystack(letters))
    stage.script("check", 'LC_ALL=C grep -aq "~" "$1"')
    common = ("--test", "./check", "--atoms", atoms, "--json")
    told, spent = measured(stage, "reduce", "hay", *common, "-o", "needle")
    assert (stage.work / "needle").read_bytes() == b"~"
    assert told["tests"] <= 40
    assert spent.calls < MILLION
    assert spent.peak < 150_000
    told, spent = measured(stage, "isolate", "hay", *common, "-o", "pair")
    failing, passing = ((stage.work / "pair" / side).read_bytes() for side in ("failing", "passing"))
    assert (failing.count(b"~"), passing.count(b"~")) == (1, 0)
    assert len(failing) == len(passing) + 1
    assert told["tests"] <= 20
    assert spent.calls < MILLION
    assert spent.peak < 150_000


def test_one_guilty_byte_in_a_million_by_several_jobs(stage: Stage) -> None:
    stage.file("hay", haystack(KINDS["lines"]))
    stage.script("check", 'LC_ALL=C grep -aq "~" "$1"')
    told, spent = measured(stage, "reduce", "hay", "--test", "./check", "--json", "-j", "4", "-o", "needle")
    assert (stage.work / "needle").read_bytes() == b"~"
    assert told["needed"] <= 40
    assert spent.peak < 150_000


def test_floods_are_not_kept_in_memory(stage: Stage) -> None:
    """A gigabyte of output by a test that forks and is deaf to SIGTERM: unresolved, and soon forgotten."""
    stage.file("input.txt", "all\n1\n2\nthere\n")
    flood = "head -c 1G /dev/zero"
    floods = f"{flood} & setsid {flood} & {flood} >&2"
    stage.script("check", f'trap "" TERM; grep -q all "$1" && grep -q there "$1" && exit 0; {floods}; exit 0')
    told, spent = measured(stage, "reduce", "input.txt", "--test", "./check", "--atoms", "lines", "--json")
    assert told["outcomes"]["unresolved"] > 0
    assert (stage.work / "input.reduced.txt").read_bytes() == b"all\nthere\n"
    assert spent.peak < 150_000
    stage.assert_clean()


def calls(profile: cProfile.Profile) -> int:
    """How many functions were called."""
    return sum(each.callcount for each in profile.getstats())


def overrun(data: bytes) -> bool:
    return len(data) - data.count(b"\n") >= 2121


def overlong() -> bytes:
    letters = bytes(range(32, 127)) + b"\n\n"
    return bytes(random.Random(8).choices(letters, k=10**5))


@pytest.mark.parametrize("atoms", ["auto", "bytes"])
def test_any_2121_of_a_hundred_thousand_bytes(atoms: str) -> None:
    """The fuzz inputs of the 2002 paper: 10,619 tests to simplify, up to 51 to isolate."""
    data, options = overlong(), wynot.Options(atoms=atoms)
    profile = cProfile.Profile()
    reduced = profile.runcall(wynot.reduce, data, overrun, options)
    assert len(reduced.data) == 2121
    assert reduced.minimal
    assert reduced.cost.counts.tests < 10_619
    assert calls(profile) / reduced.cost.counts.tests < 1000
    isolated = wynot.isolate(data, overrun, options)
    assert (overrun(isolated.failing), overrun(isolated.passing)) == (True, False)
    assert len(isolated.failing) == len(isolated.passing) + 1
    assert isolated.cost.counts.tests <= 51


def test_three_guilty_lines_of_a_thousand() -> None:
    """The default costs no more than lithium's 53 runs, and comes near the bound of 28."""
    lines = [b"line %d\n" % number for number in range(1000)]
    rng = random.Random(9)
    for _ in range(20):
        guilty = set(rng.sample(range(1000), 3))

        def fails(data: bytes, needed: frozenset[bytes] = frozenset(lines[i] for i in guilty)) -> bool:
            return needed <= set(data.splitlines(keepends=True))

        result = wynot.reduce(b"".join(lines), fails, wynot.Options(atoms="lines"))
        assert result.data == b"".join(lines[i] for i in sorted(guilty))
        assert result.cost.counts.tests <= 53


def test_the_counts_add_up() -> None:
    calls: list[bytes] = []

    def fails(data: bytes) -> bool:
        calls.append(data)
        return b"b" in data and b"y" in data

    result = wynot.reduce(bytes(range(97, 123)), fails)
    counts = result.cost.counts
    assert result.data == b"by"
    assert len(calls) == counts.tests + counts.baseline
    assert len(set(calls)) == len(calls)
    assert counts.needed == counts.tests
    assert sum(counts.outcomes.values()) == counts.needed + counts.cached
    assert counts.outcomes[FAIL] > 0
