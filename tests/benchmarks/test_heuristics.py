"""Each heuristic can be left out: the result still fails, and the search of one of these inputs is another one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import common
import heuristics
from tests.benchmarks.scripts import script
from wynot import Options, reduce

Test = Callable[[bytes], bool]

STUBS = b"".join(b"int f%d(int a, int b) {\n    int c = a + b;\n    return c * %d;\n}\n" % (n, n) for n in range(6))
C = (
    b"#include <stdio.h>\n#include <math.h>\ntypedef int word;\nstruct point { int x; int y; };\n"
    + STUBS
    + b"static int once(int n) { return n + 1; }\nint used(word w, int other) { return w * (2 + other); }\n"
    b"int main(void) {\n    word w = 3, v = w;\n    if (w > 2) {\n"
    b"        for (;;) { crash(used(once(v), 5), w); }\n    }\n"
    b"    return f1(1, 2) + f2(2, 3);\n}\n"
)
CPP = (
    b"namespace n {\n"
    + b"".join(b"class C%d { public: void g(); [[nodiscard]] int h(int); };\n" % n for n in range(14))
    + b"void C3::g() { int i; int j; crash(i, j); }\n}\nint main() { n::C3 c; c.g(); }\n"
)
PYTHON = b"import os\nimport sys\nimport re\n\ndef f(a):\n    return os.path.join(a, re.escape(a))\n\n" + b"".join(
    b"def g%d(a, b=1):\n    x = f(a)\n    return x + f(b)\n\n" % n for n in range(8)
) + b"@sys.intern\ndef main():\n    crash(g1(1, 2), sys.argv)\n\nmain()\n"  # fmt: skip
DEEP = b"[" * 60 + b"1, 2, 3" + b"]" * 60
OUTLINE = b"".join(
    b"module m%d (\n  in a,\n  out b\n)\n  type a.b c%d\n  use c%d\n  wire w%d == 1\nend\n" % (n, n, n, n)
    for n in range(9)
)
BINARY = bytes(range(1, 60)) + bytes(40) + b"\x00\x01KEY\xff" + bytes(range(200, 255)) + bytes(9)
LARGE = b"".join(b"int unused_%d(int a) { return a + %d; }\n" % (n, n) for n in range(4000)) + (
    b"int last(int a) { int b = a * 2; if (b) { crash(b); } return unused_7(b) + unused_9(a); }\n"
)

USES = LARGE + (
    b"int last(int a) {\n" + b"".join(b"    a += unused_%d(a);\n" % n for n in range(12)) + b"    crash(a);\n}\n"
)
CROWD = (
    b'{"a": {"b": {"c": {"d": {"e": ['
    + b", ".join(b"%d" % n for n in range(900))
    + b"".join(b', {"k%d": "%s"}' % (n, b"x" * 400) for n in range(20))
    + b"]}}}}}"
)
FIXED = bytes(range(255)) + b"KEY" + bytes(range(120))


def defined(data: bytes) -> bool:
    """Whether all functions are there that are called."""
    called, there = re.findall(rb"[=+] (unused_\d+)\(", data), set(re.findall(rb"int (unused_\d+)\(", data))
    return b"crash(" in data and there.issuperset(called)


def as_many(data: bytes) -> bool:
    """Whether a function is called with as many arguments as it has parameters."""
    taken, given = re.search(rb"int f\((.*?)\) *{", data), re.search(rb"crash\(f\((.*?)\)\)", data)
    return bool(taken and given and taken[1].count(b",") == given[1].count(b",") and bool(taken[1]) == bool(given[1]))


def matching(pattern: bytes) -> Test:
    return lambda data: re.search(pattern, data, re.DOTALL) is not None


INPUTS: dict[str, tuple[bytes, Test]] = {
    "a.c": (C, lambda data: b"crash(" in data and b"w" in data.partition(b"crash(")[2]),
    "b.c": (C, lambda data: b"return" in data and b"crash" in data and data.count(b"int") > 2),
    "a.cpp": (CPP, lambda data: b"crash(" in data and b"C3" in data),
    "a.py": (PYTHON, lambda data: b"crash(" in data and b"g1" in data and b"sys" in data),
    "a.json": (DEEP, lambda data: b"2" in data and b"[" in data),
    "crowd.json": (
        CROWD,
        lambda data: all(b'"%c"' % key in data for key in b"abcde") and b"17" in data and b"k3" in data,
    ),
    "a.txt": (OUTLINE, lambda data: b"c4" in data and b"wire" in data),
    "a.bin": (BINARY, lambda data: data[101:104] == b"KEY" or (len(data) < 99 and b"KEY" in data and data[0] == 1)),
    "fixed.bin": (FIXED, lambda data: len(data) == len(FIXED) and data[255:258] == b"KEY"),
    "large.c": (USES, defined),
    "parameters.c": (
        b"int f(int a, int b, int c) { return a; }\nint main() { crash(f(1, 2, 3)); }\n",
        as_many,
    ),
    "result.go": (
        b"package p\nfunc f(a int) int {\n\tcrash()\n\treturn a\n}\n",
        lambda data: b"crash" in data and b"func f(" in data and (b") int" in data) is (b"return a" in data),
    ),
    "attribute.rs": (
        b"".join(b"#[a%d]\nstruct S%d;\nfn f%d() {}\n" % (n, n, n) for n in range(6)),
        lambda data: all((b"a%d" % n in data) is (b"S%d;" % n in data) and b"fn f%d" % n in data for n in range(6)),
    ),
    "siblings.c": (b"void f() { int i; int j; crash(i, j); }\n", matching(rb"int\b[^;]*\bi\b.*\bj;.*crash\(i, j\)")),
    "alias.c": (b"typedef int word;\nword crash;\n", matching(rb"typedef int word;.*word crash;|int crash;")),
    "beside.c": (
        b"int f() { int i; int j; crash(i); also(j); }\n",
        matching(rb"int (\w).*int (\w).*crash\(\1\).*also\(\2\)|int (\w).*crash\(\3\).*also\(\3\)"),
    ),
    "inline.c": (
        b"void f(int i) { crash(i); }\nint main() { f(1); }\n",
        matching(rb"void f\(.*crash\(.*main\(.*\bf\(|main\(.*crash\("),
    ),
    "alias.txt": (
        OUTLINE + b"type a.b crash\nuse crash\n",
        matching(rb"type a\.b crash\s+use crash|use a\.b"),
    ),
    "member.cpp": (
        b"struct A { int f(int); };\nint A::f(int i) { return crash(i); }\n",
        matching(
            rb"struct A {\s*int f\(int\);\s*};\s*int A::f\(int i\) {.*crash\(i"
            rb"|struct A {\s*int f\(int i\) {.*crash\(i"
        ),
    ),
    "value.c": (b"void f() { int v = 5 + 6; crash(v); }\n", matching(rb"int v = 5 \+ 6;.*crash\(v\)|crash\(5 \+ 6\)")),
}  # fmt: skip


def story(name: str, left_out: str | None, jobs: int = 1) -> tuple[list[bytes], bytes]:
    """All candidates that are tested, in order, and the result."""
    data, fails = INPUTS[name]
    tested: list[bytes] = []

    def test(candidate: bytes) -> bool:
        tested.append(candidate)
        return fails(candidate)

    with heuristics.without(left_out):
        result = reduce(data, test, Options(jobs=jobs), name=name).data
    assert fails(result)
    return tested, result


@cache
def usual(name: str) -> tuple[list[bytes], bytes]:
    return story(name, None)


SEARCHING = [each.name for each in heuristics.HEURISTICS if not each.ahead]
AHEAD = [each.name for each in heuristics.HEURISTICS if each.ahead]


@pytest.mark.parametrize("heuristic", SEARCHING)
def test_the_search_is_another_one_without_it(heuristic: str) -> None:
    assert any(story(name, heuristic) != usual(name) for name in INPUTS)


@pytest.mark.parametrize("heuristic", AHEAD)
def test_what_runs_early_does_not_change_the_search(heuristic: str) -> None:
    assert story("a.c", heuristic) == usual("a.c")
    assert story("a.c", heuristic, jobs=2)[1] == usual("a.c")[1]


def test_the_names_are_listed_and_checked() -> None:
    assert heuristics.chosen(["all"]) == [each.name for each in heuristics.HEURISTICS]
    with pytest.raises(SystemExit, match="no heuristic is called hosting"):
        heuristics.chosen(["hosting"])


CASE = """kind = "input"
input = "a.c"
language = "c"
"""


def test_the_table_compares_with_the_full_search(tmp_path: Path) -> None:
    case = tmp_path / "cases" / "one"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE)
    (case / "a.c").write_bytes(C)
    common.write_script(case / "check", '#!/bin/sh\ngrep -q "crash(.*w" "$1"\n')
    gone = tmp_path / "cases" / "two"
    shutil.copytree(case, gone)
    common.write_script(gone / "check", "#!/bin/sh\nexit 127\n")
    words = ("one", "two", "--cases", tmp_path / "cases", "--answers", tmp_path / "answers", "--without")
    done = script("passes.py", *words, "hoisting", "--without", "zeroing")
    assert done.returncode == 0, done.stderr
    assert "two: skipped, its program is not installed" in done.stderr
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()]
    one, other = (row for row in rows if row[0] == "one")
    assert (one[1], other[1], other[3], other[5]) == ("hoisting", "zeroing", "1.00", "1.00")
    assert float(one[3]) > 1.05
    assert script("passes.py", *words, "hosting").stderr.startswith("no heuristic is called hosting")


def test_help_lists_the_names() -> None:
    listed = script("passes.py", "--without", "help").stdout.splitlines()[2:]
    assert [line.split(" | ")[0].strip("| ") for line in listed] == list(heuristics.BY_NAME)
