"""Whether the failure that is recognised by itself is the one of the hand-written check.

For each case of the corpus: real reductions with the case's `check` are recorded (with the default search, then with
ddmin, until there are enough candidates); then some of the candidates, spread over the whole, are judged again by the
plain command alone, whose failure wynot recognises by its signature. Agreement is on what counts for the search: does
the failure show, or not? At last the plain command is used for a reduction, and its result given to the check.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import wynot
from common import parser as arguments
from common import progress, save, table, tell
from corpus import CORPUS
from plain import CASES, Pair, pairs
from wynot.core.artifact import Artifact, digest
from wynot.core.outcome import FAIL, Outcome
from wynot.engine.baseline.baseline_runs import baseline
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.executors.sandbox import Limits
from wynot.engine.results import Reduced
from wynot.engine.tester import Tester
from wynot.errors import BudgetEnded
from wynot.oracles.protocol import Examination, Oracle, Report
from wynot.oracles.script import Script


class Recording(Script):
    """A script that remembers what it was asked, and what it said."""

    seen: dict[bytes, Report]

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        report = yield from super().examine(artifact, folder)
        if isinstance(artifact.data, bytes):
            self.seen[artifact.data] = report
        return report


def reduced(source: Path, oracle: Oracle, args: argparse.Namespace, algorithm: str | None = None) -> bytes:
    """The result of a reduction, as far as it came."""
    options = wynot.Options(algorithm, budget_tests=args.tests, budget_time=args.cap)
    try:
        return wynot.reduce(source, oracle, options).data
    except BudgetEnded as ended:
        best = ended.best
    assert isinstance(best, Reduced)
    return best.data


def record(check: Path, source: Path, args: argparse.Namespace) -> list[tuple[bytes, Report]]:
    """Candidates of real reductions, spread over the whole of them."""
    Recording.seen = {}
    for algorithm in (None, "ddmin"):
        if len(Recording.seen) < args.candidates:
            reduced(source, Recording(str(check)), args, algorithm)
    recorded = list(Recording.seen.items())
    wanted = min(args.candidates, len(recorded))
    return [recorded[place * len(recorded) // wanted] for place in range(wanted)]


def replay(
    oracle: Oracle, source: Path, candidates: list[bytes], cap: float | None
) -> tuple[str, list[tuple[bytes, Report]]]:
    """The candidates, judged by the signature of the plain command's failure on the input itself."""
    until = time.monotonic() + cap if cap is not None else float("inf")
    bench = LocalExecutor(oracle, source.name, 1, Limits())
    with contextlib.closing(bench):
        found = baseline(Tester(bench), source.read_bytes(), source.name)
        reports: list[tuple[bytes, Report]] = []
        for number, candidate in enumerate(candidates):
            if time.monotonic() > until:
                break
            bench.submit(number.to_bytes(4, "big"), candidate)
            while not (done := bench.wait()):
                pass
            reports.append((candidate, done[0][1]))
    return found.looked_for, reports


def fails(check: Path, name: str, data: bytes) -> bool:
    """What the hand-written check says of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return subprocess.run([check, path], cwd=folder, capture_output=True, check=False).returncode == 0


def keep(folder: Path | None, pair: Pair, data: bytes, hand: Report, own: Report) -> None:
    """Write a candidate that is judged differently, for a closer look."""
    words = f"{pair.case} {pair.check} {pair.how}: by hand {hand.outcome.value}, {hand.why}; own {own.outcome.value}"
    progress(f"  {words}, {own.why} ({len(data)} bytes)")
    if folder is not None:
        name = f"{pair.case}.{pair.check}.{digest(data).hex()[:8]}"
        (folder / name).write_bytes(data)


def compare(pair: Pair, source: Path, args: argparse.Namespace) -> dict[str, object]:
    """One row of the table."""
    check = source.parent / pair.check
    progress(f"{pair.case} {pair.check} {pair.how}: recording")
    sample = record(check, source, args)
    progress(f"{pair.case}: judging {len(sample)} candidates again")
    looked_for, again = replay(pair.oracle, source, [data for data, _ in sample], args.cap)
    both: list[tuple[Outcome, Outcome]] = []
    for (data, hand), (_, own) in zip(sample, again, strict=False):
        both.append((hand.outcome, own.outcome))
        if (hand.outcome is FAIL) != (own.outcome is FAIL):
            keep(args.keep, pair, data, hand, own)
    shown = [(hand is FAIL, own is FAIL) for hand, own in both]
    same = sum(hand == own for hand, own in shown)
    progress(f"{pair.case}: reducing with the plain command")
    result = reduced(source, pair.oracle, args)
    return {
        "case": pair.case, "by hand": pair.check, "plain command with": pair.how, "candidates": len(shown),
        "failing by hand": sum(hand for hand, _ in shown), "agree": same, "agreement": f"{same / len(shown):.1%}",
        "only by hand": sum(hand and not own for hand, own in shown),
        "only by signature": sum(own and not hand for hand, own in shown),
        "bytes": len(source.read_bytes()), "reduced to": len(result),
        "result fails by hand": fails(check, source.name, result), "looked for": looked_for[:90],
    }  # fmt: skip


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--cases", type=Path, default=CORPUS, help="the corpus [../shared/corpus]")
    parser.add_argument("--only", nargs="*", default=CASES, help="these cases only")
    parser.add_argument("--candidates", type=int, default=200, help="how many are judged twice [200]")
    parser.add_argument("--tests", type=int, default=400, help="tests of each reduction [400]")
    parser.add_argument("--cap", type=float, metavar="SECONDS", help="time for each step of a case [no limit]")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep candidates that are judged differently here")
    args = parser.parse_args()
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as home:
        os.environ["WYNOT_HOME"] = home
        for case in args.only:
            folder = args.cases / case
            source = folder / tomllib.loads((folder / "case.toml").read_text())["input"]
            for pair in pairs(case):
                rows.append(compare(pair, source, args))
                progress(f"{rows[-1]}")
                save(args.json, rows)  # as far as it is
    tell(table(list(rows[0]), [list(row.values()) for row in rows], left=3))
    return 0 if all(row["result fails by hand"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
