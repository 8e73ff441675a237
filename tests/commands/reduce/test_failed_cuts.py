"""The first tier does not try again what was in vain; the proof does."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest

from wynot.commands.reduce.parsed_text import ParseCache, ParsedText
from wynot.commands.reduce.pass_runner import FailedCuts
from wynot.commands.reduce.passes.basic_passes import AtomPass, PreparedPass, TreePass, pruning
from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.core.outcome import FAIL, ONLY_FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.trial import Found, Strategy, Trial
from wynot.domains.syntax.language_loading import load
from wynot.domains.text.atom_domain import MOST_TOLD
from wynot.domains.text.atoms import LINES, WORDS, Granularity
from wynot.engine.budget import TestCounts
from wynot.search.lists.sweep import skim


def test_cuts_that_were_in_vain_are_tried_again_for_the_proof_only() -> None:
    """What is in a pair of brackets goes by and by: 137 tests without a memory."""
    text = b"void f() {\n" + b"".join(b"if (a%d) { b%d(); c%d(); }\n" % (i, i, i) for i in range(6)) + b"}\n"
    tests = 0

    def test(data: bytes) -> bool:
        nonlocal tests
        tests += 1
        return all(b"b%d();" % i in data for i in range(6)) and b"f()" in data

    reduce(text, test, name="x.c")
    assert tests <= 129


def test_what_becomes_possible_later_is_found_by_the_proof() -> None:
    """A declaration is tried before its use has gone, in vain; the proof finds it, or names do."""
    text = b"int first;\nint second;\nvoid f() { second = 1; }\nvoid guilty() { }\n"

    def test(data: bytes) -> Outcome:
        if b"second = 1" in data and b"int second" not in data:
            return UNRESOLVED
        return FAIL if b"guilty" in data else PASS

    assert b"second" not in reduce(text, test, name="x.c").data


def tree_of(text: bytes, *, alone: bool = True) -> PreparedPass:
    """A pass among the nodes of a C file."""
    return TreePass("tree", ParseCache(load("c")), pruning(skim), alone=alone).begin(text, None, TestCounts())


def asked(text: bytes, *, alone: bool, words: bytes) -> list[bytes]:
    """What is tried first of a file, without this one of its items, if that was in vain before."""
    stage = tree_of(text, alone=alone)
    tree = ParsedText(load("c"), text, None).tree
    full = Config.full(stage.deltas)
    node = next(node for node in range(1, len(tree)) if tree.text(node) == words)
    vain = FailedCuts()
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


def flat_of(text: bytes, level: Granularity = WORDS) -> PreparedPass:
    """A pass among the tokens of a text."""
    return AtomPass(level, skim).begin(text, None, TestCounts())


def without(stage: PreparedPass, left: bytes) -> Config:
    """All but one stretch of deltas, so that this text is left."""
    ends = range(stage.deltas + 1)
    configs = (Config.full(stage.deltas).without(a, b) for a in ends for b in ends[a + 1 :])
    return next(config for config in configs if stage.domain.render(config) == left)


def tries(vain: FailedCuts, stage: PreparedPass, config: Config) -> bool:
    """Whether a search in its first tier, which would like to, does try this."""

    def search() -> Strategy:
        yield (Trial(config, ONLY_FAIL),)
        return Found(config)

    return bool(list(next(vain.sparing(stage._replace(search=search)).search())))


@pytest.mark.parametrize("alone", [True, False])
def test_a_thing_that_is_used_less_often_is_another_one(alone: bool) -> None:
    """Without its last user it can go, so it is tried again then, and only then."""
    used, moved, unused = (b"int a;\nint b;\nint f(int c) { %s }\n" % body for body in (b"g(a);", b"h(a);", b""))
    vain, stage = FailedCuts(), tree_of(used, alone=alone)
    vain.learn(stage, Config.full(stage.deltas), without(stage, used.removeprefix(b"int a;\n")))
    for text, again in ((used, False), (moved, False), (unused, True)):
        stage = tree_of(text, alone=alone)
        assert tries(vain, stage, without(stage, text.removeprefix(b"int a;\n"))) == again, text


def test_a_use_that_has_gone_in_the_same_pass_is_none() -> None:
    text = b"int a;\nint f(int c) { g(a); }\n"
    stage = tree_of(text)
    assert stage.cut is not None
    full = Config.full(stage.deltas)
    giver = full - without(stage, text.removeprefix(b"int a;\n"))
    user = full - without(stage, b"int a;\nint f(int c) { }\n")
    assert stage.cut(full, full - giver) != stage.cut(full - user, full - user - giver)


def test_a_token_is_told_with_its_neighbours() -> None:
    """One `x` is much like another: it is the same where the same stands on both sides of it."""
    vain, stage = FailedCuts(), flat_of(b"a x b; c x d; a x d; c x b;")
    vain.learn(stage, Config.full(stage.deltas), without(stage, b"a b; c x d; a x d; c x b;"))
    for left, again in (
        (b"a b; c x d; a x d; c x b;", False),
        (b"a x b; c d; a x d; c x b;", True),
        (b"a x b; c x d; a d; c x b;", True),
        (b"a x b; c x d; a x d; c b;", True),
    ):
        assert tries(vain, stage, without(stage, left)) == again, left
    elsewhere = flat_of(b"e; a x b; c x d;")
    assert not tries(vain, elsewhere, without(elsewhere, b"e; a b; c x d;"))


@pytest.mark.parametrize("begin", [tree_of, partial(flat_of, level=LINES)])
@pytest.mark.parametrize("over", [False, True])
def test_cuts_of_much_are_not_remembered(begin: Callable[[bytes], PreparedPass], over: bool) -> None:
    """Up to the limit they are told; above it they are not, and cost nothing to tell."""
    line = b'char *s = "%s";\n' % (b"s" * (MOST_TOLD - 100 + 200 * over))
    stage = begin(b"int a;\n" + line + b"int b;\n")
    full, cut, vain = Config.full(stage.deltas), without(stage, b"int a;\nint b;\n"), FailedCuts()
    vain.learn(stage, full, cut)
    vain.learn(stage, full, without(stage, b"int a;\n" + line))
    assert stage.cut is not None
    assert (not stage.cut(full, cut)) == over
    assert tries(vain, stage, cut) == over


def test_a_node_of_much_is_not_remembered_where_something_in_it_stands_in_for_it() -> None:
    """Little goes, but the whole node is what would be told."""
    text = b'int f(void) { if (a) { g("%s"); } }\n' % (b"s" * (MOST_TOLD + 1))
    stage, tree = tree_of(text), ParsedText(load("c"), text, None).tree
    assert stage.cut is not None
    outer = next(node for node in range(len(tree)) if tree.kinds[node] == "if_statement")
    inner = next(node for node in range(outer, len(tree)) if tree.kinds[node] == "compound_statement")
    full = Config.full(stage.deltas)
    assert stage.cut(full, full.without(outer, inner)) == []


def test_what_belongs_together_is_tried_once_more_at_the_end() -> None:
    """`const` twice goes only after `late`, that only after the brackets; each was in vain before."""

    def test(text: bytes) -> bool:
        late, said = b"late" in text, text.count(b"const")
        whole = re.search(rb"int a =.*1.*;\s*(const)?\s*long b;", text, re.DOTALL) is not None
        return whole and (late or b"(" not in text) and (said == 2 or (said == 0 and not late))

    result = reduce(b"const int a = (1);\nconst long b;\nchar late;\n", test, name="x.c")
    assert result.data == b"int a = 1;\nlong b;\n"
