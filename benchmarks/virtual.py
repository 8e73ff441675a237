"""What guesses are worth: reductions on several workers if wynot itself took no time, and all tests the same.

Nothing is started and no clock is read, so that figures are the same on any machine: a test takes one unit of time that
passes only here. *efficiency* is (tests of the input and of the search / workers) / time; what is missing to 1 was in
vain, or there was nothing to do (*idle*). The failure needs some words of a text; with --answers, the cases of the
corpus whose checks passes.py has asked before are there, too (what was never asked is taken to be unresolved: only
tests that nobody needs are).

Another version of wynot: with its src folder as PYTHONPATH.
"""

from __future__ import annotations

import argparse
import random
import re
import sqlite3
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import common
import corpus
import efficiency
from common import progress, table, tell
from wynot import Outcome
from wynot.commands.reduce.reduction import reduce
from wynot.core.artifact import digest
from wynot.engine import session
from wynot.engine.executors.executor import USUAL, TestSettings
from wynot.engine.run_options import Options
from wynot.oracles.protocol import Report

TEXTS = (
    "c-gcc12-omp-taskgroup", "lightningcss-host-selector-panic", "z3-qfuf-isomorphism-segv", "seed-sha1-java",
    "yaml-flow-comment-roundtrip",
)  # fmt: skip
LARGEST = 40_000
HEADS = ("text", "-j", "needed", "tests", "killed", "time", "idle", "efficiency")
Test = Callable[[bytes], Outcome]


class VirtualBench:
    """Tests take a unit of time each, and nothing else takes any."""

    spare = True

    def __init__(self, test: Test, jobs: int) -> None:
        self.jobs, self.away, self.now, self.idle = jobs, 0.0, 0, 0
        self._test = test
        self._running: dict[bytes, tuple[int, bytes]] = {}

    @property
    def free(self) -> int:
        return self.jobs - len(self._running)

    def submit(self, key: bytes, candidate: bytes, settings: TestSettings = USUAL) -> None:  # noqa: ARG002
        self._running[key] = self.now + 1, candidate

    def wait(self, timeout: float | None = None) -> list[tuple[bytes, Report]]:  # noqa: ARG002 - nobody waits
        if not self._running:
            return []
        until = min(end for end, _ in self._running.values())
        self.idle += self.free * (until - self.now)
        self.now = until
        ended = [key for key, (end, _) in self._running.items() if end <= until]
        return [(key, Report(self._test(self._running.pop(key)[1]), "", 1.0)) for key in ended]

    def kill(self, key: bytes) -> None:
        self._running.pop(key)

    def close(self) -> None:
        self._running.clear()


def needing(words: list[bytes]) -> Test:
    """Fails as long as these are all there."""
    return lambda data: Outcome.FAIL if all(word in data for word in words) else Outcome.PASS


def texts(args: argparse.Namespace) -> Iterator[tuple[str, str, bytes, Test]]:
    """What is reduced: a name, that of the file, its content, and the test."""
    places = [f"place_{chr(65 + number)}".encode() for number in range(efficiency.PLACES)]
    yield "efficiency.py", "input.c", efficiency.source(efficiency.PLACES).encode(), needing(places)
    for case in corpus.named(args.cases, list(TEXTS)):
        data = case.input.read_bytes()
        data = data[: data.find(b"\n", LARGEST) + 1] if len(data) > LARGEST else data
        for many in args.words:
            chance = random.Random(many)
            chosen = chance.sample(list(re.finditer(rb"\b[A-Za-z_]{4,}\b", data)), many)
            words, pieces, at = [], [], 0
            for number, match in enumerate(sorted(chosen, key=lambda match: match.start())):
                words.append(b"place_%d_x" % number)
                pieces += [data[at : match.start()], words[-1]]
                at = match.end()
            yield f"{case.name}, {many} words", case.input.name, b"".join((*pieces, data[at:])), needing(words)
    if args.answers:
        for case in corpus.named(args.cases, args.names):
            yield case.name, case.input.name, case.input.read_bytes(), _answers(args.answers, case.name)


def _answers(path: Path, case: str) -> Test:
    kept = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def test(data: bytes) -> Outcome:
        key = digest(case.encode() + b"\0" + data)
        known = kept.execute("SELECT code FROM answers WHERE id = ?", (key,)).fetchone()
        return {0: Outcome.FAIL, 1: Outcome.PASS}.get(known[0] if known else 125, Outcome.UNRESOLVED)

    return test


def measure(text: str, name: str, data: bytes, test: Test, jobs: int) -> dict[str, Any]:
    benches: list[VirtualBench] = []

    def bench(_test: object, options: Options) -> VirtualBench:
        benches.append(VirtualBench(test, options.jobs))
        return benches[-1]

    setattr(session, "function_executor", bench)  # noqa: B010 - in the place of the real one
    counts = reduce(data, test, Options(jobs=jobs), name=name).cost.counts
    used = benches[0]
    return {
        "text": text, "-j": jobs, "needed": counts.needed, "tests": counts.tests, "killed": counts.killed,
        "time": used.now, "idle": used.idle, "efficiency": (counts.needed + counts.baseline) / jobs / used.now,
    }  # fmt: skip


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("names", nargs="*", help="cases, with --answers")
    parser.add_argument("-j", "--jobs", type=common.numbers, default=[2, 8], metavar="N,N", help="[2,8]")
    parser.add_argument("--words", type=common.numbers, default=[3, 12], metavar="N,N", help="that are needed [3,12]")
    parser.add_argument("--cases", type=Path, default=corpus.CORPUS, help="the folder that holds them")
    parser.add_argument("--answers", type=Path, default=None, help="what the checks said to passes.py")
    args = parser.parse_args()
    rows = []
    for text in texts(args):
        for jobs in args.jobs:
            rows.append(measure(*text, jobs))
            progress(", ".join(f"{name} {common.cell(value)}" for name, value in rows[-1].items()))
    tell(table(HEADS, [[row[head] for head in HEADS] for row in rows]))
    for jobs in args.jobs:
        mean = statistics.mean(row["efficiency"] for row in rows if row["-j"] == jobs)
        tell(f"\n-j {jobs}: efficiency {mean:.3f} in the mean")
    common.save(args.json, rows)


if __name__ == "__main__":
    main()
