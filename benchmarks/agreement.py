"""Whether the failure that is recognised by itself is the one of the hand-written check.

For each case of the corpus: a real reduction with the case's `check` is recorded; then some of its candidates, spread
over the whole of it, are judged again by the plain command alone, whose failure wynot recognises by its signature.
Agreement is on what counts for the search: does the failure show, or not?
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import tomllib
from pathlib import Path

import wynot
from common import parser as arguments
from common import progress, save, table, tell
from corpus import CORPUS
from wynot.core.artifact import Artifact
from wynot.core.outcome import FAIL
from wynot.errors import BudgetEnded
from wynot.oracles.command import Command, find_debugger
from wynot.oracles.script import Script
from wynot.oracles.signature import Precision
from wynot.oracles.words import Examination, Report
from wynot.run.baseline import baseline
from wynot.run.lab import Lab
from wynot.run.limits import Limits
from wynot.run.processes import ProcessBench

TOOLS = Path(os.environ.get("CORPUS_TOOLS", Path.home() / ".cache" / "corpus-tools"))
_NODE = "const {0} = require(process.argv[1]); const data = require('fs').readFileSync(process.argv[2]); "
_SVGO = "svgo.optimize(String(data), {floatPrecision: 1, plugins: ['convertPathData']})"
_RESVG = "new resvg.Resvg(String(data), {fitTo: {mode: 'width', value: 64}, font: {loadSystemFonts: false}}).render()"
_CSS = "css.transform({filename: 'in.css', code: data, minify: true})"
_DUCKDB = (
    "import sys, duckdb\n"
    "con = duckdb.connect(config={'threads': 1, 'enable_external_access': False})\n"
    "for s in con.extract_statements(open(sys.argv[1]).read()): con.execute(s).fetchall()"
)

# The command of each case's `check`, without what the check adds to judge it.
# fmt: off
PLAIN: dict[str, list[str]] = {
    "black-bytes-docstring": [f"{TOOLS}/black-22.1.0/bin/black", "--check", "{}"],
    "c-gcc12-omp-taskgroup": [
        "gcc-12", "-fno-report-bug", "-O0", "-fopenmp", "-fexceptions", "-w", "-S", "-o", "out.s", "{}",
    ],
    "cpp-clang14-member-spec": ["clang++-14", "-std=c++20", "-w", "-fno-crash-diagnostics", "-fsyntax-only", "{}"],
    "cpp-gcc12-alias-lambda": ["g++-12", "-fno-report-bug", "-std=c++20", "-w", "-S", "-o", "out.s", "{}"],
    "cython-const-fused-memoryview": [
        f"{TOOLS}/cython-0.29.21/bin/python", "-I", "-m", "cython", "-3", "{}", "-o", "out.c",
    ],
    "duckdb-bind-column-reference": [f"{TOOLS}/duckdb-1.1.1/bin/python", "-I", "-c", _DUCKDB, "{}"],
    "fuzz-as86": ["as86", "-o", "out.o", "{}"],
    "fuzz-pcal": ["pcal", "-f", "{}", "-o", "out.ps"],
    "fuzz-sparse": ["sparse", "{}"],
    "fuzz-troff": ["troff"],
    "fuzz-yaps": ["yaps", "{}", "-o", "out.ps"],
    "go119-promoted-dictionary": ["/usr/lib/go-1.19/bin/go", "tool", "compile", "-o", "out.o", "{}"],
    "lightningcss-host-selector-panic": [
        "node", "-e", _NODE.format("css") + _CSS, f"{TOOLS}/npm-lightningcss-1.16.0/node_modules/lightningcss", "{}",
    ],
    "prettier-html-front-matter": [f"{TOOLS}/npm-prettier-2.0.5/node_modules/.bin/prettier", "--parser", "html", "{}"],
    "resvg-layer-outside-panic": [
        "node", "-e", _NODE.format("resvg") + _RESVG, f"{TOOLS}/npm-resvg-js-2.6.2/node_modules/@resvg/resvg-js", "{}",
    ],
    "rust163-opaque-region": [
        "/usr/bin/rustc", "--edition", "2018", "--cap-lints", "allow", "--crate-name", "input", "--crate-type", "lib",
        "--emit", "metadata", "-o", "out.rmeta", "{}",
    ],
    "solc-enumerablemap-ice": [f"{TOOLS}/npm-solc-0.6.7/node_modules/.bin/solcjs", "--abi", "-o", "out", "{}"],
    "svgo-reflect-point": [
        "node", "-e", _NODE.format("svgo") + _SVGO, f"{TOOLS}/npm-svgo-3.2.0/node_modules/svgo", "{}",
    ],
    "z3-qfuf-isomorphism-segv": [f"{TOOLS}/z3-4.8.7/bin/z3", "-smt2", "{}"],
}  # fmt: skip


class Recording(Script):
    """A script that remembers what it was asked, and what it said."""

    seen: list[tuple[bytes, Report]]

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        report = yield from super().examine(artifact, folder)
        if isinstance(artifact.data, bytes):
            self.seen.append((artifact.data, report))
        return report


def record(check: Path, source: Path, tests: int) -> list[tuple[bytes, Report]]:
    """The candidates of a real reduction."""
    Recording.seen = []
    with contextlib.suppress(BudgetEnded):
        wynot.reduce(source, Recording(str(check)), wynot.Options(budget_tests=tests, jobs=1))
    unique = dict(Recording.seen)
    return list(unique.items())


def replay(command: Command, source: Path, candidates: list[bytes]) -> tuple[str, list[Report]]:
    """The candidates, judged by the signature of the plain command's failure on the input itself."""
    data = source.read_bytes()
    bench = ProcessBench(command, source.name, 1, Limits())
    try:
        found = baseline(Lab(bench), data, source.name)
        reports = []
        for number, candidate in enumerate(candidates):
            bench.submit(number.to_bytes(4, "big"), candidate)
            while not (done := bench.wait()):
                pass
            reports.append(done[0][1])
    finally:
        bench.close()
    return found.looked_for, reports


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--cases", type=Path, default=CORPUS, help="the corpus [../shared/corpus]")
    parser.add_argument("--only", nargs="*", default=sorted(PLAIN), help="these cases only")
    parser.add_argument("--candidates", type=int, default=200, help="how many are judged twice [200]")
    parser.add_argument("--tests", type=int, default=400, help="tests of the recorded reduction [400]")
    parser.add_argument("--precision", default="frames", help="exit, message, frames or frames:N [frames]")
    parser.add_argument("--check", default="check", help="the hand-written check's name [check]")
    args = parser.parse_args()
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as home:
        os.environ["WYNOT_HOME"] = home
        for case in args.only:
            folder = args.cases / case
            source = folder / tomllib.loads((folder / "case.toml").read_text())["input"]
            progress(f"{case}: recording")
            recorded = record(folder / args.check, source, args.tests)
            step = max(1, len(recorded) // args.candidates)
            sample = recorded[::step][: args.candidates]
            progress(f"{case}: judging {len(sample)} candidates again")
            command = Command(tuple(PLAIN[case]), precision=Precision.parse(args.precision), debugger=find_debugger())
            looked_for, reports = replay(command, source, [data for data, _ in sample])
            pairs = [
                (hand.outcome is FAIL, own.outcome is FAIL) for (_, hand), own in zip(sample, reports, strict=True)
            ]
            same = sum(hand == own for hand, own in pairs)
            rows.append({
                "case": case, "candidates": len(pairs), "failing by hand": sum(hand for hand, _ in pairs),
                "agree": same, "agreement": f"{same / len(pairs):.1%}",
                "only by hand": sum(hand and not own for hand, own in pairs),
                "only by signature": sum(own and not hand for hand, own in pairs), "looked for": looked_for[:70],
            })  # fmt: skip
            progress(f"{case}: {rows[-1]}")
    tell(table(list(rows[0]), [list(row.values()) for row in rows]))
    save(args.json, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
