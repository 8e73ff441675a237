"""The first tier does not try again what was in vain; the proof does."""

from __future__ import annotations

import re

import pytest

from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.tree.languages import load
from wynot.run.costs import Counts
from wynot.run.forest import Forest, Grown
from wynot.run.passes import TreePass, pruning
from wynot.run.reduce import reduce
from wynot.run.vain import Vain
from wynot.search.sweep import skim


def test_cuts_that_were_in_vain_are_tried_again_for_the_proof_only() -> None:
    """What is in a pair of brackets goes by and by: 122 tests without a memory."""
    text = b"void f() {\n" + b"".join(b"if (a%d) { b%d(); c%d(); }\n" % (i, i, i) for i in range(6)) + b"}\n"
    tests = 0

    def test(data: bytes) -> bool:
        nonlocal tests
        tests += 1
        return all(b"b%d();" % i in data for i in range(6)) and b"f()" in data

    reduce(text, test, name="x.c")
    assert tests <= 114


def test_what_becomes_possible_later_is_found_by_the_proof() -> None:
    """A declaration is tried before its use has gone, in vain; the proof finds it, or names do."""
    text = b"int first;\nint second;\nvoid f() { second = 1; }\nvoid guilty() { }\n"

    def test(data: bytes) -> Outcome:
        if b"second = 1" in data and b"int second" not in data:
            return UNRESOLVED
        return FAIL if b"guilty" in data else PASS

    assert b"second" not in reduce(text, test, name="x.c").data


def asked(text: bytes, *, alone: bool, words: bytes) -> list[bytes]:
    """What is tried first of a file, without this one of its items, if that was in vain before."""
    stage = TreePass("tree", Forest(load("c")), pruning(skim), alone=alone).begin(text, None, Counts())
    tree = Grown(load("c"), text, None).tree
    full = Config.full(stage.deltas)
    node = next(node for node in range(1, len(tree)) if tree.text(node) == words)
    vain = Vain()
    vain.learn(stage, full, full - tree.shape.subtree(node))
    return [stage.domain.render(trial.config) for trial in next(vain.sparing(stage).search())]


@pytest.mark.parametrize("alone", [True, False])
def test_more_than_what_was_in_vain_is_in_vain_where_nodes_go_for_themselves(alone: bool) -> None:
    text = b"int a;\nint b;\nint c;\nint d;\n"
    tried = asked(text, alone=alone, words=b"int d;")
    assert tried
    assert all(b"d" in candidate for candidate in tried) == alone
    assert b"int a;\nint b;\nint c;\n" not in tried, "just that was in vain"


def test_a_thing_that_lost_its_users_is_tried_again_in_the_first_tier() -> None:
    """A parameter is used until the body is small; then it can go, with its arguments."""
    text = b"int f(int a, int b) { g(a); return b; }\nint h(void) { return f(1, 2); }\n"

    def test(data: bytes) -> Outcome:
        found = re.search(rb"f\(([^)]*)\) ?\{(.*)\}\n", data)
        called = re.search(rb"return f\(([^)]*)\)", data)
        if found is None or called is None or found[1].count(b",") != called[1].count(b","):
            return PASS
        if any(re.search(rb"\b%s\b" % name, found[2]) and name not in found[1] for name in (b"a", b"b")):
            return UNRESOLVED
        return FAIL if b"return b" in found[2] else PASS

    assert b"int a" not in reduce(text, test, name="x.c").data
