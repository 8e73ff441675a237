"""The parts of all.py: which script, with which options, in full and for a quick look."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import corpus

HERE = Path(__file__).resolve().parent
QUICK_CASES = 2


@dataclass(frozen=True, slots=True)
class Part:
    """One run of a script; `cases`: on the cases of a folder, the others bring their own."""

    name: str
    shows: str
    script: str
    full: str = ""
    quick: str = ""
    cases: bool = False

    def argv(self, args: argparse.Namespace) -> list[str]:
        """Its command line, without what says where the figures go."""
        words = [*shlex.split(self.full), *(shlex.split(self.quick) if args.quick else ())]
        return [str(HERE / self.script), *words, *(self._on_cases(args) if self.cases else ())]

    def _on_cases(self, args: argparse.Namespace) -> Iterator[str]:
        yield from ("--cases", str(args.cases.resolve()))
        if args.no_install:
            yield "--no-install"
        if self.script == "compare.py":
            yield from ("--cap", f"{8 if args.quick else args.cap:g}", "--peers", ",".join(args.peers))
        if args.quick:
            yield from quickest(args.cases)

    def outputs(self, folder: Path, *, again: bool = False) -> list[str]:
        """Where its figures go. What is there of a comparison is not run again, of wynot only if it was stopped."""
        figures = folder / f"{self.name}.json"
        words = ["--json", str(figures)]
        if self.script == "compare.py":
            words += ["--plots", str(folder / "plots" / self.name)]
            words += ["--keep", str(figures)] if figures.exists() else []
            words += ["--resume"] if figures.exists() and not again else []
        elif self.script == "passes.py":
            words += ["--answers", str(folder / "answers.sqlite")]
        return words


def quickest(cases: Path) -> list[str]:
    """The cases with the shortest tests; where there are none the script will say so."""
    if not any(cases.glob("*/case.toml")):
        return []
    found = sorted(corpus.named(cases, []), key=lambda case: (case.test_ms, case.name))
    return [case.name for case in found[:QUICK_CASES]]


PARTS = (
    Part("growth", "cost as the input grows, fitted exponents", "growth.py",
         quick="--sizes 10^3,10^4,10^5 --hunks 10,100,1000"),
    Part("memory", "tests, engine time and peak memory on large inputs", "scale.py",
         quick="--sizes 10^3,10^4 --problems one"),
    Part("lists", "numbers of tests beside the information bound", "lists.py", "-j 2",
         quick="--sizes 100,1000 --seeds 3"),
    Part("overhead", "wall clock per test beside picire, lithium and a bare loop", "overhead.py",
         quick="--lines 100 --repeat 1"),
    Part("throughput", "-j 32 against -j 1 with sleeping tests", "overhead.py", "--sleep 200",
         quick="--sleep 100 --sleep-jobs 8"),
    Part("record", "what the record of a run costs", "record.py", quick="--tests 2000 --repeat 1"),
    Part("server", "--server beside programs that are started", "server.py", quick="--turns 1 --only json"),
    Part("efficiency", "share of the wall clock in which tests that are needed run", "efficiency.py",
         quick="--costs 20"),
    Part("scaling", "1 to 256 workers with sleeping tests, here and on Dask", "cluster.py",
         "scaling --slots 1,4,16,64,256", quick="--slots 1,4 --sleep 100 --turns 4"),
    Part("killed", "workers of a Dask cluster that die", "cluster.py", "killed", quick="--sleep 200 --every 3"),
    Part("passes", "where the tests of reductions go, beside the information bound", "passes.py",
         quick="--budget 300", cases=True),
    Part("compare-j2", "wynot beside its peers, -j 2", "compare.py", "-j 2", cases=True),
    Part("compare-j1", "wynot beside its peers, -j 1", "compare.py", "-j 1", cases=True),
)  # fmt: skip
