"""Tests on a cluster: how it scales, and what happens when its workers die.

scaling: nothing ever succeeds and each test sleeps, so that all workers can be used, by `-j N` here and by a Dask
cluster of N threads. Efficiency is (tests that the search needed x bare cost of a test / workers) / wall clock, of
the whole run; the cluster is there already.

killed: a worker process is killed (SIGKILL) every few seconds and another one is started, and once one is added. The
result must be that of a run with `-j 1`, with as many tests as that one needed, and nothing may be left behind.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import common
from common import progress, table, tell

TAG = "WYNOT_BENCH_TAG"
WYNOT = (sys.executable, "-m", "wynot")


class Dask:
    """A scheduler and workers, as processes of their own; all that descends from them carries a tag."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.tag = uuid.uuid4().hex
        self.tmp = folder / "work"
        self.tmp.mkdir(exist_ok=True)
        self._folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        port = self.address.rpartition(":")[2]
        self._scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")

    def _start(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        module = f"distributed.cli.dask_{what}"
        env = {**os.environ, TAG: self.tag, "WYNOT_TMP": str(self.tmp)}
        with (self._folder / "dask.log").open("ab") as log:
            return subprocess.Popen((sys.executable, "-m", module, *words), env=env, stdout=log, stderr=log)

    def add(self, threads: int) -> None:
        """One more worker."""
        words = ("--nthreads", str(threads), "--no-nanny", "--no-dashboard", "--memory-limit", "0")
        place = str(self._folder / "dask")
        self.workers.append(self._start("worker", self.address, *words, "--local-directory", place))

    def kill(self) -> None:
        """The oldest worker, without a warning."""
        worker = self.workers.pop(0)
        worker.kill()
        worker.wait()

    def close(self) -> None:
        """End it, as a user would: the workers first."""
        for processes in (self.workers, [self._scheduler]):
            for process in processes:
                process.send_signal(signal.SIGTERM)
            for process in processes:
                process.wait()

    def left(self) -> list[str]:
        """Command lines of processes that are still there, and work folders."""
        return [*_tagged(self.tag), *map(str, self.tmp.iterdir())]


def _tagged(tag: str) -> Iterator[str]:
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and tag.encode() in (entry / "environ").read_bytes():
                yield (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()


@contextlib.contextmanager
def dask(folder: Path, workers: int, threads: int) -> Iterator[Dask]:
    """A cluster, ended in the end."""
    made = Dask(folder)
    try:
        for number in range(workers):
            made.add(threads // workers + (number < threads % workers))
        yield made
    finally:
        made.close()


def wynot(folder: Path, source: Path, test: Path, output: Path, *more: str) -> dict[str, Any]:
    """One run, with what it says of itself."""
    with common.wynot_home(None) as env:
        argv: list[str | Path] = [*WYNOT, "reduce", source, "--test", test, "-o", output, "--fresh", "--json", *more]
        return common.run(argv, env, cwd=folder).json()


def sleeping(folder: Path, milliseconds: int, needed: str) -> Path:
    """A test that sleeps."""
    return common.write_script(folder / "test", f'#!/bin/sh\nsleep {milliseconds / 1000}\n{needed} "$1"\n')


def bare(test: Path, source: Path, times: int = 5) -> float:
    """Seconds that the test takes by itself."""
    begun = time.perf_counter()
    for _ in range(times):
        subprocess.run([test, source], check=False)
    return (time.perf_counter() - begun) / times


def scaling(args: argparse.Namespace) -> list[dict[str, object]]:
    rows = []
    for slots in args.slots:
        for where in args.where:
            with common.work_folder() as folder:
                lines = max(32, args.turns * slots)
                source = folder / "input.txt"
                source.write_text("".join(f"{number:05}\n" for number in range(lines)))
                test = sleeping(folder, args.sleep, f'test $(wc -l < "$1") -ge {lines} && test -s')
                cost = bare(test, source)
                rows.append(_scaled(folder, source, test, slots, where) | {"bare": cost})
                tests, wall = rows[-1]["needed"], rows[-1]["wall"]
                rows[-1]["efficiency"] = tests * cost / slots / wall
                rows[-1]["load"] = os.getloadavg()[0]
                progress(str(rows[-1]))
    heads = ("where", "slots", "needed", "wall", "bare", "efficiency", "engine", "load")
    tell(f"a test that sleeps {args.sleep} ms; nothing succeeds\n")
    tell(table(heads, [[row[head] for head in heads] for row in rows]))
    return rows


def _scaled(folder: Path, source: Path, test: Path, slots: int, where: str) -> dict[str, Any]:
    words = ("--atoms", "lines", "--algorithm", "ddmin")
    if where == "here":
        found = wynot(folder, source, test, folder / "out", *words, "-j", str(slots))
    else:
        with dask(folder, min(slots, len(os.sched_getaffinity(0))), slots) as cluster:
            _await(cluster, slots)
            found = wynot(folder, source, test, folder / "out", *words, "--cluster", cluster.address)
    return {"where": where, "slots": slots, **{name: found[name] for name in ("needed", "wall", "engine")}}


def _await(cluster: Dask, slots: int) -> None:
    """Wait until all workers are there."""
    from distributed import Client  # noqa: PLC0415 - an extra

    with Client(cluster.address) as client:  # type: ignore[no-untyped-call]
        while sum(client.nthreads().values()) < slots:
            time.sleep(0.2)


def killed(args: argparse.Namespace) -> list[dict[str, object]]:
    with common.work_folder() as folder:
        chance = random.Random(1)
        lines = [f"{number} {chance.random()}" for number in range(400)]
        for place in chance.sample(range(400), 12):
            lines[place] += " guilty"
        source = folder / "input.txt"
        source.write_text("\n".join(lines))
        serial = wynot(
            folder, source, sleeping(folder, 0, 'test $(grep -c guilty "$1") -ge 12 && test -s'), folder / "one"
        )
        test = sleeping(folder, args.sleep, 'test $(grep -c guilty "$1") -ge 12 && test -s')
        with dask(folder, 3, 12) as cluster:
            stop = threading.Event()
            deaths: list[float] = []
            thread = threading.Thread(target=_harm, args=(cluster, args.every, stop, deaths))
            thread.start()
            found = wynot(folder, source, test, folder / "many", "--cluster", cluster.address)
            stop.set()
            thread.join()
        time.sleep(1)
        same = (folder / "one").read_bytes() == (folder / "many").read_bytes()
        row = {
            "killed": len(deaths), "added": len(deaths) + 1, "same result": same, "serial tests": serial["tests"],
            "needed": found["needed"], "run": found["tests"], "none lost": serial["tests"] == found["needed"],
            "wall": found["wall"], "left behind": ", ".join(cluster.left()) or "nothing",
        }  # fmt: skip
    tell(f"a worker killed every {args.every:g} s; tests of {args.sleep} ms\n")
    tell(table(tuple(row), [tuple(row.values())], left=0))
    return [row]


def _harm(cluster: Dask, every: float, stop: threading.Event, deaths: list[float]) -> None:
    while not stop.wait(every):
        cluster.kill()
        deaths.append(time.time())
        cluster.add(4)
        if len(deaths) == 1:
            cluster.add(4)


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("what", choices=("scaling", "killed"))
    parser.add_argument("--slots", type=common.numbers, default=[1, 4, 16, 64], metavar="N,N", help="[1,4,16,64]")
    parser.add_argument("--where", type=common.words, default=["here", "dask"], help="[here,dask]")
    parser.add_argument("--sleep", type=int, default=500, metavar="MS", help="what a test sleeps [%(default)s]")
    parser.add_argument("--turns", type=int, default=12, help="lines for each slot [%(default)s]")
    parser.add_argument(
        "--every", type=float, default=5.0, metavar="S", help="seconds between two deaths [%(default)s]"
    )
    args = parser.parse_args()
    common.save(args.json, {"scaling": scaling, "killed": killed}[args.what](args))


if __name__ == "__main__":
    main()
