"""Record the stories of corpus cases: `python -m tests.golden.record --answers FILE [CASE ...]`.

The programs of the cases are needed; `--install` installs them. What a case's `check` answered is kept in a file, so
that recording again asks the program only for candidates that no earlier search had.
"""

from __future__ import annotations

import argparse
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.golden.story import CORPUS, MAX_TESTS, PAPERS, STORIES, Files, digest, facts, told, write
from wynot import Outcome

SECONDS = 60
"""For one run of a check."""


class Checked:
    """The answers of a case's `check`."""

    def __init__(self, case: str, kept: sqlite3.Connection, place: Path) -> None:
        self.case, self.kept, self.place = case, kept, place
        self.run = 0

    def __call__(self, candidate: bytes | Files) -> Outcome:
        key = f"{self.case} {digest(candidate)}"
        known = self.kept.execute("SELECT code FROM answers WHERE id = ?", (key,)).fetchone()
        if known is None:
            known = (self._check(candidate),)
            self.kept.execute("INSERT INTO answers VALUES (?, ?)", (key, known[0]))
            self.kept.commit()
        return {0: Outcome.FAIL, 1: Outcome.PASS}.get(known[0], Outcome.UNRESOLVED)

    def _check(self, candidate: bytes | Files) -> int:
        self.run += 1
        with tempfile.TemporaryDirectory(dir=self.place) as folder:
            if isinstance(candidate, bytes):
                path = Path(folder, Path(str(facts(self.case)["input"])).name)
                path.write_bytes(candidate)
            else:
                path = Path(folder, "tree")
                for name, data in candidate.items():
                    file = path / name
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(data)
            try:
                done = subprocess.run(
                    [CORPUS / self.case / "check", path], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                    check=False, timeout=SECONDS,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return 125
            return done.returncode


def record_reduction(case: str, kept: sqlite3.Connection, max_tests: int) -> tuple[list[str], int]:
    """The story of a reduction; and how many tests were new."""
    with tempfile.TemporaryDirectory() as place:
        check = Checked(case.partition("@")[0], kept, Path(place))
        return told(case, check, max_tests), check.run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", help="[all that the corpus has]")
    parser.add_argument("--answers", type=Path, required=True, help="file with the answers of the checks so far")
    parser.add_argument("--install", action="store_true", help="run each case's install first")
    parser.add_argument("--most", type=int, default=MAX_TESTS, help="tests of each search [%(default)s]")
    args = parser.parse_args()
    STORIES.mkdir(exist_ok=True)
    kept = sqlite3.connect(args.answers)
    kept.execute("CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, code INTEGER) WITHOUT ROWID")
    found = sorted(path.parent.name for path in CORPUS.glob("*/case.toml"))
    for case in args.cases or [*(case for case in found if not case.startswith("changes-")), *PAPERS]:
        if args.install:
            subprocess.run(["bash", CORPUS / case.partition("@")[0] / "install"], check=True, capture_output=True)
        begun = time.perf_counter()
        lines, run = record_reduction(case, kept, args.most)
        write(STORIES / f"{case}.txt.gz", lines)
        seconds = time.perf_counter() - begun
        sys.stdout.write(f"{case}: {len(lines)} lines, {run} new tests, {seconds:.1f} s; {lines[-1]}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
