"""Texts in no known language: blocks, lines, items."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domains.syntax.laws import assert_in_order, assert_well_formed, assert_whole, some
from wynot.core.config import Config
from wynot.domains.syntax.adapters.outline import KINDS, Outline
from wynot.domains.syntax.syntax_tree import OUTLINE, SyntaxTree

SIGNS = [
    b"(", b")", b"()", b"[", b"]", b"[]", b"{", b"}", b"{}", b",", b";", b"\n", b"\r\n", b"\r", b"\n  ", b"\n    ",
    b"\n\t", b'"', b"'", b"\\", b"//", b"/*", b"*/", b"#", b"a", b"b c", b" ", b"\xff", b"\0", b"\nif", b"\nend",
    b"\nelse", b"\nendif",
]  # fmt: skip


def drawn(tree: SyntaxTree) -> str:
    """A tree as a text: the kind and the first line of each node."""
    lines = (tree.text(node).splitlines()[0].decode() for node in range(1, len(tree)))
    return "".join(
        f"{'  ' * (tree.shape.depths[node] - 1)}{tree.kinds[node]} {line}\n" for node, line in enumerate(lines, start=1)
    )


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ""),
        (b"one\ntwo\n", "line one\nline two\n"),
        (b"one\r\n\r\ntwo", "line one\nline two\n"),
        (b"a\n  b\n    c\n  d\ne\n", "line a\n  line b\n    line c\n  line d\nline e\n"),
        (b"  a\nb\n\tc\n", "line a\nline b\n  line c\n"),
        (b"a; b;c\n", "line a;\nitem b;\nitem c\n"),
        (b"a, b\n", "line a, b\n"),
        (b"f(a, b)\n", "line f(a, b)\n  round (a, b)\n    item a\n    item b\n"),
        (b"(a)\n", "round (a)\n  item a\n"),
        (b"(a) b\n", "line (a) b\n  round (a)\n    item a\n"),
        (b"[(a), {}, b]", "square [(a), {}, b]\n  round (a)\n    item a\n  curly {}\n  item b\n"),
        (b"{\n a\n b\n}\n", "curly {\n  line a\n  line b\n"),
        (b"{a\n   b\n}\n", "curly {a\n  item a\n  line b\n"),
        (b"[a,\n   b,\n      c,\n]\n", "square [a,\n  item a\n  line b\n  line c\n"),
        (b"[a\n ,b\n ,c]\n", "square [a\n  item a\n  item b\n  item c\n"),
        (b"a {\n} else {\n}\nb", "line a {\n  curly {\n  curly {\nline b\n"),
        (b"if\n  {\n    a\n  }\n", "line if\n  curly {\n    line a\n"),
        (b'f(")", b)', 'line f(")", b)\n  round (")", b)\n    item ")"\n    item b\n'),
        (b"don't (a)\n", "line don't (a)\n  round (a)\n    item a\n"),
        (b"f(')', b)", "line f(')', b)\n  round (')', b)\n    item ')'\n    item b\n"),
        (b"a // :-)\n(b)", "line a // :-)\nround (b)\n  item b\n"),
        (b"a # :-)\n(b)", "line a # :-)\nround (b)\n  item b\n"),
        (b"a /* ( \n */ b", "line a /* ( \n"),
        (b"a ( b\n  c ]\n", "line a ( b\n  line c ]\n"),
        (b"a (b\nc", "line a (b\nline c\n"),
        (
            b"()" * 99 + b" ]\n(b (c)",
            "line " + "()" * 99 + " ]\n" + "  round ()\n" * 99 + "line (b (c)\n  round (c)\n    item c\n",
        ),
        (b"a:\n  1, 2,\n    3\n", "line a:\n  line 1, 2,\n    line 3\n"),
        (b"module a;\nendmodule\nb\n", "line module a;\n  line endmodule\nline b\n"),
        (b"a;\nendmodule\n", "line a;\nline endmodule\n"),
        (b"begin = 1\nend = 2\nend_ = 3\n", "line begin = 1\nline end = 2\nline end_ = 3\n"),
        (
            b"if a\n  b;\nend\nelse begin\n  c;\nend\nd;\n",
            "line if a\n  line b;\n  line end\n  line else begin\n    line c;\n  line end\nline d;\n",
        ),
        (
            b"procedure P is\n  A : B;\nbegin\n  C;\nend P;\nD;\n",
            "line procedure P is\n  line A : B;\n  line begin\n    line C;\n  line end P;\nline D;\n",
        ),
        (b"repeat\n  a;\nuntil b;\nc;\n", "line repeat\n  line a;\n  line until b;\nline c;\n"),
        (
            b"foreach(a)\nendforeach()\n",
            "line foreach(a)\n  round (a)\n    item a\n  line endforeach()\n    round ()\n",
        ),
        (b"begin\n  a;\nend;\nend.\n", "line begin\n  line a;\n  line end;\nline end.\n"),
        (b"begin\n\na;\nend;\n", "line begin\nline a;\nline end;\n"),
    ],
)
def test_outlines(data: bytes, expected: str) -> None:
    tree = Outline().parse(data)
    assert_well_formed(tree)
    assert drawn(tree) == expected


def test_a_byte_order_mark_belongs_to_the_file() -> None:
    tree = Outline().parse(b"\xef\xbb\xbfa\nb\n")
    assert tree.text(1) == b"a"
    assert Outline().parse(b"\xef\xbb\xbf").kinds == [OUTLINE]


def test_what_is_cut_takes_its_comma() -> None:
    pruned = assert_whole(Outline(), b"f(a, b, [c, d],\n  e)\n")
    whole, shape = Config.full(len(pruned)), pruned.tree.shape
    left = {pruned.tree.text(node): pruned.render(whole - shape.subtree(node)) for node in range(1, len(pruned))}
    assert left[b"a"] == b"f(b, [c, d],\n  e)\n"
    assert left[b"b"] == b"f(a, [c, d],\n  e)\n"
    assert left[b"[c, d]"] == b"f(a, b, e)\n"
    assert left[b"d"] == b"f(a, b, [c],\n  e)\n"
    assert left[b"e"] == b"f(a, b, [c, d])\n"


@pytest.mark.parametrize(
    ("original", "valid", "invalid"),
    [
        (b"f(a)", [b"", b"f", b"()", b'"("', b"// ("], [b"(", b")", b"f(]", b")("]),
        (b"f(a]", [b"(((", b""], []),
        (b"# (\n(a)", [b"# ("], [b"("]),
    ],
)
def test_what_is_valid(original: bytes, valid: list[bytes], invalid: list[bytes]) -> None:
    checker = Outline().checker(original)
    assert [text for text in valid if not checker(text)] == []
    assert [text for text in invalid if checker(text)] == []
    assert checker.kinds(original, 0, 1) == KINDS
    assert all(not checker.kinds(text, 0, 1) for text in invalid)
    assert checker.broken == 0


@some
@given(seed=st.integers(0, 2**32))
def test_any_text_has_an_outline(seed: int) -> None:
    chance = Random(seed)
    data = b"".join(chance.choices(SIGNS, k=chance.randint(0, 40)))
    assert_in_order(assert_whole(Outline(), data), seed)


@some
@given(seed=st.integers(0, 2**32))
def test_every_node_can_be_cut(seed: int) -> None:
    """Brackets still match, whatever is cut."""
    chance = Random(seed)
    data = b"".join(chance.choices([sign for sign in SIGNS if sign not in b"\"'\\//*#"], k=chance.randint(0, 40)))
    pruned, valid = assert_whole(Outline(), data), Outline().checker(data)
    whole = Config.full(len(pruned))
    for node in range(1, len(pruned)):
        assert valid(pruned.render(whole - pruned.tree.shape.subtree(node)))


@pytest.mark.parametrize(
    "piece",
    [
        b"(",
        b")",
        b"([{",
        b'"\\',
        b'"',
        b"'",
        b"/*",
        b"//",
        b"#",
        b"\n",
        b" ",
        b"\t",
        b";",
        b"a\n b\n",
        b"(,",
        b"if\nend\n",
    ],
)
def test_long_rows(piece: bytes) -> None:
    """Time in proportion to the square of this would be many minutes."""
    data = piece * 50_000
    tree = Outline().parse(data)
    assert tree.ends[0] == len(data)
    assert Outline().checker(data)(data)
