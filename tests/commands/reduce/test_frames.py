"""What is little more than a frame around other things: its own parts come first, then those, users first."""

from __future__ import annotations

import re
from functools import partial

import pytest

from tests.search.recording import Notebook, drive
from wynot.commands.reduce.parsed_text import ParseCache
from wynot.commands.reduce.passes.basic_passes import COARSE, PreparedPass, TreePass, pruning
from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.domains.syntax.language_loading import load
from wynot.engine.budget import TestCounts
from wynot.engine.run_options import Options
from wynot.errors import Ended
from wynot.search.lists.sweep import skim

MANY = 20


def test_a_class_is_freed_of_what_it_implements_before_its_members_are_looked_at() -> None:
    """As long as it implements the interface, it needs all methods of that: 84 tests if they come first."""
    declared = b"".join(b"  int m%d(int a, int b);\n" % i for i in range(MANY))
    methods = b"".join(b"  public int m%d(int a, int b) { return a + b * %d; }\n" % (i, i) for i in range(MANY))
    text = b"interface I {\n" + declared + b"}\nclass C implements I {\n" + methods + b"  int guilty;\n}\n"
    tests = 0

    def test(candidate: bytes) -> bool:
        nonlocal tests
        tests += 1
        before, _, after = candidate.partition(b"class C")
        if b"guilty" not in after:
            return False
        wanted = re.findall(rb"m\d+\(", before)
        return b"implements I" not in after or (b"interface I" in before and all(name in after for name in wanted))

    assert reduce(text, test, name="x.java").data.split() == b"class C { int guilty; }".split()
    assert tests <= 20


def test_a_chain_of_single_things_at_the_end_of_a_large_file_is_passed_by() -> None:
    """Each level would be a test as large as the file: 181 of the first 200 tests are."""
    chain = b"(" * 600 + b"guilty" + b")" * 600
    text = b"".join(b"int v%d = %d;\n" % (i, i) for i in range(6000)) + b"int last = " + chain + b";\n"
    large = 0

    def test(candidate: bytes) -> bool:
        nonlocal large
        large += 2 * len(candidate) > len(text)
        return chain in candidate and b"v0 = 0" in candidate

    with pytest.raises(Ended):
        reduce(text, test, Options(budget_tests=200), name="x.c")
    assert large <= 40


@pytest.mark.parametrize(
    ("language", "text", "framed"),
    [
        ("javascript", b"(function() {\nvar a;\nvar b;\nfunction f() { return a; }\n})();\n", True),
        ("java", b"import a.b;\nclass C {\nint i;\nint j;\nint f() { return i; }\n}\n", True),
        ("c", b"int i;\nint j;\nint f(void) {}\nint k;\n", False),
        ("json", b'[{"a": 1}, {"b": 2}, {"c": [3, 4]}]\n', False),
        ("xml", b"<a><b>1</b><c>2</c><d><e/></d></a>\n", False),
    ],
)
def test_programs_that_are_one_item_are_looked_into(language: str, text: bytes, framed: bool) -> None:
    """Data are not: to look at all of it at once takes time and memory, and wins nothing."""
    assert ParseCache(load(language)).grown(text, None, COARSE).framed == framed


@pytest.mark.parametrize("patient", [False, True])
def test_small_things_wait_in_a_large_text(patient: bool) -> None:
    """All parameters are needed, and stand above what is in the blocks, which is not: a tenth is left far later."""
    block = b"".join(b"      h(%d, y);\n" % i for i in range(40))
    text = b"".join(b"function f%d(a, b, c) {\n  if (x) {\n%s  }\n}\n" % (i, block) for i in range(60))
    heads = [re.compile(rb"function f%d\(a, b, c\) \{\s*if \(x\)" % i) for i in range(60)]
    stage = TreePass("tree", ParseCache(load("javascript")), pruning(skim, patient=patient)).begin(
        text, None, TestCounts()
    )
    sizes: list[int] = []

    def outcome(config: Config) -> Outcome:
        candidate = stage.domain.render(config)
        fails = all(head.search(candidate) for head in heads)
        sizes.append(len(candidate) if fails else len(text))
        return FAIL if fails else PASS

    drive(stage.search(), outcome)
    first = next(number for number, size in enumerate(sizes) if 10 * size < len(text))
    assert (first < 250) == patient


def test_what_has_waited_is_looked_at_in_the_end() -> None:
    """All that is small, and can go, is gone after one search; what was looked at is not looked at once more."""
    text = b"".join(b"function f%d(a, b, c) {\n  g(%d, %d, 4);\n}\n" % (i, i, i) for i in range(300))
    wanted = [b"function f%d(" % i for i in range(300)]
    found = []
    for patient in (False, True):
        stage = TreePass("tree", ParseCache(load("javascript")), pruning(skim, patient=patient)).begin(
            text, None, TestCounts()
        )
        result, tests = drive(stage.search(), partial(_holds, stage, wanted))
        found.append((stage.domain.render(result.failing), tests))
    (plainly, tests), (patiently, more) = found
    assert patiently == plainly
    assert more < 1.1 * tests


def _holds(stage: PreparedPass, wanted: list[bytes], config: Config) -> Outcome:
    candidate = stage.domain.render(config)
    return FAIL if all(each in candidate for each in wanted) else PASS


def test_a_few_small_things_do_not_wait() -> None:
    """Where there are no crowds, all is asked as if there were no patience."""
    call = b'  h("%s");\n' % (b"s" * 500)
    text = b"".join(b"function f%d(a, b) {\n%s%s}\n" % (i, call, call) for i in range(10))
    asked = []
    for patient in (False, True):
        stage = TreePass("tree", ParseCache(load("javascript")), pruning(skim, patient=patient)).begin(
            text, None, TestCounts()
        )
        notebook = Notebook(partial(_holds, stage, [b"f%d(a" % i for i in range(10)]))
        notebook.drive(stage.search())
        asked.append(notebook.steps)
    assert asked[0] == asked[1]
