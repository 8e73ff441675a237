"""The engine's own time per test and its memory, on source text of several languages, by size.

A failure needs two words of the text; the test is a few lines of compiled C. *engine ms* is wynot's own processor time
for a test, without that of the tests, with all parsing, the starts of the tests and the writing of their files; *clock
ms* is the time in which wynot did not wait for tests, by wynot's own account. Imports and the like come before: the
same process reduces a text of just the two words first (*start-up ms*). The least of some turns counts: what others do
on the machine only adds to it.

The texts: files of the corpus, whole items of them up to the size, copies of them beyond; JSON is the syntax tree of
a module of Python's own. With --beside DIR, another checkout's wynot takes turns with this one, on the same texts.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from inspect import getsource
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

import common
import corpus
from common import progress, table, tell
from wynot.domains.syntax import language_loading

GUILTY = (b"guilty_one", b"guilty_two")
TEST = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
int main(int argc, char **argv) {
    struct stat file;
    int from = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (from < 0 || fstat(from, &file) || !file.st_size) return 1;
    void *text = mmap(0, file.st_size, PROT_READ, MAP_PRIVATE, from, 0);
    if (text == MAP_FAILED) return 125;
    return !memmem(text, file.st_size, "guilty_one", 10) || !memmem(text, file.st_size, "guilty_two", 10);
}
"""
CHILD = """
import json, os, resource, sys
from wynot.cli.main import main

def used():
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime

def go(path):
    try:
        main(["reduce", path, *sys.argv[4:]])
    except SystemExit as over:
        return over.code

out = os.dup(1)
os.dup2(2, 1)
go(sys.argv[2])  # loads what there is to load
os.dup2(out, 1)
start = used()
code = go(sys.argv[3])
end = used()
with open("/proc/self/status") as status:  # ru_maxrss knows of the process that started this one, too
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
with open(sys.argv[1], "w") as file:
    json.dump({"start": start, "cpu": end - start, "peak": peak / 1024, "exit": code}, file)
"""
BARS = {10**3: 1.0, 10**4: 1.0, 10**5: 1.0, 10**6: 5.0}
"""Milliseconds for a test, at most, by the size of the text."""
MEMORY = 500.0
HEADS = ("text", "bytes", "left", "tests", "start-up ms", "engine ms", "clock ms", "bar", "met", "peak MB", "below 500")
BESIDE = ("text", "bytes", "tests", "there", "engine ms", "there", "ratio", "peak MB", "there")


def from_corpus(case: str) -> bytes:
    """The input of a case."""
    return corpus.named(corpus.CORPUS, [case])[0].input.read_bytes()


def python_as_json() -> bytes:
    """The syntax tree of a module, as JSON."""
    return json.dumps(_plain(ast.parse(getsource(argparse))), indent=1).encode()


def _plain(node: object) -> object:
    if isinstance(node, ast.AST):
        return {"kind": type(node).__name__, **{name: _plain(value) for name, value in ast.iter_fields(node)}}
    if isinstance(node, list):
        return [_plain(each) for each in node]
    return node if isinstance(node, str | int | float | bool) or node is None else repr(node)


@dataclass(frozen=True, slots=True)
class Source:
    """A text to begin with, and its language."""

    language: str
    name: str
    read: Callable[[], bytes]

    def text(self, size: int) -> bytes:
        """Of about this size: whole items, from the middle of the text on; two words of it are guilty."""
        data = self.read()
        chosen = self._json(size) if self.language == "json" else b"".join(self._items(data, size))
        return self._guilty(chosen)

    def _items(self, data: bytes, size: int) -> Iterator[bytes]:
        """None of them is a large part of the text."""
        tree = language_loading.load(self.language).parse(data, 1)
        bounds = [*(tree.starts[item] for item in tree.shape.children(0)), len(data)]
        items = [data[a:b].rstrip() + b"\n" for a, b in pairwise(bounds) if b - a <= size / 5]
        taken = 0
        for item in cycle(items[len(items) // 2 :] + items[: len(items) // 2]):
            if taken >= size:
                return
            taken += len(item)
            yield item

    def _json(self, size: int) -> bytes:
        """JSON is one item: as many of the first level's as it takes."""
        body = json.loads(self.read())["body"]
        taken, chosen = 0, []
        for part in cycle(sorted(body, key=lambda each: len(json.dumps(each)))):
            if taken >= size:
                break
            taken += len(json.dumps(part, indent=1))
            chosen.append(part)
        return json.dumps(chosen, indent=1).encode()

    def _guilty(self, data: bytes) -> bytes:
        """A word after one third of the text and one after two become others; it is as valid as before."""
        for share, word in zip((1, 2), GUILTY, strict=True):
            valid = language_loading.load(self.language).checker(data)
            for match in re.compile(rb"\b[a-z]{4,}\b").finditer(data, share * len(data) // 3):
                changed = data[: match.start()] + word + data[match.end() :]
                if valid(changed):
                    data = changed
                    break
        return data


SOURCES = {
    "C": Source("c", "input.c", partial(from_corpus, "c-gcc12-omp-taskgroup")),
    "CSS": Source("css", "input.css", partial(from_corpus, "lightningcss-host-selector-panic")),
    "SMT-LIB": Source("sexpr", "input.smt2", partial(from_corpus, "z3-qfuf-isomorphism-segv")),
    "JSON": Source("json", "input.json", python_as_json),
}


@dataclass(slots=True)
class Measured:
    """What runs of one wynot on one text took: milliseconds for a test."""

    engine: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    peak: list[float] = field(default_factory=list)
    found: dict[str, Any] = field(default_factory=dict)

    def add(self, found: dict[str, Any]) -> None:
        """One more turn."""
        self.found = found
        self.start.append(1000 * found["start"])
        self.engine.append(1000 * found["cpu"] / self.tests)
        self.clock.append(1000 * found["engine"] / self.tests)
        self.peak.append(found["peak"])

    @property
    def tests(self) -> int:
        return int(self.found["tests"] + self.found["baseline_tests"])


def once(text: Path, test: Path, source: Path | None) -> dict[str, Any]:
    """Reduce a text: what wynot says, and what its process took without children."""
    tiny = text.with_stem("tiny")
    tiny.write_bytes(b" ".join(GUILTY))
    with tempfile.NamedTemporaryFile("r", suffix=".json") as told, common.wynot_home(None) as env:
        more = {"PYTHONPATH": str(source)} if source else {}
        options: list[str | Path] = ["-o", text.with_name("out"), "--test", test, "-j", "1", "--fresh", "--json"]
        argv: list[str | Path] = [sys.executable, "-c", CHILD, told.name, tiny, text, *options]
        done = common.run(argv, {**env, **more}, cwd=text.parent)
        used = json.load(told)
        if used["exit"]:
            raise SystemExit(f"{text.name}: exit {used['exit']}: {done.stderr.strip()}")
        return {**done.json(), **used}


def measure(source: Source, size: int, test: Path, args: argparse.Namespace) -> tuple[Measured, Measured, int]:
    """Some turns on one text: this wynot's, and the other one's, if there is one."""
    path, here, there = test.with_name(source.name), Measured(), Measured()
    path.write_bytes(source.text(size))
    for _ in range(args.repeat):
        here.add(once(path, test, None))
        if args.beside is not None:
            there.add(once(path, test, args.beside))
    return here, there, path.stat().st_size


def main() -> None:
    args = _arguments().parse_args()
    rows, beside = [], []
    with common.work_folder(args.work) as folder:
        test = common.compiled(folder / "check", TEST)
        for name in args.languages:
            for size in args.sizes:
                here, there, real = measure(SOURCES[name], size, test, args)
                bar, engine, peak = BARS.get(size), min(here.engine), max(here.peak)
                rows.append(
                    (name, real, here.found["size_after"], here.tests, min(here.start), engine, min(here.clock),
                     bar, engine < bar if bar else None, peak, peak < MEMORY)
                )  # fmt: skip
                progress(" ".join(map(str, rows[-1])))
                if args.beside:
                    other = min(there.engine)
                    beside.append((name, real, here.tests, there.tests, engine, other, engine / other, peak,
                                   max(there.peak)))  # fmt: skip
    tell(f"milliseconds for a test, the least of {args.repeat} turns; load {os.getloadavg()[0]:.1f}\n")
    tell(table(HEADS, rows))
    if beside:
        tell(f"\nbeside {args.beside}:\n")
        tell(table(BESIDE, beside))
    common.save(args.json, [dict(zip(HEADS, row, strict=True)) for row in rows])


def _arguments() -> argparse.ArgumentParser:
    parser = common.parser(__doc__)
    parser.add_argument("--languages", type=common.words, default=list(SOURCES), help="[all: %(default)s]")
    parser.add_argument("--sizes", type=common.numbers, default=common.numbers("10^3,10^4,10^5,10^6"), metavar="N,N")
    parser.add_argument("--repeat", type=int, default=3, help="turns [%(default)s]")
    parser.add_argument("--beside", type=Path, metavar="DIR", help="the folder of sources of another wynot")
    parser.add_argument("--work", metavar="DIR", help="where texts and results go [memory]")
    return parser


if __name__ == "__main__":
    main()
