"""Very deep trees: no recursion, time in proportion to their size, and never a crash."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from tests.domains.syntax.laws import assert_whole
from wynot.core.config import Config
from wynot.domains.syntax.incremental_parse import few_blocks, few_tags
from wynot.domains.syntax.language_loading import load

LEVELS = 10**5


def nested(before: bytes, opening: bytes, inside: bytes, closing: bytes, after: bytes = b"") -> bytes:
    return before + opening * LEVELS + inside + closing * LEVELS + after


DEEP = {
    "c parentheses": ("c", nested(b"int x = ", b"(", b"1", b")", b";\n")),
    "c blocks": ("c", nested(b"void f(void) ", b"{\n", b"", b"}\n")),
    "c without end": ("c", b"int x = " + b"(" * LEVELS),
    "json arrays": ("json", nested(b"", b"[", b"", b"]")),
    "python parentheses": ("python", nested(b"x = ", b"(", b"1", b")", b"\n")),
    "javascript calls": ("javascript", nested(b"", b"f(", b"", b")")),
    "s-expressions": ("sexpr", nested(b"", b"(", b"", b")")),
    "named s-expressions": ("sexpr", nested(b"", b"(and x ", b"y", b")")),
    "s-expressions without end": ("sexpr", b"(" * LEVELS),
    "brackets": ("outline", nested(b"", b"{[\n", b"", b"]}\n")),
    "brackets without end": ("outline", b"{" * LEVELS),
    "xml": ("xml", nested(b"", b"<a>", b"", b"</a>")),
    "html": ("html", nested(b"", b"<div>", b"", b"</div>")),
    "html without end": ("html", b"<div>" * LEVELS),
    "yaml flow": ("yaml", nested(b"", b"[", b"", b"]")),
    "yaml blocks": ("yaml", b"- " * LEVELS + b"x\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "data"), DEEP.values(), ids=DEEP)
def test_deep_trees(name: str, data: bytes) -> None:
    pruned = assert_whole(load(name), data)
    tree, whole = pruned.tree, Config.full(len(pruned))
    assert load(name).checker(data)(data)
    if name in {"c", "sexpr", "outline"}:
        smaller = pruned.render(whole - tree.shape.subtree(len(tree) // 2 or len(tree) - 1))
        assert len(smaller) <= len(data)


@pytest.mark.parametrize(
    ("name", "kind", "levels"),
    [("sexpr", "list", LEVELS), ("outline", "curly", LEVELS)],
)
def test_all_levels_are_there(name: str, kind: str, levels: int) -> None:
    opening, closing = {"list": (b"(", b")"), "curly": (b"{", b"}")}[kind]
    tree = load(name).parse(opening * levels + closing * levels)
    assert max(tree.shape.depths) == levels
    assert set(tree.kinds[1:]) == {kind}


def indented(levels: int, *lines: bytes) -> bytes:
    return b"".join(b" " * level + lines[level % len(lines)] + b"\n" for level in range(levels))


def test_what_yaml_cannot_bear_is_not_given_to_it() -> None:
    for data in (b"- " * 250, b"? - " * 130, indented(254, b"a:"), indented(254, b"-"), indented(130, b"- a:")):
        assert not few_blocks(data)
    for data in (b"- " * 100, indented(80, b"a:"), b"a: {b: 1, c: 2} # - - -\n" * 1000, b" " * 1000):
        assert few_blocks(data)


def test_what_xml_cannot_bear_is_not_given_to_it() -> None:
    for data in (b"<a>" * 501, b"<a b='c'>\n" * 501 + b"</a>" * 501):
        assert not few_tags(data)
    for data in (b"<a>" * 400 + b"</a>" * 400, b"<a></a>" * 9999, b"<a/>" * 9999, b"<br><p>" * 9999, b"<li>" * 9999):
        assert few_tags(data)


def test_a_text_that_becomes_too_deep_is_not_valid() -> None:
    """A checker for a shallow text is asked about a deep one."""
    checker = load("yaml").checker(b"- a\n")
    assert checker(b"- b\n")
    assert not checker(b"- " * 1000 + b"b\n")
    assert not checker.kinds(b"- " * 1000 + b"b\n", 0, 3)


FUZZ = """
import sys
from tests.domains.syntax.test_deep_nesting import random_blocks
from wynot.domains.syntax.language_loading import load

for seed in range(int(sys.argv[1]), int(sys.argv[2])):
    data = random_blocks(seed)
    load("yaml").parse(data)
    load("yaml").checker(data)(data[3:])
"""


def random_blocks(seed: int) -> bytes:
    """YAML, or something like it, near the limit."""
    chance = Random(seed)
    signs = (
        b"- ",
        b"? ",
        b"a: ",
        b": ",
        b"a:",
        b"-",
        b"!!x ",
        b"&a ",
        b"- a: ",
        b"[x, ",
        b"{",
        b"| ",
        b"--- ",
        b"a : ",
    )
    chosen = chance.sample(signs, chance.randint(1, 4))
    lines, indent = [], 0
    for _ in range(chance.choice((20, 60, 83, 130, 260))):
        lines.append(b" " * indent + b"".join(chance.choices(chosen, k=chance.choice((1, 1, 1, 2, 3, 8)))))
        indent = max(0, indent + chance.choice((1, 1, 1, 1, 2, 4, 0, -1)))
    return chance.choice((b"\n", b"\r\n", b"\r")).join(lines)


@pytest.mark.slow
def test_yaml_never_takes_the_process_with_it() -> None:
    """In a process of its own, for it might."""
    done = subprocess.run([sys.executable, "-c", FUZZ, "0", "300"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
