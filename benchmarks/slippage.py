"""How often the result of a search fails for another reason than the original does.

`releases`: regressions between releases of real packages; regressions.py says by which rule they are chosen. `wynot
changes` finds the changes that break the older release, and those that repair the newer one. The call of the regression
is then made in the older release with the one, and in the newer release without the other. It has to give, character by
character, what it gave in the newer and in the older release.

`corpus`: every input case is reduced with the plain command that fails (plain.py), so that wynot recognises the failure
by its signature; the result is given to the case's hand-written check.

The exit code is 0 if nothing slipped.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import common
import plain
import regressions
import wynot
from common import progress, table, tell
from corpus import CORPUS
from wynot.errors import Ended

FLAKY = 20
"""Checks of a result whose failure shows only sometimes: one of them has to show it."""
HEADS = ("regression", "changes", "break", "repair", "tests", "same failure", "repaired", "note")


def searched(case: regressions.Regression, args: argparse.Namespace) -> tuple[object, ...]:
    """One row: what `wynot changes` finds, and whether it is about the failure that was asked for."""
    old, new = case.trees
    with common.work_folder() as place, common.wynot_home(None) as env:
        culprit, repair = place / "culprit.patch", place / "culprit.repair.patch"
        words = [common.program("wynot"), "changes", old, new, "-o", culprit, "--json", "--fresh",
                 "-j", args.jobs, "--budget-time", args.budget_time, "--", *case.command]  # fmt: skip
        done = common.run([*map(str, words)], env, cwd=place)
        if done.exit != 0 or not culprit.exists():
            said = next(iter(done.stderr.strip().splitlines()[-2:]), "")
            return (case.name, None, None, None, None, None, None, f"exit {done.exit}: {said[:100]}")
        found = done.json()
        broken = case.now == after(case, old, culprit, place / "broken")
        repaired = case.was == after(case, new, repair, place / "repaired") if repair.exists() else None
        note = found.get("compared", "")
        sizes = tuple(None if found[each] is None else len(found[each]) for each in ("breaks", "repairs"))
        return (case.name, found["changes"], *sizes, found["tests"], broken, repaired, note)


def after(case: regressions.Regression, tree: Path, patch: Path, place: Path) -> str:
    """What the call gives once a patch is applied to a copy of a tree."""
    shutil.copytree(tree, place, symlinks=True)
    subprocess.run(["git", "apply", "--unsafe-paths", patch], cwd=place, check=True, capture_output=True)
    return regressions.observe(case, place)


def releases(args: argparse.Namespace) -> list[tuple[object, ...]]:
    """The rows of all regressions."""
    rows = []
    for registry, packages in (("pypi", regressions.PYPI), ("npm", regressions.NPM)):
        for case in regressions.find(registry, packages, args.store):
            rows.append(searched(case, args))
            progress(" | ".join(map(str, rows[-1])))
            if args.most and len(rows) >= args.most:
                return rows
    return rows


def corpus(args: argparse.Namespace) -> list[dict[str, object]]:
    """The rows of all input cases."""
    rows: list[dict[str, object]] = []
    for name in args.only or plain.CASES:
        folder = args.cases / name
        case = tomllib.loads((folder / "case.toml").read_text())
        source = folder / case["input"]
        for pair in plain.pairs(name):
            options = wynot.Options(budget_tests=args.tests, jobs=args.jobs)
            try:
                data = wynot.reduce(source, pair.oracle, options).data
            except Ended as ended:
                if not isinstance(ended.best, wynot.Reduced):
                    raise
                data = ended.best.data
            rows.append(
                {
                    "case": name,
                    "command": pair.how,
                    "bytes": len(data),
                    "same failure": any(
                        checked(folder / pair.check, source.name, data)
                        for _ in range(FLAKY if case.get("flaky") else 1)
                    ),
                }
            )
            progress(str(rows[-1]))
    return rows


def checked(check: Path, name: str, data: bytes) -> bool:
    """What a case's hand-written check says of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return subprocess.run([check, path], cwd=folder, capture_output=True, check=False).returncode == 0


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument("part", choices=("releases", "corpus"))
    parser.add_argument("--store", type=Path, default=Path.home() / ".cache" / "wynot-regressions", metavar="DIR")
    parser.add_argument("--most", type=int, metavar="N", help="stop after so many regressions")
    parser.add_argument("--cases", type=Path, default=CORPUS, help="the corpus [../shared/corpus]")
    parser.add_argument("--only", nargs="*", help="these cases of the corpus only")
    parser.add_argument("--tests", type=int, default=1000, help="tests of each reduction [%(default)s]")
    parser.add_argument("--budget-time", default="5m", help="for each search among changes [%(default)s]")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    args = parser.parse_args()
    if args.part == "releases":
        rows = releases(args)
        tell(table(HEADS, rows))
        slipped = [row for row in rows if False in row[5:7]]
        unanswered = [row for row in rows if row[5] is None]
        progress(f"{len(rows)} regressions: {len(slipped)} slipped, {len(unanswered)} without an answer")
        common.save(args.json, [dict(zip(HEADS, row, strict=True)) for row in rows])
        return 1 if slipped else 0
    found = corpus(args)
    tell(table(list(found[0]), [list(row.values()) for row in found], left=2))
    common.save(args.json, found)
    return 0 if all(row["same failure"] for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
