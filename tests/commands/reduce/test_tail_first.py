"""The end of a file first: what it takes, what is tested, what has to stay."""

from __future__ import annotations

import re

import pytest

from wynot.commands.reduce.parsed_text import ParsedText
from wynot.commands.reduce.reduction import reduce
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.syntax.adapters.tree_sitter_adapter import TreeSitterChecker
from wynot.domains.syntax.incremental_validity import LARGE
from wynot.domains.syntax.language_loading import load
from wynot.engine.run_options import Options

COUNT = 2000
"""Functions that make a large file."""


def linked(count: int) -> bytes:
    """A C file: each function uses one before it, and the last one uses every tenth."""
    functions = [b"int f0(int a) { return a; }\n"]
    functions += [b"int f%d(int a) { return f%d(a) + a; }\n" % (i, i // 2) for i in range(1, count)]
    used = b"".join(b"  n += f%d(n);\n" % i for i in range(0, count, 10))
    return b"".join(functions) + b"int last(int n) {\n" + used + b"  guilty(n);\n  return n;\n}\nint more(void);\n"


def linker(text: bytes) -> Outcome:
    """Knows what is not defined before it is used, and fails on one word."""
    for use in re.finditer(rb"\bf\d+\(", text):
        definition = b"int " + use[0] + b"int"
        if not 0 <= text.find(definition) <= use.start():
            return UNRESOLVED
    return FAIL if b"guilty(" in text else PASS


@pytest.mark.parametrize(("count", "jobs"), [(400, 1), (400, 3), (COUNT, 1), (COUNT, 3)])
def test_what_the_end_needs_no_more_goes_at_once(count: int, jobs: int) -> None:
    """Of 400 functions most are needed at first; one after the other they would take hundreds of tests."""
    text = linked(count)
    assert (len(text) > LARGE) == (count == COUNT)
    result = reduce(text, linker, Options(jobs=jobs), name="x.c")
    assert result.data.split() == b"guilty();".split()
    assert result.cost.counts.needed <= 60


def test_the_same_for_any_number_of_jobs() -> None:
    text = linked(COUNT).replace(b"guilty(n);", b"guilty(f4(f8(n)));")

    def test(candidate: bytes) -> Outcome:
        fine = linker(candidate)
        return fine if fine is not FAIL or candidate.count(b"int f") > 1 else PASS

    results = [reduce(text, test, Options(jobs=jobs), name="x.c") for jobs in (1, 4)]
    assert results[0].data == results[1].data
    assert results[0].cost.counts.needed == results[1].cost.counts.needed


def test_the_end_is_tried_alone_as_soon_as_half_of_it_is_gone() -> None:
    """The rest of a large file goes while the end is made small, not after that: a test of little takes little time."""
    sizes: list[int] = []

    def test(candidate: bytes) -> Outcome:
        sizes.append(len(candidate))
        return linker(candidate)

    held = b"".join(b"  if (n) { guilty(n, %d, %d); }\n" % (i, i) for i in range(10))
    text = linked(COUNT).replace(b"int last(int n) {\n", b"int last(int n) {\n" + held).replace(b"  guilty(n);\n", b"")

    def all_of_them(candidate: bytes) -> Outcome:
        found = test(candidate)
        return found if found is not FAIL or candidate.count(b"guilty(") == 10 else PASS

    reduce(text, all_of_them, name="x.c")
    assert sum(size > LARGE for size in sizes) <= 30
    assert len(sizes) > 60


def test_an_end_that_goes_as_a_whole_is_no_end() -> None:
    """What was taken for needed need not be; there is nothing left to be tried alone then."""
    text = linked(COUNT)

    def test(candidate: bytes) -> Outcome:
        return FAIL if b"int f0(" in candidate and (b"int last" not in candidate or b"guilty" in candidate) else PASS

    result = reduce(text, test, Options(budget_tests=200), name="x.c")
    assert len(result.data) < 30


@pytest.mark.parametrize("count", [100, 2500])
def test_what_has_to_stay_at_the_beginning_stays(count: int) -> None:
    """A Go file has to begin with its package."""
    functions = b"".join(b"func f%d() int { return %d }\n" % (i, i) for i in range(count))
    text = b"package main\n" + functions + b"func last() { f7(); f70(); guilty() }\n"

    def test(candidate: bytes) -> Outcome:
        if not candidate.startswith(b"package"):
            return UNRESOLVED
        missing = any(b"func " + use not in candidate for use in re.findall(rb"f\d+\(\)", candidate))
        return UNRESOLVED if missing else FAIL if b"guilty()" in candidate else PASS

    result = reduce(text, test, name="x.go")
    assert result.data.split()[:2] == [b"package", b"main"]
    assert b"guilty()" in result.data
    assert len(result.data.split()) <= 7
    assert result.cost.counts.needed <= 60


@pytest.mark.parametrize(("name", "count"), [("x.c", 100), ("x.c", COUNT), ("x.js", 100)])
def test_the_whole_is_valid_whatever_is_done_to_its_end(name: str, count: int) -> None:
    text = linked(count) if name == "x.c" else linked(count).replace(b"int a", b"a").replace(b"int n", b"n")
    text = text if name == "x.c" else text.replace(b"int more(void);\n", b"").replace(b"int ", b"function ")
    assert load("c" if name == "x.c" else "javascript").checker(text).clean
    tested: list[bytes] = []

    def test(candidate: bytes) -> bool:
        tested.append(candidate)
        return b"guilty(" in candidate and (b"f40(" in candidate) == (b"f20(" in candidate)

    reduce(text, test, name=name)
    checker = load("c" if name == "x.c" else "javascript").checker(text)
    assert len(tested) > 20
    assert all(map(checker, tested))


def test_items_beside_errors_are_read_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be cut in a large file with errors is found out without reading the file again and again."""
    text = b"}\n".join(b"int f%d(int a) { if (a) { return %d; } }\n" % (i, i) for i in range(5_000))
    parsed = 0
    whole = TreeSitterChecker._parsed

    def counted(self: TreeSitterChecker, candidate: bytes) -> object:
        nonlocal parsed
        parsed += len(candidate)
        return whole(self, candidate)

    monkeypatch.setattr(TreeSitterChecker, "_parsed", counted)
    grown = ParsedText(load("c"), text, None)
    assert sum(map(grown.cuttable, range(len(grown.tree)))) > 5_000
    assert parsed < len(text)
