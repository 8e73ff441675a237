"""Efficiency: (tests x bare cost of a test / workers) / wall clock, on reductions in which tests succeed.

The input is a real C program a few times over; its test sleeps, or is busy, for so many milliseconds, and then says
whether all of some places are there. The tests that count are those of the input itself and those that the search
needed: at -j 2, what was started in vain costs, and counts for nothing. The bare cost is that of starting the test and
waiting for it, one at a time, measured before and after each run. Wall clock is that of the whole process, from the
start of Python on; *running* has wynot's own clock instead, which starts when it has been loaded (it has its bytecode,
as after an installation, whatever the environment says). *processor s* is what wynot and its tests have used.

Other work on the machine costs busy tests and wynot differently: look at the load.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import time
from itertools import product
from pathlib import Path
from typing import Any

import common
import counted
from common import progress, table, tell

BARS = {1: 0.9, 2: 0.8}
PLACES = 8
TEST = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e3 * t.tv_sec + t.tv_nsec / 1e6;
}
int main(int argc, char **argv) {
    struct stat info;
    char place[] = "place_A";
    struct timespec pause = {0, 1000000L * MILLISECONDS};
    if (BUSY) while (now(CLOCK_PROCESS_CPUTIME_ID) < MILLISECONDS) {}
    else nanosleep(&pause, 0);
    int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &info)) return 125;
    if (!info.st_size) return 1;
    void *text = mmap(0, info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    for (int i = 0; i < PLACES; i++, place[6]++)
        if (text == MAP_FAILED || !memmem(text, info.st_size, place, 7)) return 1;
    return 0;
}
"""
HEADS = ("test", "ms", "-j", "tests", "needed", "succeeded", "bare ms", "wall s", "efficiency", "bar", "met", "running",
         "processor s", "load")  # fmt: skip


def source(pieces: int) -> str:
    """The program, and a place in every part of it."""
    made = [counted.C.replace(" main(", f" main_{number}(") for number in range(pieces)]
    for number in range(PLACES):
        part = number * pieces // PLACES
        made[part] = made[part].replace("    long found = 0;\n", f"    long found = place_{chr(65 + number)}(0);\n", 1)
    return "".join(made)


def bare(test: Path, file: Path, times: int) -> list[float]:
    """Seconds of a test by itself, several times."""
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        subprocess.run([test, file], check=False)
        found.append(time.perf_counter() - begun)
    return found


def measure(kind: str, milliseconds: int, jobs: int, args: argparse.Namespace) -> dict[str, Any]:
    with common.work_folder() as folder, common.wynot_home(None) as env:
        file = folder / "input.c"
        file.write_text(source(args.pieces))
        facts = {"BUSY": int(kind == "busy"), "MILLISECONDS": milliseconds, "PLACES": PLACES}
        test = common.compiled(folder / "check", TEST, *(f"-D{name}={value}" for name, value in facts.items()))
        argv: list[str | Path] = [
            common.program("wynot"), "reduce", file, "-o", folder / "out.c", "--test", test, "-j", str(jobs),
            "--fresh", "--json", *args.options.split(),
        ]  # fmt: skip
        env |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
        common.run([*argv, "--budget-tests", "1"], env, cwd=folder)  # as installed programs are: compiled
        costs = bare(test, file, args.bare)
        done = common.run(argv, env, cwd=folder)
        costs += bare(test, file, args.bare)
    said, cost = done.json(), statistics.median(costs)
    work = (said["baseline_tests"] + said["needed"]) * cost / jobs
    bar = BARS.get(jobs)
    return {
        "test": kind, "ms": milliseconds, "-j": jobs, "tests": said["tests"], "needed": said["needed"],
        "succeeded": said["outcomes"]["fail"], "bare ms": 1000 * cost, "wall s": done.wall,
        "efficiency": work / done.wall, "bar": bar, "met": None if bar is None else work / done.wall >= bar,
        "running": work / said["wall"], "processor s": done.cpu, "load": os.getloadavg()[0],
    }  # fmt: skip


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--kinds", type=common.words, default=["sleeping", "busy"], help="[sleeping,busy]")
    parser.add_argument("--costs", type=common.numbers, default=[20, 50, 200], metavar="MS,MS", help="[20,50,200]")
    parser.add_argument("-j", "--jobs", type=common.numbers, default=[1, 2], metavar="N,N", help="[1,2]")
    parser.add_argument("--pieces", type=int, default=8, help="times the program [%(default)s]")
    parser.add_argument("--bare", type=int, default=20, help="bare runs before and after [%(default)s]")
    parser.add_argument("--options", default="", metavar="'...'", help="more options for wynot")
    args = parser.parse_args()
    if args.pieces < PLACES:
        raise SystemExit(f"--pieces {args.pieces}: at least {PLACES}, one for each place that is needed")
    rows = []
    for kind, milliseconds, jobs in product(args.kinds, args.costs, args.jobs):
        rows.append(measure(kind, milliseconds, jobs, args))
        progress(", ".join(f"{name} {common.cell(value)}" for name, value in rows[-1].items()))
    tell(table(HEADS, [[row[head] for head in HEADS] for row in rows]))
    common.save(args.json, rows)


if __name__ == "__main__":
    main()
