"""Large inputs, through the command line: tests, engine time (what was not spent on tests), peak memory.

one:  one guilty byte, in inputs of 10^3 to 10^6 bytes, at eight places. Bars at 10^6: reduce 40 tests, isolate 20;
      1 s, 150 MB.
many: any 2121 bytes other than newlines are needed. Bars at 10^5: isolate 51 tests; reduce fewer than 10619 (2002,
      section IV-C), 2 ms a test.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import common
from common import median, progress, table, tell

C = """
#include <stdio.h>
static unsigned char block[1 << 20];
int main(int argc, char **argv) {{
    size_t size, found = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : 0;
    if (!file) return 125;
    while ((size = fread(block, 1, sizeof block, file)) > 0)
        for (size_t i = 0; i < size; i++) found += {counts};
    return found >= {needed} ? 0 : 1;
}}
"""
SHELL = """#!/bin/sh
[ "$(tr -cd '{kept}' < "$1" | wc -c)" -ge {needed} ]
"""
PRINTABLE = bytes(range(0x20, 0x7F)) + b"\n"
GUILTY = b"\x01"


@dataclass(frozen=True, slots=True)
class Problem:
    """A kind of failure; `counts` and `kept` say which bytes count, in C and to tr."""

    name: str
    needed: int
    counts: str
    kept: str
    bars: dict[str, int]
    """Most tests, at the size of the bar."""
    size: int

    def inputs(self, size: int) -> list[bytes]:
        """Random printable characters and newlines, of which all count, or one other one that does, here and there."""
        chance = random.Random(size)
        data = bytes(chance.choices(PRINTABLE, k=size))
        if self.name != "one":
            return [data]
        places = [0, size // 3, size // 2, chance.randrange(size), size - 257, size - 28, size - 2, size - 1]
        return [data[:place] + GUILTY + data[place + 1 :] for place in places]

    def test(self, folder: Path) -> Path:
        """The test as a program: compiled where there is a compiler."""
        path = folder / f"{self.name}-check"
        if shutil.which("gcc"):
            return common.compiled(path, C.format(counts=self.counts, needed=self.needed))
        return common.write_script(path, SHELL.format(kept=self.kept, needed=self.needed))


PROBLEMS = {
    "one": Problem("one", 1, "block[i] == 1", r"\001", {"reduce": 40, "isolate": 20}, 10**6),
    "many": Problem("many", 2121, r"block[i] != '\n'", r"\001-\011\013-\377", {"reduce": 10618, "isolate": 51}, 10**5),
}
HEADS = (
    "problem",
    "command",
    "atoms",
    "bytes",
    "left",
    "tests",
    "at most",
    "bar",
    "engine s",
    "engine ms/test",
    "peak MB",
)


@dataclass(frozen=True, slots=True)
class Way:
    """How wynot is called."""

    command: str
    atoms: str
    options: tuple[str, ...]

    def go(self, test: Path, data: bytes, folder: Path) -> tuple[dict[str, Any], float]:
        """One run: what wynot says, and its peak memory."""
        source = folder / "input.txt"
        source.write_bytes(data)
        argv: list[str | Path] = [
            common.program("wynot"), self.command, source, "-o", folder / self.command, "--test", test,
            "--atoms", self.atoms, "--fresh", "--json", *self.options,
        ]  # fmt: skip
        with common.wynot_home(None) as env:
            done = common.run(argv, env, cwd=folder)
        return done.json(), done.peak


def measure(problem: Problem, size: int, way: Way) -> tuple[object, ...]:
    """Over all inputs of this size: the median number of tests, and the most of everything."""
    with common.work_folder() as folder:
        test = problem.test(folder)
        runs = [way.go(test, data, folder) for data in problem.inputs(size)]
    found = [run[0] for run in runs]
    tests = [each["tests"] for each in found]
    left = max(each["size_after" if way.command == "reduce" else "difference"] for each in found)
    bar = problem.bars[way.command] if size == problem.size else None
    slowest = max(1000 * each["engine"] / max(1, each["tests"]) for each in found)
    return (
        problem.name, way.command, way.atoms, size, left, round(median(tests)), max(tests), bar,
        max(each["engine"] for each in found), slowest, max(run[1] for run in runs),
    )  # fmt: skip


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--problems", type=common.words, default=list(PROBLEMS), help="[one,many]")
    parser.add_argument("--commands", type=common.words, default=["reduce", "isolate"], help="[reduce,isolate]")
    parser.add_argument("--atoms", type=common.words, default=["chars", "auto"], help="[chars,auto]")
    parser.add_argument("--sizes", type=common.numbers, default=common.numbers("10^3,10^4,10^5,10^6"), metavar="N,N")
    parser.add_argument("--algorithm", metavar="NAME", help="for reduce, instead of wynot's default")
    parser.add_argument("-j", "--jobs", default="1", help="tests at once [%(default)s]")
    args = parser.parse_args()
    rows = []
    for name, command, atoms in product(args.problems, args.commands, args.atoms):
        more = ("--algorithm", args.algorithm) if args.algorithm and command == "reduce" else ()
        for size in (size for size in args.sizes if size > PROBLEMS[name].needed):
            rows.append(measure(PROBLEMS[name], size, Way(command, atoms, ("-j", args.jobs, *more))))
            progress(" ".join(map(str, rows[-1])))
    tell(table(HEADS, rows, left=3))
    common.save(args.json, [dict(zip(HEADS, row, strict=True)) for row in rows])


if __name__ == "__main__":
    main()
