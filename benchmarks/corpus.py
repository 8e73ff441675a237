"""`wynot reduce` on real failures of real programs, each result checked by minimal.py.

A case is a folder with case.toml, check, install and the input. By default the fuzz-* and seed-* cases are run, down
to characters; --all-lines adds, with --atoms lines, every other input case whose test takes less than 500 ms.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

import common
import minimal
from common import progress, table, tell

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
HEADS = ("case", "atoms", "bytes", "reduced to", "tests", "cached", "wall s", "tests/s", "engine s", "still fails",
         "1-minimal")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """One failure."""

    folder: Path
    input: Path
    fine: bool
    test_ms: int
    language: str

    @property
    def name(self) -> str:
        return self.folder.name


def read(folder: Path) -> Case | None:
    """A case; None where it is not about an input."""
    facts = tomllib.loads((folder / "case.toml").read_text())
    if facts["kind"] != "input":
        return None
    fine = folder.name.startswith(("fuzz-", "seed-"))
    return Case(folder, folder / facts["input"], fine, facts.get("test_ms", 0), facts["language"])


def named(folder: Path, names: list[str]) -> list[Case]:
    """The input cases of these names, or all, in order."""
    found = [case for path in sorted(folder.glob("*/case.toml")) if (case := read(path.parent))]
    if not found:
        raise SystemExit(f"{folder}: no cases; name the folder that holds them: --cases DIR")
    unknown = set(names) - {case.name for case in found}
    if unknown:
        raise SystemExit(f"no such case: {', '.join(sorted(unknown))}")
    return [case for case in found if not names or case.name in names]


def chosen(args: argparse.Namespace) -> list[Case]:
    """The cases to run, in order."""
    found = named(args.cases, args.names)
    if args.names:
        return found
    return [case for case in found if case.fine or (args.all_lines and case.test_ms < 500)]


def install(case: Case) -> bool:
    """Get the failing program, unless it is there."""
    if not (case.folder / "install").exists():
        return True
    done = subprocess.run([case.folder / "install"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        progress(f"{case.name}: install failed: {done.stderr.decode(errors='replace').strip()[-500:]}")
    return done.returncode == 0


def reduce(case: Case, args: argparse.Namespace, env: dict[str, str], place: Path) -> tuple[object, ...]:
    """Reduce it and look at the result with other eyes."""
    output, check = place / case.input.name, case.folder / args.check
    argv = ["reduce", case.input, "--test", check, "-o", output, "-j", args.jobs, "--fresh", "--json",
            "--language", "none",
            "--atoms", args.atoms or ("auto" if case.fine else "lines")]  # fmt: skip
    for option in ("algorithm", "budget_time", "timeout"):
        if (value := getattr(args, option)) is not None:
            argv += ["--" + option.replace("_", "-"), value]
    done = common.run([common.program("wynot"), *map(str, argv)], env, cwd=place)
    if done.exit not in {0, 3}:
        progress(f"{case.name}: exit {done.exit}: {done.stderr.strip()}")
        return (case.name, "", case.input.stat().st_size, None, None, None, None, None, None, False, False)
    found = done.json()
    fails, least = judge(output, check, found["atoms"], args.jobs)
    if args.keep:
        shutil.copy(output, args.keep / f"{case.name}.{case.input.name}")
    ran = found["tests"] + found["baseline_tests"]
    status = "" if done.exit == 0 else " (budget)"
    return (
        case.name + status, found["atoms"], found["size_before"], found["size_after"], ran, found["cached"],
        found["wall"], ran / found["wall"], found["engine"], fails, least,
    )  # fmt: skip


def judge(output: Path, script: Path, atoms: str, jobs: int) -> tuple[bool, bool]:
    """Whether the result still fails, and whether nothing of it can be left out."""
    check = minimal.Check(script.resolve(), output.name)
    data = output.read_bytes()
    if not check.fails(data):
        return False, False
    parts = minimal.split(data, atoms)
    found = minimal.superfluous(parts, check, jobs)
    for place in found:
        progress(f"{output.name}: atom {place + 1} of {len(parts)} can be left out: {parts[place]!r}")
    return True, not found


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="CASE", help="run just these")
    parser.add_argument("--cases", type=Path, default=CORPUS, metavar="DIR", help="where cases are [../shared/corpus]")
    parser.add_argument("--all-lines", action="store_true", help="also the other cases with fast tests, by lines")
    parser.add_argument("--no-install", action="store_true", help="the programs are there")
    parser.add_argument("--check", default="check", metavar="NAME", help="the case's test script [%(default)s]")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="tests at once [%(default)s]")
    parser.add_argument("--atoms", choices=("lines", "chars", "bytes"), help="instead of what suits the case")
    parser.add_argument("--algorithm", metavar="NAME", help="instead of wynot's default")
    parser.add_argument("--budget-time", metavar="TIME", help="for one case")
    parser.add_argument("--timeout", metavar="TIME", help="for one test")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the results here")
    args = parser.parse_args()
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    rows = []
    for case in chosen(args):
        if not args.no_install and not install(case):
            continue
        with common.work_folder() as place, common.wynot_home(None) as env:
            rows.append(reduce(case, args, env, place))
            progress(" ".join(map(str, rows[-1])))
    tell(table(HEADS, rows, left=2))
    common.save(args.json, [dict(zip(HEADS, row, strict=True)) for row in rows])
    if not all(row[-1] and row[-2] for row in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
