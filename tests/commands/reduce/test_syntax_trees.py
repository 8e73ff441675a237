"""Reduction along syntax trees: the papers' examples, the promise of the result, what is tested at all."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wynot
from wynot.commands.reduce.parsed_text import ParsedText
from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Event, Note
from wynot.domains.syntax.adapters.tree_sitter_adapter import TreeSitterLanguage
from wynot.domains.syntax.language_loading import NAMES, load
from wynot.domains.text.tokens import count
from wynot.engine.run_options import Options
from wynot.errors import BudgetEnded, NoFailureError, UsageError

FIGURE_1 = b"""\
void f()
{
    int x; int y;
    if (x!=0) { y= x; } else { return 0; }
    while (y!=0) { y--; }
    return y;
}
"""


def compiles_and(has: bytes) -> Callable[[bytes], Outcome]:
    """A compiler that crashes on something; a real one says whether a text is C at all."""

    def test(text: bytes) -> Outcome:
        gcc = ["gcc", "-x", "c", "-std=gnu89", "-w", "-fsyntax-only", "-"]
        if subprocess.run(gcc, input=text, capture_output=True, check=False).returncode:
            return UNRESOLVED
        return FAIL if has in text else PASS

    return test


@pytest.mark.parametrize("algorithm", ["hdd", "hdd_plus", "hdd_star", "hdd_parents"])
@pytest.mark.parametrize("head", [b"f()", b"void f()"])
def test_a_required_child_is_replaced_by_its_smallest_text(algorithm: str, head: bytes) -> None:
    """2006, figures 1 and 2: the published algorithms read C as the papers do, where functions need no type."""
    text = FIGURE_1.replace(b"void f()", head)
    result = reduce(text, compiles_and(b"y--"), Options(algorithm=algorithm), name="fig1.c")
    assert result.data.split() == b"f() { int y; while (0) { y--; } }".split()


def test_hoisting_goes_further_than_the_paper() -> None:
    result = reduce(FIGURE_1, compiles_and(b"y--"), name="fig1.c")
    assert result.data.split() == b"void f() { int y; y--; }".split()
    assert result.minimality == "1-tree-minimal"


def watching(test: Callable[[bytes], Outcome], seen: list[bytes]) -> Callable[[bytes], Outcome]:
    def watched(text: bytes) -> Outcome:
        seen.append(text)
        return test(text)

    return watched


JSON = json.dumps({"a": [1, {"b": [None, "x", {"c": 3}]}, []], "d": {"e": "guilty", "f": [1, 2, 3]}}, indent=2).encode()
SAMPLES = {
    "x.json": (JSON, b"guilty"),
    "x.c": (FIGURE_1, b"y--"),
    "x.py": (
        b"import os\n\ndef f(a, b):\n    if a:\n        return g(a + 1, b)\n    return [x for x in b]\n\nf(1, 2)\n",
        b"g(",
    ),
    "x.xml": (b"<a><b c='1' d='2'>text<e/></b><!-- note --><f>guilty</f></a>\n", b"guilty"),
    "x.js": (b"const a = [1, 2, f(3)];\nfunction g(x, y) { for (;;) { if (x) break; h(y); } }\n", b"h("),
    "x.smt2": (b"(set-logic QF_UF)\n(declare-fun p () Bool)\n(assert (and p (or p (not p))))\n(check-sat)\n", b"not"),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_only_valid_texts_are_tested(name: str) -> None:
    text, guilty = SAMPLES[name]
    seen: list[bytes] = []
    result = reduce(text, watching(lambda t: FAIL if guilty in t else PASS, seen), name=name)
    language = {"x.smt2": "sexpr", "x.py": "python", "x.js": "javascript"}.get(name, name.removeprefix("x."))
    checker = load(language).checker(text)
    assert guilty in result.data
    assert [t for t in seen if t and not checker(t)] == []  # the empty input is tried before the search


@pytest.mark.parametrize("name", SAMPLES)
def test_no_single_node_can_go(name: str) -> None:
    """1-tree-minimality by brute force: no cut, no smallest text, no heir of any node keeps the failure."""
    text, guilty = SAMPLES[name]
    result = reduce(text, lambda t: guilty in t, name=name)
    language = {"x.smt2": "sexpr", "x.py": "python", "x.js": "javascript"}.get(name, name.removeprefix("x."))
    grown = ParsedText(load(language), result.data, None)
    full = Config.full(len(grown.tree))
    for node in range(1, len(grown.tree)):
        shape = grown.tree.shape
        candidates = [full - shape.subtree(node)] if grown.cuttable(node) else []
        candidates += [
            (full - shape.subtree(node)) | Config((first, shape.lasts[last])) for first, last in grown.heirs(node)
        ]
        for config in candidates:
            candidate = grown.pruned.render(config)
            assert guilty not in candidate or candidate == result.data or not grown.checker(candidate)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_result_and_its_cost_are_the_same_for_any_number_of_jobs(name: str) -> None:
    text, guilty = SAMPLES[name]

    def test(candidate: bytes) -> bool:
        return guilty in candidate

    results = [reduce(text, test, Options(jobs=jobs), name=name) for jobs in (1, 2, 8, 32)]
    assert len({(result.data, result.cost.counts.needed) for result in results}) == 1


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.integers(0, 9) | st.just("guilty") | st.none(),
        lambda x: st.lists(x, max_size=4) | st.dictionaries(st.sampled_from("abcd"), x, max_size=3),
        max_leaves=25,
    )
)
def test_json_stays_json_and_shrinks_to_the_guilty_value(value: object) -> None:
    text = json.dumps(["guilty", value], indent=1).encode()
    seen: list[bytes] = []
    result = reduce(text, watching(lambda t: FAIL if b'"guilty"' in t else PASS, seen), name="x.json")
    for candidate in seen:
        if candidate.strip():
            json.loads(candidate)
    assert json.loads(result.data) == "guilty"


def test_prefer_tries_invalid_texts_when_nothing_valid_is_left() -> None:
    text = b"int f(int a) { return a; }\n"
    strict = reduce(text, lambda t: b"return" in t, name="x.c")
    prefer = reduce(text, lambda t: b"return" in t, Options(validity="prefer"), name="x.c")
    off = reduce(text, lambda t: b"return" in t, Options(validity="off"), name="x.c")
    assert count(strict.data) > count(prefer.data) == count(off.data) == 1


def test_new_errors_count_where_there_are_errors_already() -> None:
    """The original has an error of its own: it may stay, but there are no others."""
    text = b"int a;\nint @@ b;\nint f(void) { return a + 1; }\n"
    seen: list[bytes] = []
    result = reduce(text, watching(lambda t: FAIL if b"a + 1" in t else PASS, seen), name="x.c")
    checker = load("c").checker(text)
    assert all(checker(t) for t in seen if t)
    assert b"@@" not in result.data


def test_protected_regions_stay() -> None:
    text = b"int keep;\n// DDBEGIN\nint a;\nint b;\n// DDEND\nint also;\n"
    result = reduce(text, lambda t: b"int b" in t and b"keep" in t and b"also" in t, name="x.c")
    assert result.data == b"int keep;\n// DDBEGIN\nint b;\n// DDEND\nint also;\n"


@pytest.mark.parametrize(
    ("opening", "closing", "name", "levels"),
    [(b"[", b"]", "x.json", 100_000), (b"(", b")", "x.smt2", 20_000), (b"{", b"}", "x.c", 20_000)],
)
def test_very_deep_trees_take_few_tests(opening: bytes, closing: bytes, name: str, levels: int) -> None:
    """Up to 100,000 levels: no recursion error, and tests in proportion to the logarithm."""
    tests = 0

    def test(text: bytes) -> bool:
        nonlocal tests
        tests += 1
        return b"7" in text

    head = b"int f() " if name == "x.c" else b""
    result = reduce(head + opening * levels + b"7" + (b";" if head else b"") + closing * levels, test, name=name)
    assert len(result.data) < 20
    assert tests < 100


def test_a_large_source_file_takes_little_memory_and_few_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte of C; what is parsed during the search is a small part of what is tested."""
    functions = b"".join(b"int f%d(int a) { int b = a + %d; return b * 2; }\n" % (i, i) for i in range(20_000))
    tested = parsed = 0
    whole = TreeSitterLanguage._read

    def read(self: TreeSitterLanguage, data: bytes) -> object:
        nonlocal parsed
        parsed += len(data)
        return whole(self, data)

    def test(text: bytes) -> bool:
        nonlocal tested
        tested += len(text)
        return b"f12345(" in text

    monkeypatch.setattr(TreeSitterLanguage, "_read", read)
    tracemalloc.start()
    result = reduce(functions, test, name="x.c")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert b"f12345" in result.data
    assert len(result.data) < 60
    assert parsed < tested
    assert peak < 300e6


def test_a_file_that_is_hardly_of_its_language_is_plain_text() -> None:
    text = bytes(range(1, 255)) * 20 + b"guilty"
    assert reduce(text, lambda t: b"guilty" in t, name="x.c").data == b"guilty"


def test_a_wrong_language_is_told_with_the_right_ones() -> None:
    with pytest.raises(UsageError, match="klingon") as told:
        reduce(b"x", lambda t: b"x" in t, Options(language="klingon"), name="x.c")
    assert "python" in told.value.hint
    assert {"c", "json", "sexpr", "outline"} <= set(NAMES)


def test_the_language_none_is_plain_text() -> None:
    said: list[Event] = []
    text = b"int a;\nint b;\n"
    result = reduce(text, lambda t: b"b" in t, Options(language="none", listener=said.append), name="x.c")
    assert result.data == b"b"
    assert not [event for event in said if isinstance(event, Note)]


def node(name: str, *children: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(name=name, children=children)


@pytest.mark.parametrize("search", [wynot.hdd, wynot.hdd_plus, wynot.hdd_star])
@pytest.mark.parametrize("jobs", [1, 4])
def test_trees_of_callers(search: Callable[..., list[SimpleNamespace]], jobs: int) -> None:
    tree = node("f", node("decl"), node("while", node("cond"), node("body", node("y--"), node("x"))), node("return"))
    kept = search(tree, lambda nodes: {"decl", "y--"} <= {n.name for n in nodes}, jobs=jobs)
    assert [n.name for n in kept] == ["f", "decl", "while", "body", "y--"]


@pytest.mark.parametrize("search", [wynot.hdd, wynot.hdd_plus, wynot.hdd_star])
def test_a_tree_that_does_not_fail_and_a_budget(search: Callable[..., list[SimpleNamespace]]) -> None:
    leaves = [SimpleNamespace(name=each, children=[]) for each in range(20)]
    tree = SimpleNamespace(name="root", children=leaves)
    for outcome in (PASS, UNRESOLVED, False):
        with pytest.raises(NoFailureError, match="does not fail on the whole tree"):
            search(tree, lambda _nodes, outcome=outcome: outcome)

    def fails(nodes: list[SimpleNamespace]) -> bool:
        return {3, 17} <= {node.name for node in nodes}

    for budget in (0, 4, 12):
        with pytest.raises(BudgetEnded, match=f"budget of {budget} tests") as ended:
            search(tree, fails, budget_tests=budget)
        best = ended.value.best
        assert isinstance(best, list)
        assert fails(best)
        assert (len(best) < 21) is (budget == 12)


def test_a_tree_that_writes_itself_and_a_test_object() -> None:
    """The thesis' chapter 7: what is tested is what the tree writes."""
    spec = spec_from_file_location("own_tree", Path(__file__).parents[3] / "examples" / "own_tree.py")
    assert spec is not None
    assert spec.loader is not None
    example = sys.modules["own_tree"] = module_from_spec(spec)
    spec.loader.exec_module(example)
    for prune in (wynot.hdd, wynot.hdd_plus, wynot.hdd_star):
        kept = [id(node) for node in prune(example.SUM, example.DividesByZero())]
        assert example.SUM.unparse(lambda node, kept=kept: id(node) in kept) == "((1/(2-2))+1)"


def test_what_the_protocols_ask_for() -> None:
    class Writes:
        def unparse(self, present: object) -> str:
            return ""

    class Tests:
        def test(self, case: object) -> bool:
            return True

    assert isinstance(Writes(), wynot.Unparsing)
    assert isinstance(Tests(), wynot.HasTest)
    assert not isinstance(bool, wynot.HasTest)
