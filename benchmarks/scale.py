"""Large inputs, through the command line: tests, engine time (what was not spent on tests), peak memory.

one:  one guilty byte, inputs of 10^3 to 10^6 bytes. Bars at 10^6: reduce 40 tests, isolate 20, 1 s, 150 MB.
many: any 2121 bytes other than newlines are needed. Bars at 10^5: isolate 51 tests; reduce fewer than 10619 (2002,
      section IV-C), 2 ms a test.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

import common
from common import progress, table, tell

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

    def data(self, size: int) -> bytes:
        """Random printable characters and newlines, of which all count, or one other one that does."""
        chance = random.Random(size)
        data = bytearray(chance.choices(PRINTABLE, k=size))
        if self.name == "one":
            data[chance.randrange(size)] = GUILTY[0]
        return bytes(data)

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
HEADS = ("problem", "command", "atoms", "bytes", "left", "tests", "most", "wall s", "engine s", "engine ms/test",
         "peak MB")  # fmt: skip


def measure(
    problem: Problem, size: int, command: str, atoms: str, options: list[str], folder: Path
) -> tuple[object, ...]:  # noqa: E501
    """One run of the command."""
    source = folder / "input.txt"
    source.write_bytes(problem.data(size))
    with common.wynot_home(None) as env:
        argv = [common.program("wynot"), command, source, "-o", folder / command, "--test", problem.test(folder),
                "--atoms", atoms, "--fresh", "--json", *options]  # fmt: skip
        done = common.run(argv, env, cwd=folder)
    found = done.json()
    left = found["size_after"] if command == "reduce" else found["difference"]
    most = problem.bars[command] if size == problem.size else None
    each = 1000 * found["engine"] / max(1, found["tests"])
    return (
        problem.name, command, atoms, size, left, found["tests"], most, found["wall"], found["engine"], each, done.peak,
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
    for name in args.problems:
        problem = PROBLEMS[name]
        for size in (size for size in args.sizes if size > problem.needed):
            for command in args.commands:
                for atoms in args.atoms:
                    options = ["-j", args.jobs]
                    if args.algorithm and command == "reduce":
                        options += ["--algorithm", args.algorithm]
                    with common.work_folder() as folder:
                        rows.append(measure(problem, size, command, atoms, options, folder))
                    progress(" ".join(map(str, rows[-1])))
    tell(table(HEADS, rows, left=3))
    common.save(args.json, [dict(zip(HEADS, row, strict=True)) for row in rows])


if __name__ == "__main__":
    main()
