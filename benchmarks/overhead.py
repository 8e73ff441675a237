"""Wall clock per test: wynot, picire, lithium and a bare spawn-and-wait loop, on the same trivial test.

The problem: all lines are needed, so no test ever succeeds. Each tool runs it with few lines and with many; the
difference of the two times over the difference of the two numbers of tests is the time per test, start-up apart.
The test itself counts how often it is run, in the same way for all. The tools take turns, several times; the
medians count. `processor` is the processors' time for a test, with all that belongs to it: it says more than the
clock where other work goes on. Input and peers' work folders are in memory, wynot's journal is on the disk for
temporary files.

With --sleep: how many times as many tests a second wynot runs with -j 32 as with -j 1, when a test sleeps.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import common
from common import median, progress, table, tell
from trivial import Problem

BENCHMARKS = Path(__file__).resolve().parent


class Time(NamedTuple):
    """What so many tests took: seconds, and seconds of processors."""

    wall: float
    cpu: float
    tests: int


@dataclass(slots=True)
class Tool:
    """Something that runs tests: from a problem to seconds and tests."""

    name: str
    jobs: int
    go: Callable[[Problem], Time]
    slopes: list[float] = field(default_factory=list)
    cpus: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    tests: int = 0

    def measure(self, few: Problem, many: Problem) -> None:
        """Milliseconds per test, and for start-up."""
        short, long = self.go(few), self.go(many)
        tests = (long.tests - short.tests) / 1000
        self.slopes.append((long.wall - short.wall) / tests)
        self.cpus.append((long.cpu - short.cpu) / tests)
        self.starts.append(1000 * short.wall - self.slopes[-1] * short.tests)
        self.tests = long.tests

    def over(self, floor: list[float]) -> float:
        """What it takes more than the bare loop, turn by turn."""
        return median([slope - base for slope, base in zip(self.slopes, floor, strict=True)])

    def figures(self, floor: list[float]) -> dict[str, object]:
        return {
            "tool": self.name, "jobs": self.jobs, "tests": self.tests, "ms_per_test": median(self.slopes),
            "least": min(self.slopes), "most": max(self.slopes),
            "overhead_ms": None if self.slopes is floor else self.over(floor), "cpu_ms": median(self.cpus),
            "start_ms": median(self.starts), "ms_per_test_each_turn": self.slopes,
        }  # fmt: skip


def bare(jobs: int) -> Callable[[Problem], Time]:
    """Start so many tests at once; when one ends, start the next: one for each line, on a file that lacks a line."""

    def go(problem: Problem) -> Time:
        problem.place()
        left = problem.lines
        argv = [str(problem.test), str(problem.without_one)]
        running: dict[int, subprocess.Popen[bytes]] = {}
        begun, used = time.perf_counter(), _processor()
        while left or running:
            if left and len(running) < jobs:
                child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                running[child.pid] = child
                left -= 1
                continue
            pid, status = os.wait()
            running.pop(pid).returncode = status
        return Time(time.perf_counter() - begun, _processor() - used, problem.tests())

    return go


def _processor() -> float:
    """Seconds of processors that this process and its ended children have used."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def wynot_argv(problem: Problem, jobs: int, *more: str) -> list[str]:
    out = problem.place() / "out"
    argv = ["reduce", problem.input, "-o", out, "--atoms", "lines", "--fresh", "-j", jobs, "--test", problem.test]
    return [common.program("wynot"), *map(str, argv), *more]


def wynot(env: dict[str, str], jobs: int, algorithm: str) -> Callable[[Problem], Time]:
    def go(problem: Problem) -> Time:
        return _timed(problem, wynot_argv(problem, jobs, "-q", "--algorithm", algorithm), env)

    return go


def picire(cache: str, jobs: int) -> Callable[[Problem], Time]:
    def go(problem: Problem) -> Time:
        place = problem.place()
        parallel = ["--parallel", "-j", str(jobs)] if jobs > 1 else []
        argv = ["-i", problem.input, "--test", problem.test, "-o", place, "--encoding", "utf-8", "--cache", cache]
        return _timed(problem, [common.program("picire"), *map(str, argv), *parallel])

    return go


def lithium(problem: Problem) -> Time:
    place = problem.place()
    copy = shutil.copy(problem.input, place / problem.input.name)  # it reduces the file where it is
    (place / "tmp").mkdir()
    argv = ["--tempdir", place / "tmp", BENCHMARKS / "lithium_exit.py", problem.test, copy]
    return _timed(problem, [common.program("lithium"), *map(str, argv)], expect=1)  # 1: nothing could be removed


def _timed(problem: Problem, argv: list[str], env: dict[str, str] | None = None, expect: int = 0) -> Time:
    done = common.run(argv, env, cwd=problem.folder)
    if done.exit != expect:
        raise SystemExit(f"{' '.join(argv)}: exit {done.exit}\n{done.stderr[-2000:]}")
    return Time(done.wall, done.cpu, problem.tests())


def tools(env: dict[str, str], jobs: list[int]) -> list[Tool]:
    made: list[Tool] = []
    for count in jobs:
        made += [
            Tool("bare", count, bare(count)),
            Tool("wynot", count, wynot(env, count, "sweep")),
            Tool("picire", count, picire("config", count)),
            Tool("wynot --algorithm ddmin", count, wynot(env, count, "ddmin")),
            Tool("picire --cache none", count, picire("none", count)),
        ]
        if count == 1:
            made.append(Tool("lithium", 1, lithium))
    return made


def per_test(args: argparse.Namespace) -> list[dict[str, object]]:
    with common.work_folder(args.work) as folder, common.wynot_home(args.home) as env:
        few, many = (Problem(folder, lines, args.test_kind) for lines in (args.few, args.lines))
        rows = tools(env, args.jobs)
        for turn in range(args.repeat):
            for tool in rows:
                tool.measure(few, many)
                progress(f"{turn + 1}/{args.repeat} {tool.name} -j {tool.jobs}: {tool.slopes[-1]:.2f} ms a test")
    floors = {tool.jobs: tool.slopes for tool in rows if tool.name == "bare"}
    figures = [tool.figures(floors[tool.jobs]) for tool in rows]
    tell(f"{args.lines} lines, all needed; test: {args.test_kind}; {args.repeat} turns; ms a test, start-up apart\n")
    heads = ("tool", "-j", "tests", "median", "least", "most", "over bare", "processor", "start-up")
    tell(table(heads, [tuple(figure.values())[: len(heads)] for figure in figures]))
    tell()
    tell(table(("", "-j", "over bare", "of picire's", "of picire's without cache", "bars", "met"), bars(rows, floors)))
    return figures


def bars(rows: list[Tool], floors: dict[int, list[float]]) -> list[tuple[object, ...]]:
    """The promises: overhead below 1 ms, and no more than picire's as it comes at -j 1, half of it in parallel."""
    found: list[tuple[object, ...]] = []
    for jobs, floor in floors.items():
        over = {tool.name: tool.over(floor) for tool in rows if tool.jobs == jobs}
        share = 1.0 if jobs == 1 else 0.5
        for name, ours in over.items():
            if name.startswith("wynot"):
                theirs = over["picire"], over["picire --cache none"]
                met = ours < 1 and ours <= share * theirs[0]
                found.append((name, jobs, ours, *(ours / their for their in theirs), f"1 ms, {share}", met))
    return found


def throughput(args: argparse.Namespace) -> dict[str, object]:
    """Tests a second whose outcome the search needed: from two sizes, so that beginning and end do not count."""
    rows, rates = [], []
    with common.work_folder(args.work) as folder, common.wynot_home(args.home) as env:
        for jobs in (1, args.sleep_jobs):
            times = []
            for lines in (8 * jobs, 40 * jobs):
                problem = Problem(folder, lines, args.test_kind, args.sleep)
                done = common.run(wynot_argv(problem, jobs, "--json"), env, cwd=problem.folder)
                times.append((done.wall, done.json()["needed"]))
            rates.append((times[1][1] - times[0][1]) / (times[1][0] - times[0][0]))
            rows.append((f"-j {jobs}", times[1][1], rates[-1]))
    factor = rates[1] / rates[0]
    tell(f"a test that sleeps {args.sleep} ms; nothing succeeds\n")
    tell(table(("wynot", "tests", "tests/s"), rows))
    tell(f"\nfactor: {factor:.1f} (bar: {0.75 * args.sleep_jobs:g})")
    return {"jobs": [1, args.sleep_jobs], "tests_per_second": rates, "factor": factor}


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--lines", type=int, default=1000, help="lines of the large problem [%(default)s]")
    parser.add_argument("--few", type=int, default=4, help="lines of the small problem [%(default)s]")
    parser.add_argument("--repeat", type=int, default=5, help="turns [%(default)s]")
    parser.add_argument("--jobs", type=common.numbers, default=[1, 2], metavar="N,N", help="values of -j [1,2]")
    parser.add_argument("--test-kind", choices=("sh", "c"), default="sh", help="what the test is written in")
    parser.add_argument("--work", metavar="DIR", help="where input and work folders go [memory]")
    parser.add_argument("--home", metavar="DIR", help="where wynot's journal goes [the folder for temporary files]")
    parser.add_argument("--sleep", type=int, nargs="?", const=200, metavar="MS", help="throughput instead [200]")
    parser.add_argument("--sleep-jobs", type=int, default=32, metavar="N", help="jobs to compare with 1 [%(default)s]")
    args = parser.parse_args()
    common.save(args.json, throughput(args) if args.sleep else per_test(args))


if __name__ == "__main__":
    main()
