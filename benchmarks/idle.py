"""When workers have nothing to do, and what wynot does meanwhile.

The reduction of efficiency.py, with a test that sleeps. While wynot works and a worker is idle, samples of its stack
are taken, by its own processor time: *engine ms* is what it used while workers were idle (two idle workers count
twice), so other work on the machine matters little. *no work ms* is wall clock in which a worker was idle and wynot
waited: nothing was known to do. *share* tells the functions in which it was when workers were idle, those they called
among them.

With --beside DIR, another checkout's wynot takes turns with this one.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import common
import efficiency
from common import progress, table, tell

CHILD = r"""
import json, signal, sys, time
from collections import Counter
from wynot.cli.main import main
from wynot.engine.executors.local import LocalExecutor

ROOT = sys.modules["wynot"].__path__[0] + "/"
made, wait = LocalExecutor.__init__, LocalExecutor.wait
benches, shares, seen = [], Counter(), dict(samples=0, idle=0, nothing=0.0, waits=False)

def init(self, *args, **more):
    made(self, *args, **more)
    benches.append(self)

def waiting(self, timeout=None):
    free, begun = self.free, time.perf_counter()
    seen["waits"] = True
    try:
        return wait(self, timeout)
    finally:
        seen["waits"] = False
        seen["nothing"] += free * (time.perf_counter() - begun)

def look(_number, frame):
    seen["samples"] += 1
    free = benches[-1].free if benches and not seen["waits"] else 0
    seen["idle"] += free
    names = set()
    while frame is not None and free:
        path, _, name = frame.f_code.co_filename.partition(ROOT)
        if name:
            names.add(f"{name[:-3]}:{frame.f_code.co_name}")
        frame = frame.f_back
    shares.update(dict.fromkeys(names, free))

LocalExecutor.__init__, LocalExecutor.wait = init, waiting
signal.signal(signal.SIGPROF, look)
signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
begun = time.process_time()
try:
    main(sys.argv[2:])
except SystemExit as over:
    code = over.code
used = time.process_time() - begun
signal.setitimer(signal.ITIMER_PROF, 0)
with open(sys.argv[1], "w") as file:
    each = used / max(seen["samples"], 1)
    told = {"exit": code, "used": used, "idle": seen["idle"] * each, "nothing": seen["nothing"]}
    json.dump({**told, "shares": {name: count * each for name, count in shares.items()}}, file)
"""
HEADS = ("wynot", "-j", "tests", "needed", "killed", "engine ms", "no work ms", "processor ms")


def once(jobs: int, folder: Path, source: Path | None) -> dict[str, Any]:
    """One reduction: what wynot says of it, and when its workers were idle."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as told, common.wynot_home(None) as env:
        more = {"PYTHONPATH": str(source)} if source else {}
        argv: list[str | Path] = [
            sys.executable, "-c", CHILD, told.name, "reduce", folder / "input.c", "-o", folder / "out.c",
            "--test", folder / "check", "-j", str(jobs), "--fresh", "--json",
        ]  # fmt: skip
        done = common.run(argv, {**env, **more}, cwd=folder)
        found: dict[str, Any] = json.load(told)
        if found["exit"]:
            raise SystemExit(f"exit {found['exit']}: {done.stderr.strip()}")
        return {**done.json(), **found}


def main() -> None:
    args = _arguments().parse_args()
    sides: list[tuple[str, Path | None]] = [("here", None)]
    if args.beside is not None:
        sides.append(("there", args.beside))
    rows, all_found = [], []
    with common.work_folder() as folder:
        (folder / "input.c").write_text(efficiency.source(args.pieces))
        facts = {"BUSY": 0, "MILLISECONDS": args.cost, "PLACES": efficiency.PLACES}
        common.compiled(folder / "check", efficiency.TEST, *(f"-D{name}={value}" for name, value in facts.items()))
        for jobs in args.jobs:
            for _ in range(args.repeat):
                for side, source in sides:
                    found = once(jobs, folder, source)
                    all_found.append({"wynot": side, "-j": jobs, **found})
                    spent = [1000 * found[name] for name in ("idle", "nothing", "used")]
                    rows.append((side, jobs, found["tests"], found["needed"], found["killed"], *spent))
                    progress(" ".join(map(common.cell, rows[-1])))
    tell(table(HEADS, rows))
    for jobs in args.jobs:
        latest = [each for each in all_found if (each["wynot"], each["-j"]) == ("here", jobs)][-1]
        most = sorted(latest["shares"].items(), key=lambda item: -item[1])[: args.most]
        tell(f"\n-j {jobs}, here:\n\n" + table(("function", "share ms"), [(name, 1000 * took) for name, took in most]))
    common.save(args.json, all_found)


def _arguments() -> argparse.ArgumentParser:
    parser = common.parser(__doc__)
    parser.add_argument("-j", "--jobs", type=common.numbers, default=[1, 2], metavar="N,N", help="[1,2]")
    parser.add_argument("--cost", type=int, default=20, metavar="MS", help="milliseconds of a test [%(default)s]")
    parser.add_argument("--pieces", type=int, default=8, help="times the program [%(default)s]")
    parser.add_argument("--repeat", type=int, default=1, help="turns [%(default)s]")
    parser.add_argument("--most", type=int, default=25, help="functions to name [%(default)s]")
    parser.add_argument("--beside", type=Path, metavar="DIR", help="the folder of sources of another wynot")
    return parser


if __name__ == "__main__":
    main()
