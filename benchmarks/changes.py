"""`wynot changes` on real regressions of real programs, as the 1999 paper's sections 7 and 8 count them.

A case is a folder with case.toml, check and install; `install` puts the two releases where `check` looks for its
tools. Each way of searching is run from the beginning, and its results are tried by themselves: the culprit's patch
is applied to the old release by git, the repair's to the new one, and check has to say 0 and 1.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path

from common import progress, table, tell

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
WAYS: dict[str, tuple[str, ...]] = {
    "all means": (),
    "no groups": ("--group-by", "none"),
    "no resolution": ("--no-resolve",),
    "no coverage": ("--no-coverage",),
    "ddmin, no means": ("--algorithm", "ddmin", "--no-coverage"),
}
HEADS = ("case", "way", "changes", "set aside", "tests", "breaks: tests", "changes", "known", "repairs: tests",
         "changes ", "unresolved", "wall s", "engine ms a test", "holds")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One case, searched one way."""

    case: str
    way: str
    status: str
    changes: int
    aside: int
    tests: int
    breaks_tests: int
    breaks: int | None
    known: int
    repairs_tests: int
    repairs: int | None
    unresolved: float
    wall: float
    engine: float
    holds: str


def trees(name: str) -> tuple[Path, Path]:
    """Where `install` puts the two releases."""
    tools = Path(os.environ.get("CORPUS_TOOLS") or Path.home() / ".cache" / "corpus-tools") / name
    return tools / "old", tools / "new"


def search(folder: Path, way: str, args: argparse.Namespace) -> Row:
    """Run one case, one way."""
    facts = tomllib.loads((folder / "case.toml").read_text())
    old, new = trees(folder.name)
    with tempfile.TemporaryDirectory() as place:
        patches = Path(place, "culprit.patch"), Path(place, "repair.patch")
        command = [
            sys.executable, "-m", "wynot", "changes", f"{old}", f"{new}", "-o", f"{patches[0]}", "--json", "--fresh",
            "-q", "-j", str(args.jobs), "--budget-time", f"{args.cap}s", "--test", f"{folder / 'check'}", *WAYS[way],
        ]  # fmt: skip
        command += ["--budget-tests", str(args.most)] if args.most else []
        ended = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False,
                               env={**os.environ, "WYNOT_HOME": place})  # fmt: skip
        if not ended.stdout.strip():
            raise SystemExit(f"{folder.name}, {way}: {ended.stderr.strip()}")
        said = json.loads(ended.stdout)
        wanted = ((patches[0], old, 0), (patches[1], new, 1))
        holds = [applied(folder, tree, patch, code) for patch, tree, code in wanted if patch.exists()]
    tests, outcomes = said["needed"], said["outcomes"]
    return Row(
        folder.name, way, said["status"], said["changes"], said["set_aside"]["changes"], tests,
        said["questions"].get("breaks", 0), counted(said["breaks"]), facts["guilty_hunks"],
        said["questions"].get("repairs", 0), counted(said["repairs"]),
        outcomes["unresolved"] / max(1, sum(outcomes.values())),
        said["wall"], said["engine"], "yes" if holds and all(holds) else "no",
    )  # fmt: skip


def counted(answer: list[object] | None) -> int | None:
    return None if answer is None else len(answer)


def applied(folder: Path, tree: Path, patch: Path, code: int) -> bool:
    """Whether check says this of a release with a patch applied by git."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place, "tree")
        shutil.copytree(tree, copy, symlinks=True)
        git = ["git", "-C", f"{copy}", "apply", "--unsafe-paths", f"{patch}"]
        done = subprocess.run(git, capture_output=True, check=False, env={**os.environ, "GIT_DIR": "/nonexistent"})
        return (
            done.returncode == 0
            and subprocess.run([folder / "check", copy], capture_output=True, check=False).returncode == code
        )


def shown(row: Row) -> tuple[str, ...]:
    ended = "" if row.status == "done" else f" ({row.status})"
    return (
        row.case, row.way + ended, f"{row.changes}", f"{row.aside}", f"{row.tests}", f"{row.breaks_tests}",
        "-" if row.breaks is None else f"{row.breaks}", f"{row.known}", f"{row.repairs_tests}",
        "-" if row.repairs is None else f"{row.repairs}", f"{row.unresolved:.0%}", f"{row.wall:.0f}",
        f"{1000 * row.engine / max(1, row.tests):.1f}", row.holds,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="cases [all that are about changes]")
    parser.add_argument("--cases", type=Path, default=CORPUS, help="the folder that holds them")
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=["all means"])
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--cap", type=float, default=3600, help="seconds for one search")
    parser.add_argument("--most", type=int, help="tests for one search")
    parser.add_argument("--install", action="store_true", help="run each case's install first")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found = [
        path.parent
        for path in sorted(args.cases.glob("*/case.toml"))
        if tomllib.loads(path.read_text())["kind"] == "changes"
    ]
    chosen = [folder for folder in found if not args.names or folder.name in args.names]
    if not chosen:
        raise SystemExit(f"no such case in {args.cases}; there are: {', '.join(folder.name for folder in found)}")
    rows = []
    for folder in chosen:
        if args.install:
            subprocess.run([folder / "install"], check=True)
        for way in args.ways:
            progress(f"{folder.name}: {way}")
            rows.append(search(folder, way, args))
            if args.json:
                args.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))
    tell(table(HEADS, [shown(row) for row in rows]))


if __name__ == "__main__":
    main()
