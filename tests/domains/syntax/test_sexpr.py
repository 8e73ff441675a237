"""S-expressions: what is a bracket and what is not, in each of the dialects."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domains.syntax.laws import assert_well_formed, some
from wynot.domains.syntax.adapters.sexpr import DIALECTS, Dialect, Sexpr
from wynot.domains.syntax.syntax_tree import SyntaxTree

SIGNS = [
    b"(", b")", b"(", b")", b"[", b"]", b"{", b"}", b'"', b"|", b";", b"#|", b"|#", b"#;", b"(;", b";)", b"\\", b"'",
    b"#(", b"`", b",@", b"a", b"bc", b" ", b"\n", b"0", b"\xff", b'""', b"#\\", b"#",
]  # fmt: skip


def texts(tree: SyntaxTree, kind: str) -> list[bytes]:
    return [tree.text(node) for node in range(len(tree)) if tree.kinds[node] == kind]


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        (b"(assert x)", ["list:assert", "atom", "atom"]),
        (b"( ; why\n assert x)", ["list:assert", "comment", "atom", "atom"]),
        (b"((a) b)", ["list", "list:a", "atom", "atom"]),
        (b"(= x y)", ["list:=", "atom", "atom", "atom"]),
        (b"(- 1)", ["list:-", "atom", "atom"]),
        (b"(1 2)", ["list", "atom", "atom"]),
        (b"(-1.5 2)", ["list", "atom", "atom"]),
        (b'("a" b)', ["list", "string", "atom"]),
        (b"(|a b| c)", ["list:|a b|", "atom", "atom"]),
        (b"(" + b"a" * 41 + b")", ["list", "atom"]),
        (b"()", ["list"]),
        (b"'(a b)", ["quoted", "atom", "atom"]),
        (b"`(a ,@(b))", ["quoted", "atom", "quoted", "atom"]),
        (b"#(1 2)", ["quoted", "atom", "atom"]),
        (b"#;(a)", ["quoted", "atom"]),
        (b"[a b]", ["vector", "atom", "atom"]),
        (b"{:a 1}", ["map", "atom", "atom"]),
        (b"'a `b ,c #t #'d", ["atom"] * 5),
        (b"#| ( |# a", ["comment", "atom"]),
        (b"#| without end (", ["comment"]),
        (b'"a\\"(" b', ["string", "atom"]),
        (b'"a""(" b', ["string", "atom"]),
        (b'(a "\\") (b "x")', ["list:a", "atom", "string", "list:b", "atom", "string"]),
        (b"(; not ( a list ;) (a)", ["comment", "list:a", "atom"]),
        (b"#\\( #\\) (a)", ["atom", "atom", "list:a", "atom"]),
        (b"a\\(b", ["atom"]),
        (b") (a) (", ["atom", "list:a", "atom", "atom"]),
        (b"([a)", ["list", "atom", "atom"]),
        (b'(a) " (b)', ["list:a", "atom", "atom", "list:b", "atom"]),
        (b"(a) | (b)", ["list:a", "atom", "atom", "list:b", "atom"]),
        (b"\\", ["atom"]),
    ],
)
def test_kinds(data: bytes, kinds: list[str]) -> None:
    tree = Sexpr().parse(data)
    assert_well_formed(tree)
    assert tree.kinds[0] == "file"
    assert list(tree.kinds[1:]) == kinds


def test_texts() -> None:
    tree = Sexpr().parse(b'(set-info :source |a\n(b|) ; (c\r\n(echo "x ""y"" (") \'(1 2)')
    assert texts(tree, "comment") == [b"; (c"]
    assert texts(tree, "string") == [b'"x ""y"" ("']
    assert texts(tree, "quoted") == [b"'(1 2)"]
    assert texts(tree, "list:set-info") == [b"(set-info :source |a\n(b|)"]


@pytest.mark.parametrize(
    ("original", "valid", "invalid"),
    [
        (b"(a (b))", [b"", b"()", b"(a)", b"x", b"(a (b)) ; (", b'("(")'], [b"(", b"(a (b)", b"a)", b'"', b")(", b"|"]),
        (b"(a))", [b"(a))", b"(a)", b"(a", b")", b'"'], [b"(a)))", b"((", b"()))("]),
        (b"[a (b)]", [b"[]", b"(b)"], [b"[(])", b"[)"]),
        (b'(echo "\\")', [b'(echo "\\")', b'"\\"'], [b'(echo ")']),
        (b'(f "\\"")', [b'(f "\\"")'], [b'(f "\\")']),
    ],
)
def test_what_is_valid(original: bytes, valid: list[bytes], invalid: list[bytes]) -> None:
    checker = Sexpr().checker(original)
    assert [text for text in valid if not checker(text)] == []
    assert [text for text in invalid if checker(text)] == []


@pytest.mark.parametrize(
    ("data", "broken"), [(b"", 0), (b"(a)", 0), (b"((a)", 1 / 3), (b")))", 1), (b'a "', 1), (b"words", 0)]
)
def test_how_much_is_broken(data: bytes, broken: float) -> None:
    assert Sexpr().checker(data).broken == broken


def test_the_first_word_makes_the_kind() -> None:
    """So it is never cut: the list would not be what its parent needs."""
    checker = Sexpr().checker(b"(assert (= x y))")
    assert checker.kinds(b"(assert (= x y))", 8, 15) == {"list:="}
    assert checker.kinds(b"(assert (x y))", 8, 13) == {"list:x"}
    assert checker.kinds(b"(assert (= x y))", 8, 14) == set()
    assert checker.kinds(b"(assert (= x y))", 9, 14) == set()
    assert checker.kinds(b"(assert (= x y)) ", 0, 17) == {"file"}
    assert checker.kinds(b"(assert)", 0, 8) == {"file", "list:assert"}
    assert checker.kinds(b"(assert (= x y)", 8, 15) == set()
    assert checker.kinds(b"ab", 1, 2) == set()
    assert checker.kinds(b'"(a)"', 1, 4) == set()


def by_tokens(dialect: Dialect, data: bytes) -> int:
    """Faults, counted the slow way: brackets are cancelled one by one."""
    tokens = [(token.lastgroup, token[0]) for token in dialect.token.finditer(data)]
    signs = [text[-1:] for group, text in tokens if group in {"open", "close"}]
    faults = sum(group == "atom" and text in {b'"', b"|"} for group, text in tokens)
    pairs = {b")": b"(", b"]": b"[", b"}": b"{"}
    open_: list[bytes] = []
    for sign in signs:
        if sign not in pairs:
            open_.append(sign)
        elif pairs[sign] in open_:
            while open_.pop() != pairs[sign]:
                faults += 1
        else:
            faults += 1
    return faults + len(open_)


@some
@given(seed=st.integers(0, 2**32))
def test_quick_and_slow_counting_agree(seed: int) -> None:
    """The checker and the tree mean the same brackets; all that is not blank is in a token."""
    chance = Random(seed)
    data = b"".join(chance.choices(SIGNS, k=chance.randint(0, 40)))
    for dialect in DIALECTS:
        assert dialect.faults(data) == by_tokens(dialect, data)
        assert not dialect.token.sub(b"", data).strip()


def nested(chance: Random, depth: int) -> bytes:
    """A list of lists, far deeper than one match goes."""
    if not depth:
        return chance.choice([b"x", b"1.5", b"#b1", b'"a)"', b"|(|"])
    pair = chance.choice([b"()", b"()", b"[]"])
    inside = [
        nested(chance, depth - 1 if first == 0 else chance.randint(0, 1)) for first in range(chance.randint(1, 3))
    ]
    return pair[:1] + b" ".join(inside) + pair[1:]


@some
@given(seed=st.integers(0, 2**32))
def test_the_first_level_is_that_of_the_whole_tree(seed: int) -> None:
    """However deep the lists are, and whatever stands in them."""
    chance = Random(seed)
    data = b" ".join(nested(chance, chance.randint(0, 30)) for _ in range(chance.randint(1, 4)))
    whole, flat = Sexpr().parse(data), Sexpr().parse(data, 1)
    items = [(whole.starts[item], whole.ends[item], whole.kinds[item]) for item in whole.shape.children(0)]
    assert list(zip(flat.starts, flat.ends, flat.kinds, strict=True))[1:] == items


@some
@given(seed=st.integers(0, 2**32))
def test_kinds_are_those_of_the_tree(seed: int) -> None:
    chance = Random(seed)
    data = b"".join(chance.choices(SIGNS, k=chance.randint(0, 20)))
    tree, checker = Sexpr().parse(data), Sexpr().checker(data)
    assert_well_formed(tree)
    spans = {(tree.starts[node], tree.ends[node]): tree.kinds[node] for node in range(1, len(tree))}
    for start in range(len(data)):
        for end in range(start + 1, len(data) + 1):
            found = checker.kinds(data, start, end) - {"file"}
            assert found <= {spans.get((start, end))}
            assert found or (start, end) not in spans or checker.broken


@pytest.mark.parametrize(
    "piece",
    [b"(", b")", b"([{", b'"\\', b'"', b"|", b"#|", b"#| ", b"(;", b";", b"'", b"#;", b"\\", b'"\\"', b"(a ", b"'("],
)
def test_long_rows(piece: bytes) -> None:
    """Time in proportion to the square of this would be many minutes."""
    data = piece * 50_000
    tree = Sexpr().parse(data)
    assert tree.ends[0] == len(data)
    assert Sexpr().checker(data)(data)


NESTED = [b"(a b)", b"((x) y)", b"(" * 12 + b"d" + b")" * 12, b"[v 1]", b'(f "(" 2)', b"; (c\n", b"'(q)", *SIGNS]
rows = st.lists(st.sampled_from(NESTED), max_size=16).map(b"".join)


@some
@given(data=rows.flatmap(lambda row: st.sampled_from((row, b"(" + row + b")"))), deepest=st.integers(1, 3))
def test_the_first_levels_are_those_of_the_whole_tree(data: bytes, deepest: int) -> None:
    whole, part = Sexpr().parse(data), Sexpr().parse(data, deepest)
    assert_well_formed(part)
    levels = [node for node in range(len(whole)) if whole.shape.depths[node] <= deepest]
    if max(part.shape.depths) <= deepest:
        assert [(part.kinds[n], part.text(n)) for n in range(len(part))] == [
            (whole.kinds[n], whole.text(n)) for n in levels
        ]
    else:  # brackets without partners: all of it is read
        assert len(part) == len(whole)


@some
@given(data=rows, seed=st.integers(0, 2**32))
def test_a_checker_knows_the_nodes_of_the_tree(data: bytes, seed: int) -> None:
    tree, checker = Sexpr().parse(data), Sexpr().checker(data)
    if checker.clean:
        for node in range(1, len(tree)):
            assert tree.kinds[node] in checker.kinds(data, tree.starts[node], tree.ends[node])
        spans = set(zip(tree.starts, tree.ends, strict=True))
        chance = Random(seed)
        start, end = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        assert bool(checker.kinds(data, start, end)) == ((start, end) in spans)
