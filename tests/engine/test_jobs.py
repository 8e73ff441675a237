"""Any number of jobs gives the same result, byte for byte, with real programs that take random times."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.support.stage import Stage

JOBS = (1, 2, 8)
MANY = (*JOBS, 32)
"""So many run far ahead, mostly in vain: tried where a search takes few tests; tests/laws tries it with all."""
SLEEP = "sleep 0.0$((RANDOM%5))\n"


def program() -> str:
    """A text with words, signs and brackets."""
    rng = random.Random(1)
    words = ["alpha", "beta(x, 1)", "[gamma]", "if (delta)", "{", "}", "x = 'a b';", "return 7"]
    return "\n".join(" ".join(rng.choices(words, k=rng.randint(1, 3))) for _ in range(25)) + "\n"


def noise() -> bytes:
    return random.Random(2).randbytes(300)


REDUCE = {
    "text": (
        program().encode(),
        """grep -q gamma "$1" && grep -q 'x =' "$1" || exit 1
        test $(tr -dc "(" < "$1" | wc -c) = $(tr -dc ")" < "$1" | wc -c) || exit 125""",
        (),
    ),
    "ddmin": (program().encode(), 'test $(grep -c beta "$1") -ge 3', ("--algorithm", "ddmin", "--atoms", "lines")),
    "ddplus": (program().encode(), 'test $(grep -c beta "$1") -ge 2', ("--algorithm", "ddplus", "--atoms", "lines")),
    "bytes": (noise(), 'test $(tr -dc "\\000-\\037" < "$1" | wc -c) -ge 4', ("--atoms", "bytes")),
    "causes": (b"a\nbug\nb\nbug\nc\nd bug\n", 'grep -q bug "$1"', ("--causes", "3", "--atoms", "lines")),
    "not monotone": (
        b"".join(b"%d\n" % number for number in range(40)),
        'n=$(wc -l < "$1"); grep -q 17 "$1" && test $((n % 3)) -ne 2',
        ("--atoms", "lines"),
    ),
}


@pytest.mark.parametrize(("data", "body", "more"), REDUCE.values(), ids=REDUCE)
def test_reduce_gives_the_same_for_any_number_of_jobs(
    stage: Stage, data: bytes, body: str, more: tuple[str, ...]
) -> None:
    stage.file("input.txt", data)
    stage.script("check", SLEEP + body, "/bin/bash")
    results: dict[int, list[tuple[str, bytes]]] = {}
    for jobs in JOBS:
        folder = stage.work / str(jobs)
        folder.mkdir()
        done = stage.wynot(
            "reduce", "input.txt", "--test", "./check", "--fresh", "--json", "-j", jobs, "-o", folder / "out.txt", *more
        )
        assert done.code == 0, done.err
        results[jobs] = contents(folder)
        assert done.json["needed"] <= done.json["tests"]
    assert results[1]
    assert all(len(content) < len(data) for _, content in results[1])
    assert all(results[jobs] == results[1] for jobs in JOBS), results
    stage.assert_clean()


ISOLATE = {
    "from nothing": (program().encode(), None, 'test $(grep -c beta "$1") -ge 3', ()),
    "between files": (
        program().encode(),
        program().replace("gamma", "omega").replace("7", "8").encode(),
        'grep -q gamma "$1" && grep -q 7 "$1"',
        (),
    ),
    "unresolved": (
        program().encode(),
        None,
        'test $(($(wc -c < "$1") % 4)) = 3 && exit 125; test $(grep -c beta "$1") -ge 3',
        ("--atoms", "lines"),
    ),
}


@pytest.mark.parametrize(("failing", "passing", "body", "more"), ISOLATE.values(), ids=ISOLATE)
def test_isolate_gives_the_same_for_any_number_of_jobs(
    stage: Stage, failing: bytes, passing: bytes | None, body: str, more: tuple[str, ...]
) -> None:
    stage.file("failing.txt", failing)
    if passing is not None:
        stage.file("passing.txt", passing)
        more = (*more, "--passing", "passing.txt")
    stage.script("check", SLEEP + body, "/bin/bash")
    results: dict[int, list[tuple[str, bytes]]] = {}
    for jobs in MANY:
        folder = stage.work / str(jobs)
        done = stage.wynot(
            "isolate", "failing.txt", "--test", "./check", "--fresh", "--json", "-j", jobs, "-o", folder, *more
        )
        assert done.code == 0, done.err
        results[jobs] = contents(folder)
    assert [name for name, _ in results[1]] == ["failing", "passing"]
    assert all(results[jobs] == results[1] for jobs in MANY), results
    stage.assert_clean()


@pytest.mark.parametrize("tests", [1, 5, 12])
def test_a_budget_gives_the_same_for_any_number_of_jobs(stage: Stage, tests: int) -> None:
    """What runs ahead is not counted before it is asked for."""
    stage.file("input.txt", program())
    stage.script("check", SLEEP + 'grep -q gamma "$1"', "/bin/bash")
    results = set()
    for jobs in MANY:
        done = stage.wynot(
            "reduce",
            "input.txt",
            "--test",
            "./check",
            "--fresh",
            "-q",
            "-j",
            jobs,
            "--budget-tests",
            tests,
            "-o",
            "out",
        )
        assert done.code == 3
        results.add((stage.work / "out").read_bytes())
    assert len(results) == 1


def contents(folder: Path) -> list[tuple[str, bytes]]:
    return sorted((path.name, path.read_bytes()) for path in folder.iterdir())
