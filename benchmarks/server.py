"""`--server` beside programs that are started for each test: the same searches in turns, seconds and their ratio.

The programs are small ones that use what is installed here, or a command of your own:
--program 'python3 prog.py {}' --input FILE.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import common
from common import median, progress, table, tell

WYNOT = (sys.executable, "-m", "wynot")
LINES = [f"word{number} = {number}" for number in range(120)]
PROGRAMS = {
    "json": ("import json, sys\n", "x"),
    "asyncio, http, xml": ("import asyncio, http.server, xml.dom.minidom, email.mime.text, sys\n", "x"),
    "hypothesis": ("import hypothesis, sys\n", "hypothesis"),
    "distributed": ("import distributed, sys\n", "distributed"),
    "sympy": ("import sympy, sys\n", "sympy"),
    "docutils": ("import docutils.core, docutils.parsers.rst, sys\n", "docutils"),
}
BODY = """
text = open(sys.argv[1]).read()
if all(f"word{number} = {number}" in text for number in (17, 60, 99)):
    raise ValueError("three words")
"""


def has(module: str) -> bool:
    """Whether it is installed."""
    return module == "x" or common.run([sys.executable, "-c", f"import {module}"]).exit == 0


def one(command: list[str], source: Path, folder: Path, *more: str) -> dict[str, Any]:
    """One search."""
    with common.wynot_home(None) as env:
        argv: list[str | Path] = [
            *WYNOT,
            "reduce",
            source,
            "-o",
            folder / "out",
            "--fresh",
            "--json",
            *more,
            "--",
            *command,
        ]
        found = common.run(argv, env, cwd=folder).json()
    return {**found, "result": (folder / "out").read_bytes()}


def measure(name: str, command: list[str], source: Path, folder: Path, turns: int) -> dict[str, object]:
    """Both ways, in turns."""
    walls: dict[bool, list[float]] = {False: [], True: []}
    results, tests = set(), set()
    for turn in range(turns):
        for served in (False, True):
            found = one(command, source, folder, *(("--server",) if served else ()))
            walls[served].append(found["wall"])
            results.add(found["result"])
            tests.add(found["tests"])
        progress(f"{name} {turn + 1}/{turns}: {walls[False][-1]:.2f} s, {walls[True][-1]:.2f} s")
    started, forked = median(walls[False]), median(walls[True])
    return {
        "program": name, "tests": max(tests), "started": started, "forked": forked, "ratio": started / forked,
        "same result": len(results) == len(tests) == 1,
    }  # fmt: skip


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--turns", type=int, default=3, help="[%(default)s]")
    parser.add_argument("--program", metavar="COMMAND", help="a command of your own, with {} for the input")
    parser.add_argument("--input", type=Path, help="on which it fails")
    parser.add_argument("--only", type=common.words, default=list(PROGRAMS), help="some of the programs")
    args = parser.parse_args()
    rows = []
    with common.work_folder() as folder:
        if args.program:
            rows.append(measure("yours", shlex.split(args.program), args.input.absolute(), folder, args.turns))
        for name in args.only if not args.program else ():
            head, module = PROGRAMS[name]
            if not has(module):
                progress(f"{module} is not installed")
                continue
            prog, source = folder / "prog.py", folder / "input.txt"
            prog.write_text(head + BODY)
            source.write_text("\n".join(LINES) + "\n")
            rows.append(measure(name, [sys.executable, str(prog), "{}"], source, folder, args.turns))
    tell(table(tuple(rows[0]), [tuple(row.values()) for row in rows]))
    common.save(args.json, rows)


if __name__ == "__main__":
    main()
