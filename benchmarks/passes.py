"""Where the tests of a reduction go: for each pass, how many it asked for, how many succeeded, and what they won.

The answers of the cases' `check` are kept in a file (--answers), so that another search asks the program only what no
search before it has asked: numbers of tests can be compared in seconds. *bound* is m log2(n/m) + m: n tokens before,
m after.

`--without NAME` leaves a heuristic out (`all`: one after the other; `help`: their names) and prints what each one buys:
tests and tokens without it, as multiples of those of the full search. Then the cases are by default those of recorded
stories; a case whose program is not installed is named and skipped.
"""

from __future__ import annotations

import argparse
import math
import sqlite3
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import common
import corpus
import heuristics
from common import cell, progress, table, tell
from wynot import Outcome
from wynot.commands.reduce.reduction import reduce
from wynot.core.artifact import digest
from wynot.core.run_events import Event, Improved, PassStarted, TrialAnswered
from wynot.domains.text import tokens
from wynot.engine.run_options import Options
from wynot.errors import Ended

HEADS = ("case", "pass", "asked", "succeeded", "bytes won", "tests a success")
WITHOUT = ("case", "without", "tests", "tests x", "tokens", "tokens x")
BOUGHT = ("without", "cases", "changed", "tests x", "tokens x", "most tests x", "in", "most tokens x", "in")
STORIES = Path(__file__).resolve().parents[1] / "tests" / "golden" / "stories"
TOTAL = ("case", "validity", "tokens", "after", "tests", "bound", "tests/bound", "needed", "wall s")


class Answers:
    """What the check said of each text so far; it is asked at most once."""

    def __init__(self, case: corpus.Case, path: Path, place: Path) -> None:
        self.case, self.file = case, place / case.input.name
        self.kept = sqlite3.connect(path, check_same_thread=False)
        self.lock = threading.Lock()
        """With several jobs, one at a time asks: files and answers are shared."""
        self.kept.execute("CREATE TABLE IF NOT EXISTS answers (id BLOB PRIMARY KEY, code INTEGER) WITHOUT ROWID")
        self.asked = self.new = 0

    def __call__(self, data: bytes) -> Outcome:
        with self.lock:
            return self._outcome(data)

    def _outcome(self, data: bytes) -> Outcome:
        self.asked += 1
        key = digest(self.case.name.encode() + b"\0" + data)
        known = self.kept.execute("SELECT code FROM answers WHERE id = ?", (key,)).fetchone()
        code = known[0] if known else self._ask(key, data)
        return {0: Outcome.FAIL, 1: Outcome.PASS}.get(code, Outcome.UNRESOLVED)

    def _ask(self, key: bytes, data: bytes) -> int:
        self.new += 1
        self.file.write_bytes(data)
        try:
            done = subprocess.run(
                [self.case.folder / "check", self.file.name], cwd=self.file.parent, stdin=subprocess.DEVNULL,
                capture_output=True, check=False, timeout=60,
            )  # fmt: skip
            code = done.returncode
        except subprocess.TimeoutExpired:
            code = 125
        self.kept.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, code))
        self.kept.commit()
        return code


@dataclass
class Spent:
    """What one pass has cost and brought."""

    asked: int = 0
    succeeded: int = 0
    won: int = 0


@dataclass
class Ledger:
    """Listens to a run."""

    size: int
    passes: dict[str, Spent] = field(default_factory=dict)
    now: Spent = field(default_factory=Spent)

    def __call__(self, event: Event) -> None:
        if isinstance(event, PassStarted):
            self.now = self.passes.setdefault(event.name, Spent())
        elif isinstance(event, TrialAnswered) and not event.cached:
            self.now.asked += 1
        elif isinstance(event, Improved):
            self.now.succeeded += 1
            self.now.won += self.size - event.size
            self.size = event.size


def bound(before: int, after: int) -> float:
    """How many tests it takes to name `after` of `before`, chosen at random."""
    return after * math.log2(before / after) + after if 0 < after <= before else 0.0


def reduced(case: corpus.Case, args: argparse.Namespace, place: Path) -> dict[str, Any]:
    """Reduce a case and say what it took."""
    data = case.input.read_bytes()
    answers, ledger = Answers(case, args.answers, place), Ledger(len(data))
    options = Options(
        validity=args.validity, listener=ledger, budget_tests=args.budget, algorithm=args.algorithm, jobs=args.jobs
    )
    begun = time.perf_counter()
    try:
        result, ended = reduce(data, answers, options, name=case.input.name).data, True
    except Ended as over:
        result, ended = over.best.data, False  # type: ignore[attr-defined]
    if args.results:
        args.results.mkdir(exist_ok=True)
        (args.results / f"{case.name}-{case.input.name}").write_bytes(result)
    n, m = tokens.count(data), tokens.count(result)
    return {
        "case": case.name, "validity": args.validity, "before": n, "after": m, "bytes": len(result),
        "tests": answers.asked, "bound": bound(n, m),
        "needed": "1-tree-minimal" if ended else "stopped", "wall": time.perf_counter() - begun,
        "new": answers.new, "passes": {name: vars(spent) for name, spent in ledger.passes.items()},
    }  # fmt: skip


def show(figures: list[dict[str, Any]]) -> None:
    """Both tables."""
    rows = [
        (f["case"], name, s["asked"], s["succeeded"], s["won"], s["asked"] / s["succeeded"] if s["succeeded"] else "-")
        for f in figures
        for name, s in f["passes"].items()
    ]
    tell(table(HEADS, rows, left=2))
    tell()
    totals = [
        (f["case"], f["validity"], f["before"], f["after"], f["tests"], round(f["bound"]),
         f["tests"] / (f["bound"] or 1), f["needed"], f["wall"])
        for f in figures
    ]  # fmt: skip
    tell(table(TOTAL, totals, left=2))
    ratios = [f["tests"] / f["bound"] for f in figures if f["bound"]]
    if ratios:
        tell(f"\ntests/bound, geometric mean: {cell(math.exp(sum(map(math.log, ratios)) / len(ratios)))}")


def stories() -> list[str]:
    """The input cases whose search is recorded."""
    names = sorted(path.name.removesuffix(".txt.gz") for path in STORIES.glob("*.txt.gz"))
    return [name for name in names if not name.startswith("changes-")]


def ready(case: corpus.Case, args: argparse.Namespace, place: Path) -> bool:
    """Whether the check finds the failure in the input, and none in an empty file."""
    answers = Answers(case, args.answers, place)
    found = answers(case.input.read_bytes()) is Outcome.FAIL and answers(b"") is not Outcome.FAIL
    if not found:
        progress(f"{case.name}: skipped, its program is not installed: the check does not find the failure")
    return found


def ablated(args: argparse.Namespace, names: list[str]) -> list[dict[str, Any]]:
    """Each case with the full search, then with one heuristic less at a time."""
    figures = []
    with common.work_folder() as place:
        for case in corpus.named(args.cases, args.names or stories()):
            if not (args.no_install or corpus.install(case)) or not ready(case, args, place):
                continue
            for name in (None, *names):
                with heuristics.without(name):
                    figures.append({**reduced(case, args, place), "without": name or ""})
                last = figures[-1]
                progress(f"{case.name}, without {name or 'nothing'}: {last['tests']} tests, {last['after']} tokens")
    return figures


def show_ablated(figures: list[dict[str, Any]]) -> None:
    """What each heuristic buys: above 1, the search is worse without it."""
    full = {f["case"]: f for f in figures if not f["without"]}
    rows = [
        (f["case"], f["without"], f["tests"], *_times(f, full, "tests"), f["after"], *_times(f, full, "after"))
        for f in figures
        if f["without"]
    ]
    tell(table(WITHOUT, rows, left=2))
    tell()
    bought = []
    for name in dict.fromkeys(row[1] for row in rows):
        of = [row for row in rows if row[1] == name]
        tests, tokens_left = max(of, key=lambda row: row[3]), max(of, key=lambda row: row[5])
        changed = sum((row[3], row[5]) != (1, 1) for row in of)
        bought.append((name, len(of), changed, mean([row[3] for row in of]), mean([row[5] for row in of]),
                       *_worst(tests[3], tests[0]), *_worst(tokens_left[5], tokens_left[0])))  # fmt: skip
    tell(table(BOUGHT, bought))


def _worst(times: float, case: str) -> tuple[float, str]:
    """The case where leaving something out costs most, if it costs anything."""
    return times, case if times > 1 else ""


def _times(figure: dict[str, Any], full: dict[str, dict[str, Any]], key: str) -> tuple[float]:
    """A figure as a multiple of that of the full search; nothing left counts as one token."""
    return (max(figure[key], 1) / max(full[figure["case"]][key], 1),)


def mean(ratios: list[float]) -> float:
    """The geometric one."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main() -> None:
    args = _arguments().parse_args()
    if "help" in args.without:
        tell(table(("name", "what"), [(each.name, each.what) for each in heuristics.HEURISTICS], left=2))
        return
    if args.without:
        figures = ablated(args, heuristics.chosen(args.without))
        if not figures:
            raise SystemExit("no case: none of their programs is installed")
        show_ablated(figures)
        common.save(args.json, figures)
        return
    figures = []
    with common.work_folder() as place:
        for case in corpus.named(args.cases, args.names):
            if not args.no_install and not corpus.install(case):
                continue
            figures.append(reduced(case, args, place))
            last = figures[-1]
            progress(
                f"{case.name}: {last['tests']} tests ({last['new']} new), {last['before']} -> {last['after']} tokens"
            )
    show(figures)
    common.save(args.json, figures)


def _arguments() -> argparse.ArgumentParser:
    parser = common.parser(__doc__)
    parser.add_argument("names", nargs="*", help="cases; default: all")
    parser.add_argument("--cases", type=Path, default=corpus.CORPUS, help="the folder that holds them")
    parser.add_argument("--validity", default="strict", choices=("strict", "prefer", "off"))
    parser.add_argument("--algorithm", default=None)
    parser.add_argument("--budget", type=int, default=None, help="tests at most")
    parser.add_argument("--answers", type=Path, default=Path("answers.sqlite"), help="what the checks said before")
    parser.add_argument("--results", type=Path, default=None, help="keep the results in this folder")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="searches with look-ahead [%(default)s]")
    parser.add_argument(
        "--without", action="append", default=[], metavar="NAME", help="leave a heuristic out; see above"
    )
    parser.add_argument("--no-install", action="store_true", help="the programs are there")
    return parser


if __name__ == "__main__":
    main()
