"""Cost as the input grows, through the command line: tests, engine time and peak memory, with fitted exponents.

reduce on 10^3 to 10^7 bytes, in one place of which there is the cause: `lines` (a flat list of lines), `c` (a real C
program again and again, its functions numbered) and `json` (records). changes on 10 to 10^5 hunks, one of which is the
cause, in two folders of Python files. Engine time is wynot's own: wall clock without starting tests and waiting for
them. Peak memory is that of the largest single process.

The exponent e of n^e is the slope of a line fitted to the logarithms (least squares), once over all sizes and once
over the two largest: start-up and the memory of Python itself hide what is small.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common
import counted
from common import progress, table, tell

GUILTY = "guilty"
TEST = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
int main(int argc, char **argv) {
    struct stat info;
    int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &info)) return 125;
    if (!info.st_size) return 1;
    void *text = mmap(0, info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    return text != MAP_FAILED && memmem(text, info.st_size, "guilty", 6) ? 0 : 1;
}
"""
PROGRAM = re.sub(r"^#.*\n", "", counted.C, flags=re.MULTILINE)
FUNCTIONS = re.compile(r"\b(in_word|count|now|append|keep|main)\b")
MEASURES = ("tests", "engine s", "peak MB")
HEADS = ("what", "size", "left", *MEASURES, "engine ms/test", "wall s", "ended")
HUNKS_A_FILE, FILES_A_FOLDER = 50, 50


def line(number: int, guilty: bool) -> str:
    """A line of letters."""
    made = "".join(random.Random(number).choices("etaoin shrdlu", k=40))
    return f"a line that is {GUILTY} of it\n" if guilty else f"{made}\n"


def program(number: int, guilty: bool) -> str:
    """A real program, whose functions get numbers, so that all of them are different."""
    made = FUNCTIONS.sub(rf"\1_{number}", PROGRAM)
    return made.replace("    long found = 0;\n", f"    long found = {GUILTY}(0);\n", 1) if guilty else made


def record(number: int, guilty: bool) -> str:
    """An object of the list."""
    chance = random.Random(number)
    made: dict[str, Any] = {
        "id": number, "name": f"record {chance.random():.8f}", "tags": ["a", "b", str(number)],
        "place": {"x": chance.randrange(1000), "y": chance.randrange(1000), "known": number % 3 == 0},
    }  # fmt: skip
    if guilty:
        made["place"]["note"] = GUILTY
    return json.dumps(made)


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of input: its name, what it is made of, and what stands before, between and after."""

    name: str
    piece: Callable[[int, bool], str]
    before: str = ""
    between: str = ""
    after: str = ""

    def write(self, path: Path, size: int) -> None:
        """So many bytes or a little more, piece by piece: what this process needs would count as that of its child."""
        number, written, guilty = 0, 0, -1
        with path.open("w") as file:
            file.write(self.before)
            while written < size or guilty < 0:
                guilty = number if guilty < 0 and written >= size // 3 else guilty
                piece = (self.between if number else "") + self.piece(number, number == guilty)
                written += file.write(piece)
                number += 1
            file.write(self.after)


SHAPES = {
    "lines": Shape("input.txt", line),
    "c": Shape("input.c", program),
    "json": Shape("input.json", record, "[", ",\n", "]\n"),
}


def reduce(shape: str, size: int, args: argparse.Namespace) -> tuple[object, ...]:
    with common.work_folder() as folder:
        source = folder / SHAPES[shape].name
        SHAPES[shape].write(source, size)
        test = common.compiled(folder / "check", TEST)
        argv: list[str | Path] = ["reduce", source, "-o", folder / "out", "--test", test]
        return _row(f"reduce, {shape}", source.stat().st_size, "size_after", folder, argv, args)


def changes(hunks: int, args: argparse.Namespace) -> tuple[object, ...]:
    with common.work_folder() as folder:
        guilty = trees(folder, hunks)
        test = common.write_script(folder / "check", f'#!/bin/sh\nexec grep -q {GUILTY} "$1/{guilty}"\n')
        old, new, output = folder / "old", folder / "new", folder / "culprit.patch"
        argv: list[str | Path] = ["changes", old, new, "-o", output, "--test", test]
        return _row("changes", hunks, "breaks", folder, argv, args)


def trees(folder: Path, hunks: int) -> str:
    """Two folders with so many hunks between them; the name of the file in which the cause is."""
    guilty, found = hunks // 3, ""
    for number in range(math.ceil(hunks / HUNKS_A_FILE)):
        name = f"part{number // FILES_A_FOLDER}/file{number}.py"
        places = range(number * HUNKS_A_FILE, min(hunks, (number + 1) * HUNKS_A_FILE))
        for tree in ("old", "new"):
            path = folder / tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(_function(place, tree == "new", place == guilty) for place in places))
        found = name if guilty in places else found
    return found


def _function(number: int, new: bool, guilty: bool) -> str:
    told = GUILTY if new and guilty else "changed" if new else "original"
    return f"def function_{number}(x):\n    y = x + {number}\n    print('{told}', y)\n    z = 2 * y\n    return z\n\n\n"


def _row(
    what: str, size: int, left: str, folder: Path, argv: Sequence[str | Path], args: argparse.Namespace
) -> tuple[object, ...]:
    """One run; where it breaks down its complaint is in the last column."""
    more = ["-j", str(args.jobs), "--budget-time", f"{args.cap:g}s", "--fresh", "--json"]
    with common.wynot_home(None) as env:
        done = common.run([common.program("wynot"), *argv, *more], env, cwd=folder)
    try:
        said = done.json()
    except SystemExit as complaint:
        return (what, size, None, None, None, done.peak, None, done.wall, str(complaint))
    found = said[left]
    return (
        what, size, len(found) if isinstance(found, list) else found, said["tests"], said["engine"], done.peak,
        1000 * said["engine"] / max(1, said["tests"]), done.wall, said["status"],
    )  # fmt: skip


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float | None:
    """The e of n^e that fits best; none for less than two sizes."""
    logs = [(math.log(size), math.log(value)) for size, value in zip(sizes, values, strict=True) if value > 0]
    if len({x for x, _ in logs}) < 2:
        return None
    return statistics.linear_regression([x for x, _ in logs], [y for _, y in logs]).slope


def fits(rows: Sequence[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
    """For each kind: the exponents of tests, engine time and memory; over all sizes, and over the last two."""
    for what in dict.fromkeys(row[0] for row in rows):
        done: list[Any] = [row for row in rows if row[0] == what and row[3] is not None]
        for name, some in (("all", done), ("the largest two", done[-2:])):
            sizes = [row[1] for row in some]
            found = [exponent(sizes, [row[HEADS.index(measure)] for row in some]) for measure in MEASURES]
            yield (what, name, *found)


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--sizes", type=common.numbers, default=[10**e for e in range(3, 8)], metavar="N,N",
                        help="bytes for reduce [10^3,...,10^7]")  # fmt: skip
    parser.add_argument("--hunks", type=common.numbers, default=[10**e for e in range(1, 6)], metavar="N,N",
                        help="for changes [10,...,10^5]")  # fmt: skip
    parser.add_argument("--only", type=common.words, default=[*SHAPES, "changes"], help="[lines,c,json,changes]")
    parser.add_argument("--cap", type=float, default=600.0, metavar="S", help="end a search then [%(default)g]")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="tests at once [%(default)s]")
    args = parser.parse_args()
    if unknown := set(args.only) - {*SHAPES, "changes"}:
        raise SystemExit(f"{', '.join(sorted(unknown))}: no such kind; there are {','.join(SHAPES)},changes")
    rows = []
    for row in _rows(args):
        rows.append(row)
        progress("  ".join(map(common.cell, row)))
        common.save(args.json, {"rows": [dict(zip(HEADS, row, strict=True)) for row in rows]})
    found = list(fits(rows))
    tell(table(HEADS, rows))
    tell("\nFitted exponents e of n^e:\n")
    tell(table(("what", "sizes", *MEASURES), found, left=2))
    common.save(args.json, {
        "rows": [dict(zip(HEADS, row, strict=True)) for row in rows],
        "exponents": [dict(zip(("what", "sizes", *MEASURES), fit, strict=True)) for fit in found],
    })  # fmt: skip


def _rows(args: argparse.Namespace) -> Iterator[tuple[object, ...]]:
    for shape in (shape for shape in SHAPES if shape in args.only):
        for size in args.sizes:
            yield reduce(shape, size, args)
    for hunks in args.hunks if "changes" in args.only else ():
        yield changes(hunks, args)


if __name__ == "__main__":
    main()
